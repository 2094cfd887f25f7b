import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

let project: string;

beforeEach(async () => {
  project = await mkdtemp(path.join(tmpdir(), 'proctor-layers-'));
});

afterEach(async () => {
  await rm(project, { recursive: true, force: true });
});

/** Every import that the rules forbid in a project of these files, as `rule: from -> to`. */
async function violationsIn(files: Record<string, string>): Promise<string[]> {
  const everyFile = { 'package.json': '{ "dependencies": { "declared": "1.0.0" } }', ...files };
  for (const [name, content] of Object.entries(everyFile)) {
    await mkdir(path.dirname(path.join(project, name)), { recursive: true });
    await writeFile(path.join(project, name), content);
  }
  const program = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const configuration = path.join(root, '.dependency-cruiser.cjs');
  const commandLine = [program, '.', '--config', configuration, '--output-type', 'json'];
  const { stdout, stderr } = spawnSync(process.execPath, commandLine, {
    cwd: project,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  const violations: Array<{ rule: { name: string }; from: string; to: string }> =
    JSON.parse(stdout).summary.violations;
  return violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`);
}

function packageInstalled(name: string): Record<string, string> {
  return {
    [`node_modules/${name}/package.json`]: `{ "name": "${name}", "version": "1.0.0" }`,
    [`node_modules/${name}/index.js`]: '',
  };
}

/** Rooms from the top down; importing upwards, or sideways, is what the rules are there for. */
const forbidden = [
  ['run', 'cli'],
  ['results', 'run'],
  ['run', 'queue'],
  ['queue', 'cli'],
  ['base', 'config'],
  ['results', 'reporters'],
  ['reporters', 'run'],
  ['report-ui', 'reporters'],
  ['plan', 'run'],
  ['agents', 'proxy'],
  ['proxy', 'results'],
  ['steps', 'plan'],
  ['assertions', 'steps'],
  ['config', 'journal'],
  ['journal', 'mcp'],
  ['extension-kit', 'proxy'],
  ['launcher', 'run'],
  ['cli', 'launcher'],
] as const;

describe('rules about imports', () => {
  it('let a project pass that keeps to them', async () => {
    const violations = await violationsIn({
      ...packageInstalled('declared'),
      ...packageInstalled('vitest'),
      'package.json': '{ "devDependencies": { "declared": "1.0.0", "vitest": "1.0.0" } }',
      'src/index.ts': "export { run } from './run/run.js';",
      'src/proctor-version.ts': 'export const proctorVersion = "1";',
      'src/cli/main.ts':
        "import { plan } from '../plan/plan.js';\n" +
        "export const main = async () => plan && import('../run/run.js');",
      'src/run/run.ts':
        "import type { Plan } from '../plan/plan.js';\n" +
        "import { read } from '../config/read.js';\n" +
        'export const run = (plan: Plan) => read(plan);',
      'src/plan/plan.ts': 'export interface Plan { name: string }\nexport const plan = 1;',
      'src/config/read.ts':
        "import { readFile } from 'node:fs/promises';\n" +
        "import declared from 'declared';\n" +
        "import { proctorVersion } from '../proctor-version.js';\n" +
        'export const read = (file: string) => [readFile, declared, proctorVersion, file];',
      'src/config/read.test.ts':
        "import { it } from 'vitest';\n" +
        "import { folder } from '../../testing/temporary-folder.js';\n" +
        "import { read } from './read.js';\n" +
        "it('reads', () => read(folder));",
      'testing/temporary-folder.ts':
        "import { plan } from '../src/plan/plan.js';\n" +
        "import 'vitest';\n" +
        'export const folder = `/${plan}`;',
    });
    expect(violations).toEqual([]);
  });

  it('are checked for every room', async () => {
    const sources = forbidden.map(([from, to]) => [
      `src/${from}/imports-${to}.ts`,
      `import { a } from '../${to}/a.js';\nexport const b = a;`,
    ]);
    const targets = forbidden.map(([, to]) => [`src/${to}/a.ts`, 'export const a = 1;']);
    const violations = await violationsIn(Object.fromEntries([...sources, ...targets]));
    expect(violations.sort()).toEqual(
      forbidden
        .map(
          ([from, to]) =>
            `${from}-imports-only-what-it-may: src/${from}/imports-${to}.ts -> src/${to}/a.ts`,
        )
        .sort(),
    );
  });

  it('see every way to import', async () => {
    const violations = await violationsIn({
      'src/config/import-type.ts': "import type { A } from '../run/a.js';\nexport type B = A;",
      'src/config/export-from.ts': "export { a } from '../run/a.js';",
      'src/config/export-all.ts': "export * from '../run/a.js';",
      'src/config/import-lazily.ts': "export const b = () => import('../run/a.js');",
      'src/run/a.ts': 'export const a = 1;\nexport type A = number;',
    });
    expect(violations.sort()).toEqual([
      'config-imports-only-what-it-may: src/config/export-all.ts -> src/run/a.ts',
      'config-imports-only-what-it-may: src/config/export-from.ts -> src/run/a.ts',
      'config-imports-only-what-it-may: src/config/import-lazily.ts -> src/run/a.ts',
      'config-imports-only-what-it-may: src/config/import-type.ts -> src/run/a.ts',
    ]);
  });

  it('forbid what no room may do', async () => {
    const violations = await violationsIn({
      ...packageInstalled('vitest'),
      ...packageInstalled('undeclared'),
      'package.json': '{ "devDependencies": { "vitest": "1.0.0" } }',
      'src/index.ts': "export * from './cli/a.js';",
      'src/extension.ts': "export * from './config/a.js';",
      'src/cli/a.ts': '',
      'src/cellar/a.ts': "import '../config/a.js';",
      'src/config/a.ts': '',
      'src/config/imports-library.ts': "import '../index.js';",
      'src/run/imports-kit.ts': "import '../extension.js';",
      'src/run/circle-a.ts': "import './circle-b.js';",
      'src/run/circle-b.ts': "import './circle-a.js';",
      'src/run/imports-test.ts': "import './a.test.js';",
      'src/run/a.test.ts': '',
      'src/run/imports-testing.ts': "import '../../testing/a.js';",
      'testing/a.ts': '',
      'src/run/imports-end-to-end.test.ts': "import '../../test/a.js';",
      'test/a.ts': '',
      'src/run/imports-testing-package.ts': "import 'vitest';",
      'src/run/imports-undeclared.ts': "import 'undeclared';",
      'src/run/imports-nothing.ts': "import './missing.js';",
      'src/run/imports-utils.ts': "import './utils.js';",
      'src/run/utils.ts': '',
      'src/run/helpers/a.ts': "import '../../config/a.js';",
      'src/run/misc.ts': 'export const standsAlone = true;',
    });
    expect(violations.sort()).toEqual([
      'every-room-is-in-the-table: src/cellar/a.ts -> src/config/a.ts',
      'extension-entry-imports-the-kit-alone: src/extension.ts -> src/config/a.ts',
      'files-are-named-after-an-idea: src/run/helpers/a.ts -> src/config/a.ts',
      'files-are-named-after-an-idea: src/run/imports-utils.ts -> src/run/utils.ts',
      'files-are-named-after-an-idea: src/run/misc.ts -> src/run/misc.ts',
      'library-does-not-import-the-command-line: src/index.ts -> src/cli/a.ts',
      'no-circles: src/run/circle-a.ts -> src/run/circle-b.ts',
      'no-unresolvable-imports: src/run/imports-nothing.ts -> ./missing.js',
      'only-declared-packages: src/run/imports-undeclared.ts -> node_modules/undeclared/index.js',
      'product-does-not-import-tests: src/run/imports-test.ts -> src/run/a.test.ts',
      'product-does-not-import-tests: src/run/imports-testing-package.ts -> node_modules/vitest/index.js',
      'product-does-not-import-tests: src/run/imports-testing.ts -> testing/a.ts',
      'rooms-do-not-import-the-library-entry: src/config/imports-library.ts -> src/index.ts',
      'rooms-do-not-import-the-library-entry: src/run/imports-kit.ts -> src/extension.ts',
      'source-does-not-import-end-to-end-tests: src/run/imports-end-to-end.test.ts -> test/a.ts',
    ]);
  });
});
