import { readdirSync, readFileSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { parseSuiteTable, type SuiteCase, writeCase } from './suite-table.js';

const fixtures = path.resolve(import.meta.dirname, '../test/fixtures');

/**
 * Suites with something wrong, as tables: a file per topic. What a case expects is a line per
 * problem, `FILE:LINE:COLUMN-ENDLINE:ENDCOLUMN SEVERITY CODE`; before them may stand `$ ` with the
 * arguments to run (default: `validate eval.yaml`) and `NAME=value` for the environment.
 */
const tables = path.join(fixtures, 'invalid-suites');
const sharedFiles = 'shared-files.txtar';

export function readInvalidSuites(): { topic: string; cases: SuiteCase[] }[] {
  return readdirSync(tables)
    .filter((file) => file !== sharedFiles)
    .map((file) => ({ topic: path.basename(file, '.txtar'), cases: readTable(file) }));
}

/**
 * Makes a folder in which every case finds what its files refer to: `../_shared/` with agents, tasks
 * and MCP configs in which nothing is wrong, and the servers of the tests at `../../servers/`.
 */
export async function prepareInvalidSuites(folder: string): Promise<void> {
  const [shared] = readTable(sharedFiles);
  await writeCase(path.join(folder, 'suites/_shared'), shared?.files ?? []);
  await symlink(path.join(fixtures, 'servers'), path.join(folder, 'servers'));
}

/** Writes a case into a folder that was prepared, and returns where its suite is. */
export async function writeInvalidSuite(folder: string, { name, files }: SuiteCase) {
  const suite = path.join(folder, 'suites', name);
  await writeCase(suite, files);
  return suite;
}

function readTable(file: string): SuiteCase[] {
  return parseSuiteTable(readFileSync(path.join(tables, file), 'utf8'));
}

/** The text of every YAML file of the examples and of the tests, the wrong ones too. */
export function readYamlTexts(): string[] {
  const root = path.resolve(fixtures, '../..');
  const isYaml = (file: string) => /\.ya?ml$/.test(file);
  return [
    ...['examples', 'test/fixtures']
      .flatMap((folder) =>
        readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true }),
      )
      .filter((entry) => entry.isFile() && isYaml(entry.name))
      .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8')),
    ...readInvalidSuites()
      .flatMap(({ cases }) => cases.flatMap(({ files }) => files))
      .flatMap((file) => ('content' in file && isYaml(file.path) ? file.content.toString() : [])),
  ];
}
