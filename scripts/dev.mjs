/**
 * For work on the source: builds dist/ anew after every change (without type declarations, which take
 * most of the time of a build), so that end-to-end tests find the code of now, and runs the unit tests
 * that a change concerns. Arguments go to Vitest: `npm run dev -- src/proxy`.
 */
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
/** Editors save in several steps. */
const quietMilliseconds = 200;

function start(program, ...commandLine) {
  return spawn(process.execPath, [path.join(root, program), ...commandLine], {
    cwd: root,
    stdio: ['inherit', 'inherit', 'inherit'],
  });
}

let isBuilding = false;
let isStale = false;

function build() {
  if (isBuilding) {
    isStale = true;
    return;
  }
  isBuilding = true;
  isStale = false;
  start('scripts/build.mjs', '--no-types').on('close', (exitCode) => {
    isBuilding = false;
    console.log(exitCode === 0 ? 'dist/ is up to date' : 'dist/ is as it was: the build failed');
    if (isStale) build();
  });
}

let timer;
watch(path.join(root, 'src'), { recursive: true }, (_, file) => {
  if (file?.endsWith('.test.ts')) return;
  clearTimeout(timer);
  timer = setTimeout(build, quietMilliseconds);
});

build();
start('node_modules/vitest/vitest.mjs', '--project', 'unit', ...process.argv.slice(2)).on(
  'close',
  (exitCode) => process.exit(exitCode ?? 1),
);
