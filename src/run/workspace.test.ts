import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { isWorkspace, removeWorkspace, Workspace } from './workspace.js';

const { path } = Workspace.planned();
const name = basename(path);
const otherEnd = name.endsWith('0') ? '1' : '0';

it('a workspace is recognised by its path', () => {
  expect(isWorkspace(path)).toBe(true);
});

it.each([
  ['a name of the same shape', join(tmpdir(), name.slice(0, -1) + otherEnd)],
  ['a name with more in it', `${path}0`],
  ['what lies in a workspace', join(path, name)],
  ['the same name elsewhere', join('/srv', name)],
  ['a way around', `${tmpdir()}/x/../${name}`],
  ['a name of somebody else', join(tmpdir(), 'proctor-x')],
  ['the folder for temporary files', tmpdir()],
  ['nothing', ''],
])('%s is not taken for a workspace', (_, other) => {
  expect(isWorkspace(other)).toBe(false);
});

it.each([
  ['one', 'a'],
  ['one of an earlier version', ''],
])('of %s, only what is to be kept stays', async (_, part) => {
  const workspace = await Workspace.create();
  onTestFinished(() => removeWorkspace(workspace.path, []));
  const roots = ['0123', '4567'].map((root) => join(workspace.path, part, root));
  for (const root of roots) await mkdir(join(root, 'work'), { recursive: true });
  await writeFile(workspace.processLedger, '');

  await removeWorkspace(workspace.path, [join(roots[0] ?? '', 'work')]);

  expect(await readdir(workspace.path)).toEqual([part || '0123']);
  expect(roots.map((root) => existsSync(join(root, 'work')))).toEqual([true, false]);
  await removeWorkspace(workspace.path, []);
  expect(existsSync(workspace.path)).toBe(false);
});

const megabyte = 1024 * 1024;

it.each([
  ['nothing', 0, 0],
  ['a file', 1, 10],
  ['many files', 100, 10],
  ['a large file', 1, 2 * megabyte],
])('of a task run with %s in each of its folders nothing stays', async (_, count, size) => {
  const workspace = await Workspace.create();
  onTestFinished(() => removeWorkspace(workspace.path, []));
  const folders = await workspace.makeFolders();
  const { root, workdir, privateFolder, harnessFolder } = folders;
  const deep = join(workdir, 'deep', 'er');
  await mkdir(deep, { recursive: true });
  for (const folder of [deep, privateFolder, harnessFolder]) {
    for (let file = 0; file < count; file++)
      await writeFile(join(folder, `${file}`), Buffer.alloc(size));
  }
  await workspace.removeFolders(folders);
  expect([root, harnessFolder].filter((folder) => existsSync(folder))).toEqual([]);
});

it.each([
  ['in the working directory', 'work/link'],
  ['in place of the working directory', 'work'],
  ['in place of all of its folders', ''],
])('a link that an agent puts %s goes, and what it leads to stays', async (_, place) => {
  const workspace = await Workspace.create();
  onTestFinished(() => removeWorkspace(workspace.path, []));
  const [folders, other] = [await workspace.makeFolders(), await workspace.makeFolders()];
  await writeFile(join(other.workdir, 'file'), '');
  const link = resolve(folders.root, place);
  await rm(link, { recursive: true, force: true });
  await symlink(other.workdir, link);
  await workspace.removeFolders(folders);
  expect(existsSync(folders.root)).toBe(false);
  expect(await readdir(other.workdir)).toEqual(['file']);
});
