// The least that reading a suite can cost with the YAML library that Proctor uses:
// node parse-with-yaml-alone.mjs FOLDER
import { readFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';
import { parse } from 'yaml';

const files = globSync('**/*.yaml', { cwd: process.argv[2], absolute: true });
for (const file of files) {
  const { kind } = parse(readFileSync(file, 'utf8'));
  if (kind !== 'Task') throw new Error(`${file} is not a task`);
}
if (files.length === 0) throw new Error('there is nothing to parse');
