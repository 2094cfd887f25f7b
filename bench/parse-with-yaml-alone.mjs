// The least that reading a suite can cost with the YAML library that Proctor uses:
// node parse-with-yaml-alone.mjs FOLDER
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

const files = readdirSync(process.argv[2], { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => path.join(entry.parentPath, entry.name));
for (const file of files) {
  const { kind } = parse(readFileSync(file, 'utf8'));
  if (kind !== 'Task') throw new Error(`${file} is not a task`);
}
if (files.length === 0) throw new Error('there is nothing to parse');
