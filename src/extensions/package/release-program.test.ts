import { chmod, mkdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { tarGz, zip } from '../../testing/release-archives.js';
import {
  checksumsOf,
  ReleaseSuite,
  StandInReleaseHost,
  sha256,
  toolPackage,
} from '../../testing/releases.js';
import { platformOf } from './platform.js';

const program = Buffer.from('#!/bin/sh\necho the program\n');
const archive = zip([{ name: 'tool-linux-amd64', content: program }]);
const release = {
  repository: 'org/tool',
  tag: 'v1.0.0',
  files: { 'tool-linux-amd64.zip': archive },
};

async function suiteWithRelease(): Promise<ReleaseSuite> {
  const suite = await ReleaseSuite.make();
  suite.host.publish(release);
  return suite;
}

describe('a package that is a release', () => {
  it.each([
    ['tool-linux-amd64.zip', archive],
    ['tool-linux-amd64.tar.gz', tarGz([{ name: 'tool', content: program }])],
    ['tool-linux-amd64', program],
  ])('is fetched from %s', async (name, content) => {
    const suite = await ReleaseSuite.make();
    suite.host.publish({ ...release, files: { [name]: content } });
    const file = await suite.locate();
    expect(file).toBe(path.join(suite.cache, 'proctor', 'extensions', sha256(content), 'tool'));
    expect(await readFile(file)).toEqual(program);
    expect((await stat(file)).mode & 0o777).toBe(0o755);
    expect((await stat(path.dirname(file))).mode & 0o777).toBe(0o700);
    expect(JSON.parse(await readFile(`${file}.json`, 'utf8'))).toEqual({ sha256: sha256(program) });
    expect(suite.notices).toEqual([
      `fetching ${name} (${content.length} bytes) of org/tool@v1.0.0`,
      `pinned ${toolPackage} in proctor.lock.json`,
    ]);
  });

  it('is asked for at the API, and comes from wherever that leads', async () => {
    const suite = await suiteWithRelease();
    await suite.locate();
    const place = encodeURIComponent('org/tool/v1.0.0/tool-linux-amd64.zip');
    expect(suite.host.paths).toEqual([
      'api /api/v3/repos/org/tool/releases/tags/v1.0.0',
      `website /${place}`,
      `storage /${place}`,
    ]);
  });

  it.each([
    ['1.0.0', 'v1.0.0'],
    ['v1.0.0', '1.0.0'],
  ])('may be written with the version %s for the tag %s', async (version, tag) => {
    const suite = await ReleaseSuite.make();
    suite.host.publish({ ...release, tag });
    const written = `https://github.com/org/tool@${version}`;
    await suite.locate(written);
    expect(await suite.lock()).toMatchObject({ extensions: { [written]: { version: tag } } });
  });

  it('is named with .exe on Windows', async () => {
    const suite = await ReleaseSuite.make();
    suite.host.publish({ ...release, files: { 'tool-windows-amd64.exe': program } });
    const file = await suite.locate(toolPackage, { platform: platformOf('win32', 'x64') });
    expect(path.basename(file)).toBe('tool.exe');
  });

  it('sends the token to the API, and to no other origin', async () => {
    for (const name of ['GITHUB_TOKEN', 'GH_TOKEN']) {
      const suite = await suiteWithRelease();
      const environment = { ...suite.environment, [name]: 'secret-token' };
      await suite.locate(toolPackage, { environment });
      const told = suite.host.received.filter(({ headers }) => headers.authorization !== undefined);
      expect(told.length).toBeGreaterThan(0);
      expect(new Set(told.map(({ host }) => host))).toEqual(new Set(['api']));
      expect(told[0]?.headers.authorization).toBe('Bearer secret-token');
      expect(suite.host.received.at(-1)).toMatchObject({ host: 'storage' });
      expect(suite.notices.join()).not.toContain('secret-token');
    }
  });

  it('is fetched through the API with a token, as files of private repositories are', async () => {
    const suite = await suiteWithRelease();
    await suite.locate(toolPackage, {
      environment: { ...suite.environment, GITHUB_TOKEN: 'secret-token' },
    });
    expect(suite.host.received.map(({ host }) => host)).toEqual(['api', 'api', 'storage']);
  });

  it.each([
    ['tool_1.0.0_checksums.txt', checksumsOf(release.files)],
    ['SHA256SUMS', checksumsOf(release.files)],
    ['tool-linux-amd64.zip.sha256', Buffer.from(sha256(archive))],
  ])('is checked against %s if the API has no digest', async (name, list) => {
    const suite = await ReleaseSuite.make();
    const files = { 'tool-linux-amd64.zip': { content: archive, digest: null }, [name]: list };
    suite.host.publish({ ...release, files });
    expect(await readFile(await suite.locate())).toEqual(program);
  });
});

describe('the cache', () => {
  it('makes a second use need no network', async () => {
    const suite = await suiteWithRelease();
    const first = await suite.locate();
    await suite.host.close();
    expect(await suite.locate()).toBe(first);
  });

  it('serves other evals too, without a network, and pins them', async () => {
    const suite = await suiteWithRelease();
    const first = await suite.locate();
    const lock = await suite.lock();
    await suite.host.close();
    await rm(suite.lockPath);
    expect(await suite.locate()).toBe(first);
    expect(await suite.lock()).toEqual(lock);
  });

  it('keeps apart what comes from different hosts under the same name', async () => {
    const suite = await suiteWithRelease();
    await suite.locate();
    await rm(suite.lockPath);
    const mirror = await StandInReleaseHost.listen();
    const other = Buffer.from('#!/bin/sh\necho another program\n');
    mirror.publish({ ...release, files: { 'tool-linux-amd64': other } });
    const environment = { ...suite.environment, PROCTOR_GITHUB_API_URL: mirror.apiUrl };
    expect(await readFile(await suite.locate(toolPackage, { environment }))).toEqual(other);
  });

  it('fetches a program again that was changed on the disk, and says so', async () => {
    const suite = await suiteWithRelease();
    const file = await suite.locate();
    await writeFile(file, '#!/bin/sh\necho something else\n');
    suite.notices.length = 0;
    expect(await suite.locate()).toBe(file);
    expect(await readFile(file)).toEqual(program);
    expect(suite.notices[0]).toBe(`${file} was changed since it was fetched: it is fetched again`);
  });

  it('does not run a program that was changed if it cannot be fetched', async () => {
    const suite = await suiteWithRelease();
    await writeFile(await suite.locate(), 'something else');
    await suite.host.close();
    await expect(suite.locate()).rejects.toThrow(`${toolPackage} cannot be fetched: `);
  });

  it('fetches a program again whose hash is gone', async () => {
    const suite = await suiteWithRelease();
    const file = await suite.locate();
    await writeFile(`${file}.json`, '{"sha');
    expect(await suite.locate()).toBe(file);
    expect(JSON.parse(await readFile(`${file}.json`, 'utf8'))).toEqual({ sha256: sha256(program) });
  });

  it('is not hurt by two at once', async () => {
    const suite = await suiteWithRelease();
    const files = await Promise.all([suite.locate(), suite.locate(), suite.locate()]);
    expect(new Set(files).size).toBe(1);
    expect(await readFile(files[0])).toEqual(program);
    const folder = path.join('proctor', 'extensions');
    expect(await suite.cachedFiles()).toEqual([
      path.join(folder, sha256(archive), 'tool'),
      path.join(folder, sha256(archive), 'tool.json'),
      expect.stringMatching(/extensions\/packages\/[0-9a-f]{64}\.json$/),
    ]);
  });

  it('clears away what was left by a download that was killed long ago', async () => {
    const suite = await suiteWithRelease();
    const unfinished = path.join(suite.cache, 'proctor', 'extensions', 'unfinished');
    await mkdir(path.join(unfinished, 'old'), { recursive: true, mode: 0o700 });
    await mkdir(path.join(unfinished, 'new'), { mode: 0o700 });
    await utimes(path.join(unfinished, 'old'), 0, 0);
    await suite.locate();
    await expect(stat(path.join(unfinished, 'old'))).rejects.toThrow('ENOENT');
    expect((await stat(path.join(unfinished, 'new'))).isDirectory()).toBe(true);
  });

  it('is refused if other users can write to it', async () => {
    const suite = await suiteWithRelease();
    await suite.locate();
    await chmod(path.join(suite.cache, 'proctor'), 0o777);
    await expect(suite.locate()).rejects.toMatchObject({
      name: 'ExtensionError',
      message: expect.stringContaining('other users can write to'),
      hint: expect.stringContaining('PROCTOR_CACHE_DIR'),
    });
  });

  it('is told about if it cannot be made', async () => {
    const suite = await suiteWithRelease();
    await writeFile(suite.cache, 'a file');
    await expect(suite.locate()).rejects.toMatchObject({
      name: 'ExtensionError',
      message: expect.stringContaining('cannot be made (ENOTDIR)'),
    });
  });
});
