/**
 * Looks at the package as its users get it: packs it, installs it into an empty folder, and uses
 * it there from the command line, from an ES module and from TypeScript.
 */
import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { takeFirstSteps } from './first-steps.mjs';

const root = path.resolve(import.meta.dirname, '..');

/** The package holds nothing else. */
const allowedFiles = [
  /^dist\/(proctor\.cjs|index\.js|extension\.js|report-page\.html|third-party-licenses\.txt)$/,
  /^dist\/chunks\/[^/]+\.cjs$/,
  /^dist\/types\/.+\.d\.ts$/,
  /^schemas\/[^/]+\.json$/,
  /^(README\.md|LICENSE|CHANGELOG\.md|package\.json)$/,
];

/** And none of these may be missing. */
const requiredFiles = [
  'dist/proctor.cjs',
  'dist/index.js',
  'dist/extension.js',
  'dist/report-page.html',
  'dist/chunks/main.cjs',
  'dist/chunks/token-worker.cjs',
  'dist/chunks/process-guard.cjs',
  'dist/chunks/bridge-program.cjs',
  'dist/types/index.d.ts',
  'dist/types/extension.d.ts',
  'dist/third-party-licenses.txt',
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
  'package.json',
];

function run(command, commandLine, cwd) {
  return execFileSync(command, commandLine, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

function pack(folder) {
  const output = run('npm', ['pack', '--json', '--pack-destination', folder], root);
  const [{ filename, files }] = JSON.parse(output);
  return { tarball: path.join(folder, filename), files: files.map((file) => file.path) };
}

function checkFiles(files) {
  const surplus = files.filter((file) => !allowedFiles.some((allowed) => allowed.test(file)));
  const missing = requiredFiles.filter((file) => !files.includes(file));
  if (surplus.length > 0) throw new Error(`the package must not hold: ${surplus.join(', ')}`);
  if (missing.length > 0) throw new Error(`the package lacks: ${missing.join(', ')}`);
}

async function install(tarball, folder) {
  await writeFile(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', tarball], folder);
}

async function useCommandLine(folder) {
  await cp(path.join(root, 'examples/quickstart'), path.join(folder, 'quickstart'), {
    recursive: true,
  });
  run('npm', ['exec', '--no', '--', 'proctor', 'validate', 'quickstart/eval.yaml'], folder);
}

async function useModule(folder) {
  await writeFile(
    path.join(folder, 'consumer.js'),
    "import * as proctor from 'mcp-proctor';\n" +
      "import * as kit from 'mcp-proctor/extension';\n" +
      'const entries = [...Object.entries(proctor), ...Object.entries(kit)];\n' +
      "if (entries.length === 0) throw new Error('nothing is exported');\n" +
      'for (const [name, value] of entries) {\n' +
      '  if (value === undefined) throw new Error(name + " is undefined");\n' +
      '}\n',
  );
  run(process.execPath, ['consumer.js'], folder);
}

async function useTypes(folder) {
  await writeFile(
    path.join(folder, 'consumer.ts'),
    "import * as proctor from 'mcp-proctor';\n" +
      'export const names: Array<keyof typeof proctor> = [];\n' +
      "import { defineExtension } from 'mcp-proctor/extension';\n" +
      'export const extension = defineExtension({\n' +
      "  name: 'counter',\n" +
      "  version: '1.0.0',\n" +
      '  setup: () => ({ count: 0 }),\n' +
      '  operations: {\n' +
      '    add: { run: (args: { by: number }, { state }) => { state.count += args.by; } },\n' +
      '  },\n' +
      '});\n',
  );
  const compilerOptions = {
    target: 'es2023',
    // zod's declarations need URL.
    lib: ['es2023', 'dom'],
    module: 'nodenext',
    types: [],
    strict: true,
    noEmit: true,
    // The declarations must stand on their own with the declared dependencies.
    skipLibCheck: false,
  };
  await writeFile(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['consumer.ts'] }),
  );
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
  run(process.execPath, [compiler], folder);
}

async function step(name, action) {
  const result = await action();
  console.log(`ok: ${name}`);
  return result;
}

const folder = await mkdtemp(path.join(tmpdir(), 'proctor-package-'));
try {
  const { tarball, files } = await step('npm pack', () => pack(folder));
  await step(`the package holds what it should (${files.length} files)`, () => checkFiles(files));
  await step('npm install', () => install(tarball, folder));
  await step('npx proctor validate', () => useCommandLine(folder));
  await step('init, check, view, report', () => takeFirstSteps(folder));
  await step('import from an ES module', () => useModule(folder));
  await step('import from TypeScript', () => useTypes(folder));
} catch (error) {
  console.error(`The package is not fit to be published: ${error.message}`);
  if (error.stdout) console.error(error.stdout);
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
