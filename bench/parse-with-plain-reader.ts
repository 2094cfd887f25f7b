/**
 * The least that reading a suite can cost with Proctor's own reader of plain YAML:
 * node parse-with-plain-reader.mjs FOLDER
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readPlainYaml } from '../src/config/yaml/plain-yaml.js';

const [, , folder = '.'] = process.argv;
const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => path.join(entry.parentPath, entry.name));
for (const file of files) {
  const document = readPlainYaml(readFileSync(file, 'utf8'));
  if (document === undefined) throw new Error(`${file} is not plain`);
}
if (files.length === 0) throw new Error('there is nothing to parse');
