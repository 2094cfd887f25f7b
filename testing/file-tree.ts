import {
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onLoneTestFinished } from './test-end.js';

/** What is at a path: text, a link, an empty folder, or a program. */
export type TreeEntry = string | Buffer | { link: string } | { folder: true } | { program: string };
export type Tree = Record<string, TreeEntry>;

/** A folder that is gone after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'proctor-bundle-'));
  onLoneTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export async function writeTree(folder: string, tree: Tree): Promise<void> {
  for (const [name, entry] of Object.entries(tree)) {
    const place = path.join(folder, name);
    await mkdir(path.dirname(place), { recursive: true });
    if (typeof entry === 'string' || Buffer.isBuffer(entry)) await writeFile(place, entry);
    else if ('link' in entry) await symlink(entry.link, place);
    else if ('program' in entry) await writeFile(place, entry.program, { mode: 0o755 });
    else await mkdir(place);
  }
}

/** What `writeTree` would have been given, as far as text can tell it. */
export async function readTree(folder: string, below = ''): Promise<Tree> {
  const tree: Tree = {};
  for (const name of (await readdir(path.join(folder, below))).sort()) {
    const place = below === '' ? name : `${below}/${name}`;
    const file = path.join(folder, place);
    const stats = await lstat(file);
    if (stats.isSymbolicLink()) tree[place] = { link: await readlink(file) };
    else if (stats.isDirectory()) {
      const inner = await readTree(folder, place);
      Object.assign(tree, Object.keys(inner).length > 0 ? inner : { [place]: { folder: true } });
    } else {
      const text = await readFile(file, 'utf8');
      tree[place] = (stats.mode & 0o111) !== 0 ? { program: text } : text;
    }
  }
  return tree;
}
