import {
  chmod,
  mkdir,
  mkdtemp,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tarGz, zip } from '../../../testing/release-archives.js';
import {
  checksumsOf,
  ReleaseSuite,
  StandInReleaseHost,
  sha256,
  toolPackage,
} from '../../../testing/releases.js';
import { locateProgram } from './locate-program.js';
import { describePlatform } from './release-assets.js';

let folder: string;
let program: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'proctor-local-program-'));
  program = path.join(folder, 'program');
  await writeFile(program, '#!/bin/sh\n', { mode: 0o755 });
});

afterEach(() => rm(folder, { recursive: true }));

function locate(written: string, environment: NodeJS.ProcessEnv = {}) {
  const definition = { name: 'tool', package: written, config: {}, env: {}, folder };
  return locateProgram(definition, { environment, signal: new AbortController().signal });
}

it('a package that names no program is refused', async () => {
  await expect(locate('npm:program')).rejects.toMatchObject({
    name: 'ExtensionError',
    message: 'the package npm:program is neither a path nor a GitHub release',
    hint: expect.stringContaining('write a path to a program'),
  });
});

describe('a package that is a path', () => {
  it('starts at the folder of the eval', async () => {
    expect(await locate('./program')).toBe(program);
    expect(await locate('program')).toBe(program);
  });

  it('may be absolute', async () => {
    expect(await locate(program)).toBe(program);
  });

  it('may start at the home folder', async () => {
    expect(await locate('~/program', { HOME: folder })).toBe(program);
  });

  it('may be a symbolic link to a program', async () => {
    await symlink(program, path.join(folder, 'link'));
    expect(await locate('./link')).toBe(path.join(folder, 'link'));
  });

  it('must exist', async () => {
    await expect(locate('./other')).rejects.toMatchObject({
      name: 'ExtensionError',
      message: `the program ${path.join(folder, 'other')} does not exist`,
      hint: 'relative paths start at the folder of the eval',
    });
    await expect(locate('./program/other')).rejects.toThrow('does not exist');
    await expect(locate('./nul\0')).rejects.toThrow('does not exist');
  });

  it('gets a hint how a release is written if it looks like one', async () => {
    await expect(locate('github.com/org/repo@v1')).rejects.toMatchObject({
      hint: 'for a release, write https://github.com/org/repo@v1',
    });
  });

  it('must not be a folder', async () => {
    await mkdir(path.join(folder, 'tools'));
    await expect(locate('./tools')).rejects.toMatchObject({
      message: `${path.join(folder, 'tools')} is a folder, not a program`,
      hint: 'name the file in it that is to be started',
    });
    await expect(locate('~', { HOME: folder })).rejects.toThrow('is a folder');
  });

  it('must be a regular file', async () => {
    await expect(locate('/dev/null')).rejects.toThrow('/dev/null is not a regular file');
  });

  it('must be executable', async () => {
    await chmod(program, 0o644);
    await expect(locate('./program')).rejects.toMatchObject({
      message: `the program ${program} is not executable`,
      hint: `make it so: chmod +x ${program}`,
    });
  });
});

const releasedProgram = Buffer.from('#!/bin/sh\necho the program\n');
const archive = zip([{ name: 'tool-linux-amd64', content: releasedProgram }]);
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
    ['tool-linux-amd64.tar.gz', tarGz([{ name: 'tool', content: releasedProgram }])],
    ['tool-linux-amd64', releasedProgram],
  ])('is fetched from %s', async (name, content) => {
    const suite = await ReleaseSuite.make();
    suite.host.publish({ ...release, files: { [name]: content } });
    const file = await suite.locate();
    expect(file).toBe(path.join(suite.cache, 'proctor', 'extensions', sha256(content), 'tool'));
    expect(await readFile(file)).toEqual(releasedProgram);
    expect((await stat(file)).mode & 0o777).toBe(0o755);
    expect((await stat(path.dirname(file))).mode & 0o777).toBe(0o700);
    expect(JSON.parse(await readFile(`${file}.json`, 'utf8'))).toEqual({
      sha256: sha256(releasedProgram),
    });
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
    suite.host.publish({ ...release, files: { 'tool-windows-amd64.exe': releasedProgram } });
    const file = await suite.locate(toolPackage, { platform: describePlatform('win32', 'x64') });
    expect(path.basename(file)).toBe('tool.exe');
  });

  it('sends the token to the API, and to no other origin', async () => {
    for (const name of ['GITHUB_TOKEN', 'GH_TOKEN']) {
      const suite = await suiteWithRelease();
      const environment = { ...suite.environment, [name]: 'secret-token' };
      await suite.locate(toolPackage, { environment });
      const withToken = suite.host.received.filter(
        ({ headers }) => headers.authorization !== undefined,
      );
      expect(withToken.length).toBeGreaterThan(0);
      expect(new Set(withToken.map(({ host }) => host))).toEqual(new Set(['api']));
      expect(withToken[0]?.headers.authorization).toBe('Bearer secret-token');
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
    expect(await readFile(await suite.locate())).toEqual(releasedProgram);
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
    expect(await readFile(file)).toEqual(releasedProgram);
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
    expect(JSON.parse(await readFile(`${file}.json`, 'utf8'))).toEqual({
      sha256: sha256(releasedProgram),
    });
  });

  it('is not hurt by two at once', async () => {
    const suite = await suiteWithRelease();
    const files = await Promise.all([suite.locate(), suite.locate(), suite.locate()]);
    expect(new Set(files).size).toBe(1);
    expect(await readFile(files[0])).toEqual(releasedProgram);
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

  it('is reported if it cannot be made', async () => {
    const suite = await suiteWithRelease();
    await writeFile(suite.cache, 'a file');
    await expect(suite.locate()).rejects.toMatchObject({
      name: 'ExtensionError',
      message: expect.stringContaining('cannot be made (ENOTDIR)'),
    });
  });
});
