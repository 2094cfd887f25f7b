/**
 * node scripts/run-ts.mjs FILE.ts [arguments]
 *
 * Runs a TypeScript program of this repository. Its own files are bundled into .cache/, packages
 * are left to be found in node_modules as usual.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const root = path.resolve(import.meta.dirname, '..');
const [program, ...programArguments] = process.argv.slice(2);
if (program === undefined) {
  console.error('usage: node scripts/run-ts.mjs FILE.ts [arguments]');
  process.exit(2);
}

const source = path.resolve(program);
const bundler = await rolldown({
  input: source,
  platform: 'node',
  external: (id) => !id.startsWith('.') && !path.isAbsolute(id),
  plugins: [{ name: 'keep-import-meta', transform: keepImportMeta }],
});
const folder = path.join(
  root,
  '.cache',
  'run-ts',
  path.relative(root, source).replace(/\W+/g, '-'),
);
const { output } = await bundler.write({
  dir: folder,
  format: 'esm',
  entryFileNames: '[name].mjs',
  chunkFileNames: '[name]-[hash].mjs',
  sourcemap: true,
});
await bundler.close();

process.setSourceMapsEnabled(true);
process.argv = [process.argv[0], source, ...programArguments];
await import(pathToFileURL(path.join(folder, output[0].fileName)).href);

/** A program that asks where it is means its source, not the bundle. */
function keepImportMeta(code, id) {
  if (!code.includes('import.meta.')) return null;
  const replaced = code
    .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
    .replaceAll('import.meta.filename', JSON.stringify(id))
    .replaceAll('import.meta.dirname', JSON.stringify(path.dirname(id)));
  // The same lines as before: the source map may stay as it is.
  return { code: replaced, map: null };
}
