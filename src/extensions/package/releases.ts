import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { HttpError, type HttpErrorCode } from '../../base/http/http-error.js';
import { type AnswerHead, exchange, transfer } from '../../base/http/transfer.js';
import type { ReleaseReference } from '../../config/schemas/package-reference.js';
import { ExtensionError } from '../extension-definition.js';
import { HashedFile, maxProgramBytes } from './hashed-file.js';
import { type Release, type ReleaseAsset, type ReleaseHost, readAssets } from './release-host.js';

export interface ReleasesOptions {
  environment: NodeJS.ProcessEnv;
  signal: AbortSignal;
  delay: Delay;
  /** How long the host may send nothing, in milliseconds. */
  idleMs: number;
}

interface Download {
  path: string;
  sha256: string;
}

/** Largest text that is read into memory: the description of a release, a list of checksums. */
const maxTextBytes = 16 * 1024 * 1024;

/** Releases on GitHub. Every method throws ExtensionError, HttpError or TransientError. */
export class Releases {
  readonly #host: ReleaseHost;
  readonly #options: ReleasesOptions;

  constructor(host: ReleaseHost, options: ReleasesOptions) {
    this.#host = host;
    this.#options = options;
  }

  async find({ owner, repo, version }: ReleaseReference): Promise<Release> {
    for (const tag of [version, toggleVersionPrefix(version)]) {
      const place = `${this.#host.api}/repos/${owner}/${repo}/releases/tags/`;
      const address = new URL(`${place}${encodeURIComponent(tag)}`);
      const text = await this.#text(address, 'application/vnd.github+json');
      if (text === undefined) continue;
      const assets = readAssets(text, this.#host);
      return { repo, version: tag, page: `${owner}/${repo}@${tag}`, assets };
    }
    throw new ExtensionError(`there is no release ${version} of ${owner}/${repo}`, {
      hint: this.#host.hasToken
        ? 'look whether the tag has a release, and whether the token may read the repository'
        : 'look whether the tag has a release; a private repository needs GITHUB_TOKEN',
    });
  }

  /** The content of a small file. */
  async text({ address, name }: ReleaseAsset): Promise<string> {
    const text = await this.#text(address, 'application/octet-stream');
    if (text !== undefined) return text;
    throw new ExtensionError(`${name}: the server answered 404`);
  }

  /** Downloads a file into a folder. Rejects if it is not as long as the release says. */
  async download(asset: ReleaseAsset, folder: string): Promise<Download> {
    const { name, bytes } = asset;
    if (bytes > maxProgramBytes) {
      throw new ExtensionError(`${name} is too large: more than ${maxProgramBytes} bytes`);
    }
    return retryTransient(() => this.#downloadOnce(asset, folder), this.#options).catch(
      (error: unknown) => {
        if (!(error instanceof HttpError) || error.code !== 'too-long') throw error;
        throw new ExtensionError(`${name} is longer than the ${bytes} bytes its release says`);
      },
    );
  }

  async #downloadOnce({ address, name, bytes }: ReleaseAsset, folder: string): Promise<Download> {
    const file = new HashedFile(path.join(folder, randomUUID()), bytes);
    const headers = this.#host.headersFor(address, 'application/octet-stream');
    const head = await transfer(
      { url: address.href, headers },
      { ...this.#options, maxBytes: bytes },
      ({ status }) => (status === 200 ? file : undefined),
    ).catch(async (error: unknown) => {
      // The folder can be removed only after the file is closed.
      await file.discard();
      throw error;
    });
    this.#refuseUnprotected(head);
    if (head.status !== 200) throw createRefusalError(head, name);
    if (file.bytes === bytes) return { path: file.path, sha256: file.sha256() };
    throw new TransientError(`only ${file.bytes} of the ${bytes} bytes of ${name} came`);
  }

  /** Returns undefined for HTTP 404. */
  #text(address: URL, accept: string): Promise<string | undefined> {
    const request = { url: address.href, headers: this.#host.headersFor(address, accept) };
    return retryTransient(async () => {
      const answer = await exchange(request, { ...this.#options, maxBytes: maxTextBytes });
      this.#refuseUnprotected(answer);
      if (answer.status === 404) return undefined;
      if (answer.status !== 200) throw createRefusalError(answer, address.host);
      return answer.body.toString();
    }, this.#options);
  }

  #refuseUnprotected({ redirects }: AnswerHead): void {
    const unprotected = redirects.find((address) => !this.#host.isAllowed(new URL(address)));
    if (unprotected === undefined) return;
    throw new ExtensionError(
      `${this.#host.api} leads to ${new URL(unprotected).origin}, which is not encrypted`,
    );
  }
}

/** `v1.2` for `1.2`, and the other way round. */
function toggleVersionPrefix(version: string): string {
  return version.startsWith('v') ? version.slice(1) : `v${version}`;
}

/** Resolves after a time; rejects when the signal is aborted. */
export type Delay = (ms: number, signal: AbortSignal) => Promise<unknown>;

interface RetryOptions {
  delay: Delay;
  signal: AbortSignal;
}

/** A failure that may be over in a moment. */
export class TransientError extends Error {
  override name = 'TransientError';
}

const maxAttempts = 3;
const firstDelayMs = 500;

const transientCodes: readonly HttpErrorCode[] = [
  'host-not-found',
  'refused',
  'unreachable',
  'reset',
  'idle',
];

/** Retries after transient errors. Rejects with the last error. */
async function retryTransient<Result>(
  attempt: () => Promise<Result>,
  { delay, signal }: RetryOptions,
): Promise<Result> {
  for (let failures = 0; ; ) {
    try {
      return await attempt();
    } catch (error) {
      failures++;
      if (signal.aborted || failures === maxAttempts || !isTransient(error)) throw error;
      await delay(firstDelayMs * 2 ** (failures - 1), signal);
    }
  }
}

function isTransient(error: unknown): boolean {
  if (error instanceof HttpError) return transientCodes.includes(error.code);
  return error instanceof TransientError;
}

/** Creates the error for an answer with an unexpected status. */
function createRefusalError({ status, headers }: AnswerHead, asked: string): Error {
  if (status >= 500) return new TransientError(`${asked}: the server answered ${status}`);
  if (isRateLimit(status, headers['x-ratelimit-remaining'])) {
    return new ExtensionError(
      `GitHub's limit of requests is used up${formatReset(headers['x-ratelimit-reset'])}`,
      { hint: 'set GITHUB_TOKEN: with a token the limit is far higher' },
    );
  }
  const hint = status === 401 ? { hint: 'look at the token in GITHUB_TOKEN or GH_TOKEN' } : {};
  return new ExtensionError(`${asked}: the server answered ${status}`, hint);
}

function isRateLimit(status: number, remaining: string | undefined): boolean {
  return status === 429 || (status === 403 && remaining === '0');
}

/** Formats the time when the limit is reset, given in seconds since 1970. */
function formatReset(reset: string | undefined): string {
  const date = new Date(Number(reset) * 1000);
  return Number.isNaN(date.getTime()) ? '' : ` until ${date.toISOString()}`;
}
