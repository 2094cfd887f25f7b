/**
 * Looks at the package as its users get it: packs it, installs it into an empty folder, and uses
 * it there from the command line, from an ES module and from TypeScript.
 */
import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { takeFirstSteps } from './first-steps.mjs';

const root = path.resolve(import.meta.dirname, '..');
const compiler = path.join(root, 'node_modules/typescript/bin/tsc');

/** The package holds nothing else. */
const allowedFiles = [
  /^dist\/(proctor\.cjs|index\.js|extension\.js|report-page\.html)$/,
  /^dist\/(third-party-licenses\.txt|bill-of-materials\.cdx\.json)$/,
  /^dist\/chunks\/([^/]+\.cjs|cl100k_base\.tiktoken)$/,
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
  'dist/chunks/cl100k_base.tiktoken',
  'dist/chunks/process-guard.cjs',
  'dist/chunks/bridge-program.cjs',
  'dist/types/index.d.ts',
  'dist/types/extension.d.ts',
  'dist/third-party-licenses.txt',
  'dist/bill-of-materials.cdx.json',
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
  const modules = await readdir(path.join(folder, 'node_modules'));
  const installed = modules.filter((name) => !name.startsWith('.'));
  if (installed.join() !== 'mcp-proctor') throw new Error(`npm installs ${installed.join(', ')}`);
}

/**
 * The list of what is bundled names every package that the source imports, each once, with a licence
 * whose text is there too and with the hash that the lock file has.
 */
async function checkBill(folder) {
  const dist = path.join(folder, 'node_modules/mcp-proctor/dist');
  const bill = JSON.parse(await readFile(path.join(dist, 'bill-of-materials.cdx.json'), 'utf8'));
  const licenses = await readFile(path.join(dist, 'third-party-licenses.txt'), 'utf8');
  const lock = JSON.parse(await readFile(path.join(root, 'package-lock.json'), 'utf8'));
  const names = new Set();
  for (const { type, group, name: rest, version, hashes, licenses: named } of bill.components) {
    const name = group ? `${group}/${rest}` : rest;
    if (names.has(name)) throw new Error(`${name} is listed twice`);
    names.add(name);
    const license = named[0].license?.id ?? named[0].expression;
    if (!license) throw new Error(`${name} is listed without a licence`);
    const title = type === 'library' ? `${name} ${version} (${license})` : `${name}: `;
    if (!`\n${licenses}`.includes(`\n${title}`))
      throw new Error(`the licence of ${name} is missing`);
    if (type !== 'library') continue;
    const hash = Buffer.from(hashes[0].content, 'hex').toString('base64');
    const isLocked = Object.entries(lock.packages).some(
      ([place, { version: locked, integrity }]) =>
        place.endsWith(`node_modules/${name}`) &&
        locked === version &&
        integrity === `sha512-${hash}`,
    );
    if (!isLocked) throw new Error(`${name} ${version} is not what package-lock.json has`);
  }
  const missing = (await importedPackages()).filter((name) => !names.has(name));
  if (missing.length > 0) throw new Error(`the bill of materials lacks ${missing.join(', ')}`);
}

/** What the source imports for more than its types, tests apart. */
async function importedPackages() {
  const files = await readdir(path.join(root, 'src'), { recursive: true });
  const names = new Set();
  const isProduct = (name) => /(?<!\.test)\.tsx?$/.test(name);
  for (const file of files.filter(isProduct)) {
    const text = await readFile(path.join(root, 'src', file), 'utf8');
    const imports = /(?:^import (?!type\b)[^;]*?from |^import |\bimport\()'([^'.][^']*)'/gm;
    for (const [, source] of text.matchAll(imports)) {
      const [name] = /^(?:@[^/]+\/)?[^/]+/.exec(source);
      if (!isBuiltin(source)) names.add(name);
    }
  }
  return [...names];
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

/** Uses what a program would: a suite is loaded, checked and planned; an extension is defined. */
const consumer = `
import { checkSuite, type EvalData, loadSuite, makePlan, Problems, type Reporter } from 'mcp-proctor';
import { defineExtension } from 'mcp-proctor/extension';

const problems = new Problems();
const suite = loadSuite('quickstart/eval.yaml', { environment: {} }, problems);
if (!suite) throw new Error('no suite');
checkSuite(suite, {}, problems);
const data: EvalData = suite.eval.data;
const taskSets: number = data.config.taskSets.length;
const plan = makePlan(suite, {}, problems);
if (taskSets === 0 || plan.tasks.length === 0) throw new Error('nothing to do');
// @ts-expect-error
export const wrong: EvalData = { kind: 'Evil' };
// @ts-expect-error
export const unknown: string = data.config.taskSets[0]?.glop;
export const reporter: Reporter = {};
export const extension = defineExtension({
  name: 'counter',
  version: '1.0.0',
  setup: () => ({ count: 0 }),
  operations: {
    add: { run: (args: { by: number }, { state }) => { state.count += args.by; } },
  },
});
console.log(plan.tasks.map(({ name }) => name).join());
`;

/** With nothing but the package itself: neither zod nor Node's types. */
async function useTypes(folder, resolution) {
  await writeFile(path.join(folder, 'consumer.ts'), consumer);
  const compilerOptions = {
    target: 'es2023',
    // AbortSignal and console, as @types/node would have them.
    lib: ['es2023', 'dom'],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    outDir: 'compiled',
    // The declarations must stand on their own.
    skipLibCheck: false,
    ...resolution,
  };
  await writeFile(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['consumer.ts'] }),
  );
  run(process.execPath, [compiler, '-p', folder], folder);
  run(process.execPath, ['compiled/consumer.js'], folder);
}

/** Types that are written out for users are those that the source infers from its schemas. */
async function compareTypes() {
  const work = path.join(root, '.cache', `types-${process.pid}`);
  const names = ['AgentData', 'Assertions', 'EvalData', 'FinishedCheck', 'McpConfigData'];
  const more = ['ScriptTaskData', 'StepTaskData'];
  const lines = [...names, ...more].flatMap((name) => [
    `export const to${name} = (each: own.${name}): plain.${name} => each;`,
    `export const from${name} = (each: plain.${name}): own.${name} => each;`,
  ]);
  const imports = [
    "import type * as own from '../../src/index.js';",
    "import type * as plain from '../../dist/types/index.js';",
  ];
  await mkdir(work, { recursive: true });
  try {
    await writeFile(path.join(work, 'same.ts'), [...imports, ...lines].join('\n'));
    const config = { extends: '../../tsconfig.json', include: ['same.ts'], exclude: [] };
    await writeFile(path.join(work, 'tsconfig.json'), JSON.stringify(config));
    run(process.execPath, [compiler, '-p', work], root);
  } finally {
    await rm(work, { recursive: true });
  }
}

const resolutions = [
  { module: 'nodenext', moduleResolution: 'nodenext' },
  { module: 'esnext', moduleResolution: 'bundler' },
];

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
  await step('what is bundled is listed', () => checkBill(folder));
  await step('npx proctor validate', () => useCommandLine(folder));
  await step('init, check, view, report', () => takeFirstSteps(folder));
  await step('import from an ES module', () => useModule(folder));
  for (const resolution of resolutions) {
    const { moduleResolution } = resolution;
    await step(`import from TypeScript (${moduleResolution})`, () => useTypes(folder, resolution));
  }
  await step('the types are those of the source', compareTypes);
} catch (error) {
  console.error(`The package is not fit to be published: ${error.message}`);
  if (error.stdout) console.error(error.stdout);
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
