import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const root = path.resolve(import.meta.dirname, '../..');
const packageFolder = path.join(root, 'node_modules/@sparticuz/chromium');

/** A Chromium, and what it needs from its environment. */
export interface BrowserProgram {
  executable: string;
  /** Libraries that a bare machine does not have. */
  libraries: string;
  /** Folder of a fonts.conf. */
  fonts: string;
}

/**
 * The Chromium of the npm package, unpacked once for each of its versions. Several processes may ask
 * at once: each unpacks into a folder of its own, and the first to be ready wins.
 */
export async function browserProgram(): Promise<BrowserProgram> {
  const { version } = JSON.parse(
    await readFile(path.join(packageFolder, 'package.json'), 'utf8'),
  ) as { version: string };
  const folder = path.join(root, '.cache', `chromium-${version}`);
  if (!(await isThere(folder))) await unpackTo(folder);
  return {
    executable: path.join(folder, 'chromium'),
    libraries: path.join(folder, 'al2023/lib'),
    fonts: folder,
  };
}

async function unpackTo(folder: string): Promise<void> {
  await mkdir(path.dirname(folder), { recursive: true });
  const draft = await mkdtemp(`${folder}-`);
  try {
    await unpack(draft);
    await writeFile(path.join(draft, 'fonts.conf'), fontsConfiguration(folder));
    await rename(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!(await isThere(folder))) throw error;
  }
}

/**
 * In a process of its own: the package unpacks to the folder for temporary files. Its newest version that
 * runs on Node 20 exports no `inflate`, so it comes from the file.
 */
async function unpack(folder: string): Promise<void> {
  const script = `
    import chromium from '@sparticuz/chromium';
    import { inflate } from './node_modules/@sparticuz/chromium/build/esm/lambdafs.js';
    await chromium.executablePath();
    await inflate(${JSON.stringify(path.join(packageFolder, 'bin/al2023.tar.br'))});`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: root,
    env: { TMPDIR: folder },
  });
}

/** Fonts of the package alone, so that pages look the same everywhere. */
function fontsConfiguration(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts/fonts</dir>
  <cachedir>${folder}/fonts-cache</cachedir>
</fontconfig>
`;
}

async function isThere(folder: string): Promise<boolean> {
  return stat(folder).then(
    () => true,
    () => false,
  );
}
