import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { ReleaseSuite, sha256, toolPackage } from '../../../testing/releases.js';
import { describePlatform } from './release-assets.js';

const program = Buffer.from('#!/bin/sh\necho the program\n');
const changedProgram = Buffer.from('#!/bin/sh\necho another program\n');
const files = { 'tool-linux-amd64': program, 'tool-darwin-arm64': program };
const release = { repository: 'org/tool', tag: 'v1.0.0', files };

async function suiteWithRelease(): Promise<ReleaseSuite> {
  const suite = await ReleaseSuite.make();
  suite.host.publish(release);
  return suite;
}

function lockText(extensions: object): string {
  return `${JSON.stringify({ schema: 'mcp-proctor/lock/v1', extensions }, null, 2)}\n`;
}

const pinned = { name: 'tool-linux-amd64', sha256: sha256(program) };

describe('the lock file', () => {
  it('pins the version and the file of this platform', async () => {
    const suite = await suiteWithRelease();
    await suite.locate();
    expect(await readFile(suite.lockPath, 'utf8')).toBe(
      lockText({ [toolPackage]: { version: 'v1.0.0', files: { 'linux-x64': pinned } } }),
    );
    expect(await readdir(suite.folder)).toEqual(['proctor.lock.json']);
  });

  it('keeps other entries, and has its keys in order', async () => {
    const suite = await suiteWithRelease();
    const other = { version: 'v9', files: { 'win32-x64': { name: 'x', sha256: 'a'.repeat(64) } } };
    const first = 'https://github.com/a/first@v9';
    const last = 'https://github.com/z/last@v9';
    await writeFile(suite.lockPath, lockText({ [last]: other, [first]: other }));
    await suite.locate();
    await suite.locate(toolPackage, { platform: describePlatform('darwin', 'arm64') });
    const macFile = { ...pinned, name: 'tool-darwin-arm64' };
    const entry = { version: 'v1.0.0', files: { 'darwin-arm64': macFile, 'linux-x64': pinned } };
    expect(await readFile(suite.lockPath, 'utf8')).toBe(
      lockText({ [first]: other, [toolPackage]: entry, [last]: other }),
    );
  });

  it('is left as it is if it has the entry', async () => {
    const suite = await suiteWithRelease();
    const text = JSON.stringify({
      extensions: { [toolPackage]: { files: { 'linux-x64': pinned }, version: 'v1.0.0' } },
      schema: 'mcp-proctor/lock/v1',
    });
    await writeFile(suite.lockPath, text);
    await suite.locate();
    expect(await readFile(suite.lockPath, 'utf8')).toBe(text);
  });

  it('gets the entries of extensions that are fetched at the same time', async () => {
    const suite = await suiteWithRelease();
    const names = ['one', 'two', 'three', 'four'];
    for (const name of names) {
      const content = Buffer.from(`#!/bin/sh\necho ${name}\n`);
      suite.host.publish({
        repository: `org/${name}`,
        tag: 'v1',
        files: { [`${name}-linux-amd64`]: content },
      });
    }
    const packages = names.map((name) => `https://github.com/org/${name}@v1`);
    await Promise.all(packages.map((each) => suite.locate(each)));
    const { extensions } = (await suite.lock()) as { extensions: object };
    expect(Object.keys(extensions)).toEqual(packages.toSorted());
  });

  it('refuses a release whose file changed since it was pinned', async () => {
    const suite = await suiteWithRelease();
    await suite.locate();
    await rm(suite.cache, { recursive: true });
    const changed = { 'tool-linux-amd64': changedProgram };
    suite.host.publish({ ...release, files: changed });
    const before = await readFile(suite.lockPath, 'utf8');
    await expect(suite.locate()).rejects.toMatchObject({
      name: 'ExtensionError',
      message:
        'the file tool-linux-amd64 of the release org/tool@v1.0.0 changed since it was pinned',
      details: `pinned ${sha256(program)}\nfound  ${sha256(changedProgram)}`,
      hint: `if that is intended, delete the entry "${toolPackage}" in ${suite.lockPath}`,
    });
    expect(await readFile(suite.lockPath, 'utf8')).toBe(before);
    expect(suite.host.received.at(-1)?.host).toBe('api');
  });

  it('refuses a release that has lost the file', async () => {
    const suite = await suiteWithRelease();
    await suite.locate();
    await rm(suite.cache, { recursive: true });
    suite.host.publish({ ...release, files: { tool_linux_amd64: program } });
    await expect(suite.locate()).rejects.toMatchObject({
      message: expect.stringContaining('changed since it was pinned'),
      details: expect.stringContaining('no such file'),
    });
  });

  it('decides for its own file, whatever else fits by now', async () => {
    const suite = await suiteWithRelease();
    await suite.locate();
    await rm(suite.cache, { recursive: true });
    const more = { ...files, 'tool-linux-amd64-debug': changedProgram };
    suite.host.publish({ ...release, files: more });
    expect(await readFile(await suite.locate())).toEqual(program);
  });

  it('decides over what the cache knows of the package', async () => {
    const suite = await suiteWithRelease();
    await suite.locate();
    const files = { 'linux-x64': { ...pinned, sha256: 'a'.repeat(64) } };
    await writeFile(suite.lockPath, lockText({ [toolPackage]: { version: 'v1.0.0', files } }));
    await expect(suite.locate()).rejects.toThrow('changed since it was pinned');
  });

  it('is not needed: what cannot be pinned is used, with a notice', async () => {
    const suite = await suiteWithRelease();
    await rm(suite.folder, { recursive: true });
    expect(await readFile(await suite.locate())).toEqual(program);
    expect(suite.notices.at(-1)).toBe(
      `${toolPackage} is not pinned: ${suite.lockPath} cannot be written (ENOENT)`,
    );
  });

  it.each([
    ['is no JSON', '{"schema"'],
    ['is empty', ''],
    ['has another schema', '{"schema":"mcp-proctor/lock/v2","extensions":{}}'],
    ['is no object', '[]'],
    ['has a hash that is none', lockText({ [toolPackage]: lockEntry('../../evil') })],
    ['has a hash in capitals', lockText({ [toolPackage]: lockEntry('A'.repeat(64)) })],
    ['has unknown members', lockText({ x: { version: '1', files: {}, more: 1 } })],
    ['is nested too deep', `${'['.repeat(30_000)}${']'.repeat(30_000)}`],
    ['is too large', ' '.repeat(1024 * 1024 + 1)],
  ])('is named in an error if it %s', async (_, text) => {
    const suite = await suiteWithRelease();
    await writeFile(suite.lockPath, text);
    await expect(suite.locate()).rejects.toMatchObject({
      name: 'ExtensionError',
      message: expect.stringContaining(`the lock file ${suite.lockPath} cannot be used: `),
      hint: expect.stringContaining('delete it'),
    });
    expect(suite.host.received).toEqual([]);
    expect(await readFile(suite.lockPath, 'utf8')).toBe(text);
  });
});

function lockEntry(hash: string) {
  return { version: 'v1', files: { 'linux-x64': { name: 'tool', sha256: hash } } };
}
