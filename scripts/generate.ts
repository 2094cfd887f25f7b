/**
 * Writes what is made from the source: schemas/, docs/reference/, docs/images/, src/config/secrets/token-rules.json
 * and src/prices/price-table.json. With --check it writes nothing and fails if a file is not what it would write.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { main } from '../src/cli/main.js';
import { jsonSchemaOf, schemaKinds } from '../src/results/schema/json-schemas.js';
import { checkPicture } from './check-picture.js';
import { proxyPicture } from './proxy-picture.js';
import { cliReference } from './reference/cli-reference.js';
import { filesReference } from './reference/files-reference.js';
import { journalReference } from './reference/journal-reference.js';
import { priceTableFiles } from './reference/price-table.js';
import { problemsReference } from './reference/problems-reference.js';
import { tokenRuleFiles } from './reference/token-rules.js';
import { terminalPicture } from './terminal-picture.js';

const root = path.resolve(import.meta.dirname, '..');

/** What a command prints on a terminal, as a picture. */
async function picture(folder: string, ...args: string[]): Promise<string> {
  const output: string[] = [];
  const stream = { write: (text: string) => void output.push(text), isTerminal: true };
  process.chdir(path.join(root, folder));
  await main(args, { stdout: stream, stderr: stream, environment: { FORCE_COLOR: '1' } });
  return terminalPicture(`proctor ${args.join(' ')}`, output.join(''));
}

const files: Record<string, string> = {
  ...Object.fromEntries(
    schemaKinds.map((kind) => [
      `schemas/${kind}.schema.json`,
      `${JSON.stringify(jsonSchemaOf(kind), null, 2)}\n`,
    ]),
  ),
  ...filesReference(),
  ...tokenRuleFiles(),
  ...priceTableFiles(),
  'docs/reference/problems.md': problemsReference(),
  'docs/reference/cli.md': cliReference(),
  'docs/reference/journal.md': journalReference(),
  'docs/images/validate.svg': await picture('test/fixtures/mistakes', 'validate', 'eval.yaml'),
  'docs/images/list.svg': await picture('examples/quickstart', 'list', 'eval.yaml'),
  'docs/images/proxy.svg': proxyPicture(),
  'docs/images/check.svg': await checkPicture(path.join(root, 'examples/quickstart')),
};

const check = process.argv.includes('--check');
const stale: string[] = [];
for (const [name, text] of Object.entries(files)) {
  const file = path.join(root, name);
  if (read(file) === text) continue;
  stale.push(name);
  if (check) continue;
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
if (check && stale.length > 0) {
  console.error(`Not up to date: ${stale.join(', ')}\nRun: npm run generate`);
  process.exitCode = 1;
} else {
  console.log(
    check ? `${Object.keys(files).length} files are up to date` : `Wrote ${stale.length} files`,
  );
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
