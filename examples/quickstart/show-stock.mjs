/**
 * For verify scripts: prints the stock that a task run left, one item a line, sorted by name.
 * Fails if nothing was ever changed, as the server writes its file only then.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';

const file = path.join(process.env.PROCTOR_WORKDIR ?? '.', '.inventory.json');
const lines = JSON.parse(readFileSync(file, 'utf8'))
  .map(({ name, quantity, shelf }) => `${name}, ${quantity}, ${shelf}`)
  .sort();
console.log(lines.join('\n'));
