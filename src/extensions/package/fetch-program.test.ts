import { describe, expect, it } from 'vitest';
import { zip } from '../../../testing/release-archives.js';
import {
  brokenOff,
  checksumsOf,
  cutShort,
  endless,
  ReleaseSuite,
  rateLimited,
  type ServedRelease,
  sha256,
  stalledAfterHalf,
  toolPackage,
  unavailable,
} from '../../../testing/releases.js';
import { locateProgram } from './locate-program.js';
import { describePlatform } from './release-assets.js';

const name = 'tool-linux-amd64';
const program = Buffer.from(`#!/bin/sh\n${'echo the program\n'.repeat(10_000)}`);
const wrongHash = 'ab'.repeat(32);

async function suiteWith(files: ServedRelease['files']): Promise<ReleaseSuite> {
  const suite = await ReleaseSuite.make();
  suite.host.publish({ repository: 'org/tool', tag: 'v1.0.0', files });
  return suite;
}

/** Fetches in vain, and leaves nothing behind. */
async function failure(suite: ReleaseSuite, environment = suite.environment) {
  const error = await suite.locate(toolPackage, { environment }).then(
    () => expect.unreachable('it was fetched'),
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ name: 'ExtensionError' });
  expect(await suite.cachedFiles()).toEqual([]);
  await expect(suite.lock()).rejects.toThrow('ENOENT');
  return error as Error & { hint?: string; details?: string };
}

describe('a release that cannot be used', () => {
  it('may not exist', async () => {
    const suite = await ReleaseSuite.make();
    const { message, hint } = await failure(suite);
    expect(message).toBe('there is no release v1.0.0 of org/tool');
    expect(hint).toContain('GITHUB_TOKEN');
    expect(suite.host.paths).toEqual([
      'api /api/v3/repos/org/tool/releases/tags/v1.0.0',
      'api /api/v3/repos/org/tool/releases/tags/1.0.0',
    ]);
    const withToken = { ...suite.environment, GITHUB_TOKEN: 'secret-token' };
    expect((await failure(suite, withToken)).hint).toContain('whether the token may read');
  });

  it('may have no file for this platform', async () => {
    const suite = await suiteWith({ 'tool-plan9-amd64': program });
    expect((await failure(suite)).message).toBe(
      'the release org/tool@v1.0.0 has no file for linux-x64; it has: tool-plan9-amd64',
    );
  });

  it.each([
    ['the digest', { [name]: { content: program, digest: `sha256:${wrongHash}` } }],
    [
      'the list',
      {
        [name]: { content: program, digest: null },
        'checksums.txt': Buffer.from(`${wrongHash}  ${name}\n`),
      },
    ],
  ])('may have a file that does not have the hash of %s', async (_, files) => {
    const { message, details } = await failure(await suiteWith(files));
    expect(message).toBe(
      `${name} does not have the checksum that its release states, so it is not run`,
    );
    expect(details).toBe(`expected ${wrongHash}\nfound    ${sha256(program)}`);
  });

  it.each([
    [
      'the list is wrong',
      { [name]: program, 'checksums.txt': Buffer.from(`${wrongHash}  ${name}\n`) },
    ],
    [
      'the digest is wrong',
      {
        [name]: { content: program, digest: `sha256:${wrongHash}` },
        'checksums.txt': checksumsOf({ [name]: program }),
      },
    ],
    [
      'one of two lists is wrong',
      {
        [name]: { content: program, digest: null },
        'checksums.txt': checksumsOf({ [name]: program }),
        [`${name}.sha256`]: Buffer.from(wrongHash),
      },
    ],
  ])('may contradict itself: %s', async (_, files) => {
    const suite = await suiteWith(files);
    const { message, details } = await failure(suite);
    expect(message).toContain('contradicts itself about the checksum');
    expect(details).toContain(wrongHash);
    expect(details).toContain(sha256(program));
    expect(suite.notices).toEqual([]);
  });

  it.each([
    ['nothing', {}, null],
    ['a list without the file', { 'checksums.txt': Buffer.from(`${wrongHash}  other\n`) }, null],
    ['a list of other hashes', { 'checksums.txt': Buffer.from(`${'a'.repeat(40)} ${name}`) }, null],
    ['a digest of another kind', {}, `sha512:${wrongHash}${wrongHash}`],
  ])('may have nothing to check it with: %s', async (_, more, digest) => {
    const suite = await suiteWith({ [name]: { content: program, digest }, ...more });
    const { message, hint } = await failure(suite);
    expect(message).toContain(`has no SHA-256 checksum for ${name}`);
    expect(hint).toContain('checksums.txt');
  });

  it('may hold an archive without a program', async () => {
    const archive = zip([{ name: 'README.md', content: Buffer.from('Read me.') }]);
    const suite = await suiteWith({ [`${name}.zip`]: archive });
    expect((await failure(suite)).message).toBe(
      `${name}.zip cannot be unpacked: which of its files is the program is not clear: it holds README.md`,
    );
  });

  it('may be too large', async () => {
    const suite = await suiteWith({ [name]: { content: program, size: 2 ** 30 } });
    expect((await failure(suite)).message).toBe(`${name} is too large: more than 536870912 bytes`);
    expect(suite.host.received.map(({ host }) => host)).toEqual(['api']);
  });

  it('may send more than it says', async () => {
    const suite = await suiteWith({ [name]: program });
    suite.host.downloadAnswers.push(endless);
    expect((await failure(suite)).message).toBe(
      `${name} is longer than the ${program.length} bytes its release says`,
    );
  });

  it('may have lost a file that it lists', async () => {
    const suite = await suiteWith({ [name]: program });
    suite.host.downloadAnswers.push((response) => response.writeHead(404).end());
    expect((await failure(suite)).message).toBe(`${name}: the server answered 404`);
    expect(suite.delays).toEqual([]);
  });

  it.each([
    ['no JSON', '<html>'],
    ['another object', '{"message":"hello"}'],
    ['files without an address', '{"assets":[{"name":"x","size":1}]}'],
    ['an address that is none', '{"assets":[{"name":"x","size":1,"browser_download_url":"?"}]}'],
    [
      'an address of another kind',
      '{"assets":[{"name":"x","size":1,"browser_download_url":"file:///etc/passwd"}]}',
    ],
    ['something nested deep', `{"assets":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
  ])('may be described by %s', async (_, text) => {
    const suite = await suiteWith({});
    suite.host.apiAnswers.push((response) => response.end(text));
    const { message, hint } = await failure(suite);
    expect(message).toBe(`${suite.host.apiUrl} did not answer as GitHub's release API does`);
    expect(hint).toContain('PROCTOR_GITHUB_API_URL');
  });
});

describe('a host of releases', () => {
  it('may have no requests left for us', async () => {
    const suite = await suiteWith({ [name]: program });
    suite.host.apiAnswers.push(rateLimited);
    const { message, hint } = await failure(suite);
    expect(message).toBe("GitHub's limit of requests is used up until 2027-01-15T08:00:00.000Z");
    expect(hint).toContain('GITHUB_TOKEN');
    expect(suite.delays).toEqual([]);
  });

  it.each([
    [429, "GitHub's limit of requests is used up"],
    [403, /: the server answered 403$/],
    [401, /: the server answered 401$/],
  ])('may refuse with %i', async (status, expected) => {
    const suite = await suiteWith({ [name]: program });
    suite.host.apiAnswers.push((response) => response.writeHead(status).end());
    expect((await failure(suite)).message).toMatch(expected);
    expect(suite.delays).toEqual([]);
  });

  it('never has the token in an error', async () => {
    const suite = await suiteWith({ [name]: program });
    suite.host.apiAnswers.push((response) => response.writeHead(401).end());
    const error = await failure(suite, { ...suite.environment, GITHUB_TOKEN: 'secret-token' });
    expect(error.hint).toContain('GITHUB_TOKEN');
    expect(JSON.stringify([error.message, error.hint, error.details])).not.toContain('secret');
  });

  it('must be at an http address', async () => {
    const suite = await ReleaseSuite.make();
    const environment = { ...suite.environment, PROCTOR_GITHUB_API_URL: 'ftp://user:secret@host' };
    const locating = suite.locate(toolPackage, { environment });
    await expect(locating).rejects.toThrow(
      'PROCTOR_GITHUB_API_URL is not an http or https address',
    );
  });

  it.each([
    ['is not available', unavailable],
    ['breaks off a file', brokenOff],
    ['ends a file too early', cutShort],
  ])('is asked three times if it %s', async (_, answer) => {
    const suite = await suiteWith({ [name]: program });
    suite.host.downloadAnswers.push(answer, answer);
    await suite.locate();
    expect(suite.delays).toEqual([500, 1000]);

    const other = await suiteWith({ [name]: program });
    other.host.downloadAnswers.push(answer, answer, answer);
    expect((await failure(other)).message).toContain(`${toolPackage} cannot be fetched: `);
    expect(other.delays).toEqual([500, 1000]);
  });

  it('is asked again if its API is not available', async () => {
    const suite = await suiteWith({ [name]: program });
    suite.host.apiAnswers.push(unavailable, unavailable);
    await suite.locate();
    expect(suite.delays).toEqual([500, 1000]);
  });

  it('is reported if it cannot be reached', async () => {
    const suite = await ReleaseSuite.make();
    await suite.host.close();
    const { message, hint } = await failure(suite);
    expect(message).toMatch(/ cannot be fetched: 127\.0\.0\.1:\d+ refused the connection$/);
    expect(hint).toContain('used from the cache');
    expect(suite.delays).toEqual([500, 1000]);
  });
});

describe('a download that is called off', () => {
  it('leaves no half of a file', async () => {
    const suite = await suiteWith({ [name]: program });
    const controller = new AbortController();
    suite.host.downloadAnswers.push(stalledAfterHalf(() => controller.abort(new Error('enough'))));
    await expect(suite.locate(toolPackage, { signal: controller.signal })).rejects.toMatchObject({
      name: 'ExtensionError',
      message: `fetching ${toolPackage} was cancelled`,
      cause: new Error('enough'),
    });
    expect(await suite.cachedFiles()).toEqual([]);
    await suite.locate();
  });

  it('does not wait for the next attempt', async () => {
    const suite = await suiteWith({ [name]: program });
    suite.host.apiAnswers.push(unavailable);
    const controller = new AbortController();
    const { signal } = controller;
    const delay = () => {
      controller.abort();
      return Promise.reject(signal.reason);
    };
    await expect(suite.locate(toolPackage, { signal, delay })).rejects.toThrow('was cancelled');
    expect(suite.host.received.length).toBe(1);
  });

  it('also ends the time between attempts that is really waited', async () => {
    const suite = await suiteWith({ [name]: program });
    const controller = new AbortController();
    suite.host.apiAnswers.push((response, content) => {
      unavailable(response, content);
      response.once('close', () => controller.abort());
    });
    const { environment, folder } = suite;
    const definition = { name: 'tool', package: toolPackage, config: {}, env: {}, folder };
    const platform = describePlatform('linux', 'x64');
    const options = { environment, platform, signal: controller.signal };
    await expect(locateProgram(definition, options)).rejects.toThrow('was cancelled');
  });
});
