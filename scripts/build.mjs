/**
 * Builds dist/:
 *
 *   proctor.cjs     the launcher behind `bin`
 *   chunks/*.cjs    all other code with its dependencies, split where the source says `import()`;
 *                   token-worker.cjs is the program of a thread, and never loaded by another chunk,
 *                   with cl100k_base.tiktoken, the tokens that it counts;
 *                   process-guard.cjs and bridge-program.cjs are programs of processes, and need no
 *                   other chunk
 *   index.js        the library: an ES module over the same chunks, so that there is one copy
 *   extension.js    for authors of extensions: an ES module that needs nothing else
 *   report-page.html  the HTML report without its data
 *   types/          type declarations of both
 *   third-party-licenses.txt, bill-of-materials.cdx.json   what of others is in all of this
 *
 * The chunks are CommonJS because V8's code cache works for scripts only on Node 20.
 *
 * `--no-types` leaves out the type declarations, for a quick build while working.
 */
import { createHash } from 'node:crypto';
import { chmod, copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { asciiOnly } from './ascii-only.mjs';
import { buildReportPage } from './build-report-page.mjs';
import { billOfMaterials, refuseSharedPackages, thirdPartyLicenses } from './bundled-packages.mjs';
import { emitDeclarations, writePlainDeclarations } from './plain-declarations.mjs';

const root = path.resolve(import.meta.dirname, '..');

/** dist/ is swapped at the end, so that a running program or test never meets half a build. */
const staging = path.join(root, '.cache', `build-${process.pid}`);

const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));

const isNodeModule = (id) => id.startsWith('node:') || builtinModules.includes(id);

async function buildChunks() {
  const chunks = await bundle({
    input: {
      main: 'src/cli/main.ts',
      // The launcher loads it to report a bug.
      'redacted-text': 'src/cli/redacted-text.ts',
      index: 'src/index.ts',
      // TokenCounter, in whatever chunk it is, looks for this name in its own folder.
      'token-worker': 'src/tokens/token-worker.ts',
    },
    define: { PROCTOR_VERSION: JSON.stringify(version) },
    folder: path.join(staging, 'chunks'),
  });
  await copyFile(
    fileURLToPath(import.meta.resolve('gpt-tokenizer/data/cl100k_base.tiktoken')),
    path.join(staging, 'chunks', 'cl100k_base.tiktoken'),
  );
  const library = chunks.find(({ name, isEntry }) => isEntry && name === 'index');
  await writeFile(path.join(staging, 'index.js'), libraryModule(library));
  return chunks;
}

/** Outputs are the modules of what is bundled on its own. */
async function writeWhatIsBundled(outputs) {
  refuseSharedPackages(outputs);
  const moduleIds = Object.values(outputs).flat();
  const [licenses, bill] = await Promise.all([
    thirdPartyLicenses(moduleIds),
    billOfMaterials(moduleIds),
  ]);
  await writeFile(path.join(staging, 'third-party-licenses.txt'), licenses);
  await writeFile(
    path.join(staging, 'bill-of-materials.cdx.json'),
    `${JSON.stringify(bill, null, 2)}\n`,
  );
}

function libraryModule({ fileName, exports }) {
  const names = [...exports].sort();
  return [
    `import library from './chunks/${fileName}';`,
    '',
    ...names.map((name) => `export const ${name} = library.${name};`),
    '',
  ].join('\n');
}

async function buildLauncher(chunks) {
  const [launcher] = await bundle({
    input: { proctor: 'src/launcher/launcher.ts' },
    define: {
      PROCTOR_VERSION: JSON.stringify(version),
      PROCTOR_BUILD: JSON.stringify(hashOf(chunks)),
    },
    folder: staging,
    banner: '#!/usr/bin/env node',
  });
  const surplus = launcher.moduleIds.filter(
    (id) => !/\/src\/(launcher\/|base\/errors|proctor-version)/.test(id),
  );
  if (surplus.length > 0) throw new Error(`the launcher must not contain ${surplus.join(', ')}`);
  await chmod(path.join(staging, 'proctor.cjs'), 0o755);
}

/** It has to be there at once, and also when an update has replaced the other files meanwhile. */
async function buildGuard() {
  const [guard, ...others] = await bundle({
    // startGuard, in whatever chunk it is, looks for this name in its own folder.
    input: { 'process-guard': 'src/base/processes/guard/process-guard.ts' },
    define: {},
    folder: path.join(staging, 'chunks'),
  });
  const surplus = guard.moduleIds.filter((id) => !/\/src\/base\/(processes\/|timeouts)/.test(id));
  if (surplus.length > 0 || others.length > 0)
    throw new Error(`the guard must be one file, without ${surplus.join(', ')}`);
  return guard.moduleIds;
}

/** Agents are given a copy of it, and nothing in what they see may say what they are part of. */
async function buildBridge() {
  const [bridge, ...others] = await bundle({
    // prepareBridge, in whatever chunk it is, looks for this name in its own folder.
    input: { 'bridge-program': 'src/proxy/bridge/bridge-program.ts' },
    define: {},
    folder: path.join(staging, 'chunks'),
  });
  if (others.length > 0) throw new Error('the bridge must be one file');
  const [told] = /.*proctor.*/i.exec(bridge.code) ?? [];
  if (told !== undefined) throw new Error(`the bridge must not say: ${told}`);
  return bridge.moduleIds;
}

/** The launcher has to know the chunks that it loads. */
async function buildProgram() {
  const chunks = await buildChunks();
  await buildLauncher(chunks);
  return chunks.flatMap(({ moduleIds }) => moduleIds);
}

async function buildExtensionKit() {
  const [kit, ...others] = await bundle({
    input: { extension: 'src/extension.ts' },
    define: {},
    folder: staging,
    format: 'es',
  });
  // It is loaded into the programs of others, where it should not be noticed.
  const isSmall = others.length === 0 && kit.code.length < 32 * 1024;
  if (!isSmall) throw new Error('extension.js must stay one small file');
  return kit.moduleIds;
}

function hashOf(chunks) {
  const hash = createHash('sha256');
  for (const { fileName, code } of chunks) hash.update(`${fileName}\0${code}\0`);
  return hash.digest('hex').slice(0, 16);
}

/** What packages import and we do not need: the module, who imports it, and what stands in for it. */
const unwanted = [
  {
    // Commander can run commands that are programs of their own, and loads child_process (and with it
    // the network modules) for that. Ours are none, and starting takes a tenth less without.
    source: 'node:child_process',
    importer: /\/commander\//,
    code: 'export default {};',
  },
  {
    // The AI SDK takes schemas of zod 3 as well, by the names of their kinds; nobody here has one,
    // and a second zod would be 100 kB more.
    source: 'zod/v3',
    importer: /\/@ai-sdk\/provider-utils\//,
    code: 'export const ZodFirstPartyTypeKind = {};',
  },
];

function findUnwanted(source, importer = '') {
  return unwanted.findIndex((each) => each.source === source && each.importer.test(importer));
}

const withoutUnwanted = {
  name: 'without-unwanted',
  resolveId(source, importer) {
    const index = findUnwanted(source, importer);
    return index === -1 ? undefined : `\0unwanted-${index}`;
  },
  load(id) {
    return id.startsWith('\0unwanted-') ? unwanted[id.slice('\0unwanted-'.length)].code : undefined;
  },
};

async function bundle({ input, define, folder, banner, format = 'cjs' }) {
  const bundler = await rolldown({
    cwd: root,
    input,
    platform: 'node',
    plugins: [withoutUnwanted],
    external: (id, importer) => isNodeModule(id) && findUnwanted(id, importer) === -1,
    transform: { define, target: 'node20' },
    // A dependency that cannot be bundled would be missing at the user's.
    onLog(level, log) {
      if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
      if (level !== 'debug') console.error(`${level}: ${log.message}`);
    },
  });
  const { output } = await bundler.generate({
    format,
    banner,
    entryFileNames: format === 'es' ? '[name].js' : '[name].cjs',
    chunkFileNames: '[name].cjs',
    // Code that comes out of V8's cache has lost what `import()` needs; `require` still works.
    dynamicImportInCjs: false,
    comments: { annotation: false, jsdoc: false },
  });
  await bundler.close();
  const chunks = output
    .map((chunk) => ({ ...chunk, code: asciiOnly(chunk.code) }))
    .sort((left, right) => (left.fileName < right.fileName ? -1 : 1));
  await mkdir(folder, { recursive: true });
  await Promise.all(
    chunks.map(({ fileName, code }) => writeFile(path.join(folder, fileName), code)),
  );
  return chunks;
}

async function buildTypes() {
  const folder = path.join(staging, 'types');
  await emitDeclarations(['-p', 'tsconfig.types.json', '--outDir', folder]);
  await writePlainDeclarations(folder, ['index.d.ts', 'extension.d.ts']);
}

await mkdir(staging, { recursive: true });
const parts = [
  buildProgram(),
  buildGuard(),
  buildBridge(),
  buildReportPage(staging),
  buildExtensionKit(),
  process.argv.includes('--no-types') ? undefined : buildTypes(),
];
try {
  const [program, guard, bridge, page, kit] = await Promise.all(parts);
  await writeWhatIsBundled({ program, guard, bridge, page, kit });
  const dist = path.join(root, 'dist');
  // Moved away first: removing it takes a while, in which there would be none.
  const old = `${staging}-old`;
  await rename(dist, old).catch(() => {});
  await rename(staging, dist);
  await rm(old, { recursive: true, force: true });
} catch (error) {
  console.error(`The build failed: ${error.message}`);
  process.exitCode = 1;
  // The others still write.
  await Promise.allSettled(parts);
  await rm(staging, { recursive: true, force: true });
}
