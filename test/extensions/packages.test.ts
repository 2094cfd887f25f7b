import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { formatSize } from '../../src/base/text.js';
import { describePlatform } from '../../src/extensions/package/release-assets.js';
import { tarGz, zip } from '../../testing/release-archives.js';
import {
  type ServedRelease,
  StandInReleaseHost,
  sha256,
  stalledAfterHalf,
} from '../../testing/releases.js';
import { fixtures } from '../support/cli.js';
import { expectNothingLeft, startSuite } from '../support/extension-suite.js';
import { it, type ScratchSuite } from '../support/scratch-suite.js';
import { type SuiteParts, script } from '../support/suite-parts.js';
import { outputs } from '../support/task-run-story.js';

const program = readFileSync(path.join(fixtures, 'extensions/packaged.sh'));
const {
  key: platform,
  systemWords,
  processorWords,
} = describePlatform(process.platform, process.arch);
const here = `${systemWords[0]}-${processorWords[0]}`;

const packageOf = (repo: string) => `https://github.com/org/${repo}@v1.0.0`;
const lockName = 'proctor.lock.json';

function publish(host: StandInReleaseHost, repo: string, files: ServedRelease['files']) {
  host.publish({ repository: `org/${repo}`, tag: 'v1.0.0', files });
}

/** A suite with extensions that are releases of repositories with the same names. */
function suiteUsing(repos: readonly string[], files: SuiteParts['files'] = {}): SuiteParts {
  return {
    tasks: {
      one: {
        spec: {
          requires: repos.map((repo) => ({ extension: repo })),
          setup: [script('touch ran')],
          verify: repos.map((repo) => ({ id: repo, [`${repo}.where`]: {} })),
        },
      },
    },
    config: {
      extensions: Object.fromEntries(repos.map((repo) => [repo, { package: packageOf(repo) }])),
    },
    files,
  };
}

function environmentOf(suite: ScratchSuite, host: StandInReleaseHost) {
  return { PROCTOR_CACHE_DIR: suite.path('cache'), PROCTOR_GITHUB_API_URL: host.apiUrl };
}

/** Files, by their path in the cache. */
async function cached(suite: ScratchSuite): Promise<string[]> {
  const folder = suite.path('cache');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

describe.concurrent('an extension from a release', () => {
  it('is fetched once, pinned, and used without a network from then on', async ({
    makeSuite,
    onTestFinished,
  }) => {
    const host = await StandInReleaseHost.listen(onTestFinished);
    const assets = {
      bare: { name: `bare-${here}`, content: program },
      zipped: {
        name: `zipped-${here}.zip`,
        content: zip([
          { name: 'README.md', content: Buffer.from('Read me'), mode: 0o644 },
          { name: `zipped-${here}`, content: program },
        ]),
      },
      packed: {
        name: `packed_1.0.0_${here.replace('-', '_')}.tar.gz`,
        content: tarGz([{ name: 'packed', content: program }]),
      },
    };
    for (const [repo, { name, content }] of Object.entries(assets)) {
      publish(host, repo, { [name]: content, [`${repo}-plan9-mips`]: Buffer.from('another') });
    }
    const suite = await makeSuite(suiteUsing(Object.keys(assets)));
    const environment = environmentOf(suite, host);

    expect(await suite.proctor(['validate', 'eval.yaml'], environment)).toMatchObject({
      exitCode: 0,
    });
    expect(host.received).toEqual([]);

    const first = await suite.check([], environment);

    expect(first.exitCode, first.stderr).toBe(0);
    const programs = outputs(first.events);
    for (const [repo, { name, content }] of Object.entries(assets)) {
      const told = `fetching ${name} (${formatSize(content.length)}) of org/${repo}@v1.0.0\n`;
      expect(first.stderr).toContain(told);
      expect(first.stderr).toContain(`pinned ${packageOf(repo)} in ${lockName}\n`);
      const folder = suite.path(`cache/proctor/extensions/${sha256(content)}`);
      expect(programs[repo]).toEqual({ program: path.join(folder, repo) });
    }
    const pins = Object.entries(assets).map(([repo, { name, content }]) => [
      packageOf(repo),
      { version: 'v1.0.0', files: { [platform]: { name, sha256: sha256(content) } } },
    ]);
    const lock = await suite.read(lockName);
    expect(JSON.parse(lock)).toEqual({
      schema: 'mcp-proctor/lock/v1',
      extensions: Object.fromEntries(pins),
    });

    await host.close();
    const second = await suite.check([], environment);

    expect(second.exitCode, second.stderr).toBe(0);
    expect(second.stderr).not.toContain('fetching');
    expect(outputs(second.events)).toEqual(programs);
    expect(await suite.read(lockName)).toBe(lock);
    await expectNothingLeft(suite);
  });

  it('that is not what it should be is not run, and neither is anything else', async ({
    makeSuite,
    onTestFinished,
  }) => {
    const host = await StandInReleaseHost.listen(onTestFinished);
    const other = sha256(Buffer.from('something else'));
    publish(host, 'tampered', {
      [`tampered-${here}`]: { content: program, digest: `sha256:${other}` },
    });
    publish(host, 'unchecked', { [`unchecked-${here}`]: { content: program, digest: null } });
    publish(host, 'elsewhere', { 'elsewhere-plan9-mips': program });
    publish(host, 'broken', { [`broken-${here}.zip`]: Buffer.from('no archive') });
    publish(host, 'changed', { [`changed-${here}`]: program });
    const pinned = { name: `changed-${here}`, sha256: other };
    const lock = JSON.stringify({
      schema: 'mcp-proctor/lock/v1',
      extensions: { [packageOf('changed')]: { version: 'v1.0.0', files: { [platform]: pinned } } },
    });
    const all = ['tampered', 'unchecked', 'elsewhere', 'broken', 'changed', 'missing'];
    const suite = await makeSuite(suiteUsing(all, { [lockName]: lock }));

    const result = await suite.check([], environmentOf(suite, host));

    expect(result.exitCode).toBe(2);
    const { stderr } = result;
    for (const [name, message, hint] of [
      [
        'tampered',
        `tampered-${here} does not have the checksum that its release states, so it is not run`,
        'it was changed in transit or at its source; do not use it until that is clear',
      ],
      [
        'unchecked',
        `the release org/unchecked@v1.0.0 has no SHA-256 checksum for unchecked-${here}: it cannot be checked, so it is not run`,
        'its author can add a file checksums.txt',
      ],
      [
        'elsewhere',
        `the release org/elsewhere@v1.0.0 has no file for ${platform}; it has: elsewhere-plan9-mips`,
        `Proctor looks for a name such as elsewhere-${here}.zip`,
      ],
      ['broken', `broken-${here}.zip cannot be unpacked: it is not a zip archive, or cut off`, ''],
      [
        'changed',
        `the file changed-${here} of the release org/changed@v1.0.0 changed since it was pinned`,
        `if that is intended, delete the entry "${packageOf('changed')}" in ${suite.path(lockName)}`,
      ],
      [
        'missing',
        'there is no release v1.0.0 of org/missing',
        'look whether the tag has a release; a private repository needs GITHUB_TOKEN',
      ],
    ]) {
      expect(stderr).toContain(`the extension ${name} is not ready: ${message}`);
      expect(stderr).toContain(hint);
    }
    expect(stderr.match(/eval\.yaml:\d+:\d+ {2}error {2}\[extension-not-ready\]/g)).toHaveLength(6);
    expect(result.results).toBeUndefined();
    expect(result.events).toEqual([]);
    await expect(suite.read('tasks/ran')).rejects.toThrow('ENOENT');
    expect(await cached(suite)).toEqual([]);
    expect(await suite.read(lockName)).toBe(lock);
    await expectNothingLeft(suite);
  });

  it('cannot be had without a network if it was never fetched', async ({
    makeSuite,
    onTestFinished,
  }) => {
    const host = await StandInReleaseHost.listen(onTestFinished);
    const suite = await makeSuite(suiteUsing(['tool']));
    await host.close();

    const { exitCode, stderr } = await suite.check([], environmentOf(suite, host));

    expect(exitCode).toBe(2);
    expect(stderr).toContain(`${packageOf('tool')} cannot be fetched: `);
    expect(stderr).toContain('once fetched, it is used from the cache');
    await expectNothingLeft(suite);
  });

  it('leaves nothing of itself when its download is interrupted', async ({
    makeSuite,
    onTestFinished,
  }) => {
    const host = await StandInReleaseHost.listen(onTestFinished);
    publish(host, 'tool', { [`tool-${here}`]: program });
    const isHalf = new Promise<void>((resolve) => {
      host.downloadAnswers.push(stalledAfterHalf(resolve));
    });
    const suite = await makeSuite(suiteUsing(['tool']));
    const environment = environmentOf(suite, host);
    const check = startSuite(suite, environment);
    await isHalf;

    check.kill('SIGINT');

    const { exitCode, stderr } = await check.ended;
    expect(exitCode, stderr).toBe(130);
    expect(await cached(suite)).toEqual([]);
    await expect(suite.read(lockName)).rejects.toThrow('ENOENT');
    await expectNothingLeft(suite);

    expect(await suite.check([], environment)).toMatchObject({ exitCode: 0 });
  });
});
