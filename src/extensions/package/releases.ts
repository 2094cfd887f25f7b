import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { HttpError } from '../../base/http/http-error.js';
import { type AnswerHead, exchange, transfer } from '../../base/http/transfer.js';
import type { ReleaseReference } from '../../config/schemas/package-reference.js';
import { ExtensionError } from '../extension-definition.js';
import { HashedFile } from './hashed-file.js';
import { maxProgramBytes } from './max-program-bytes.js';
import { refusal } from './refusal.js';
import type { Release, ReleaseAsset } from './release.js';
import { assetsIn } from './release-answer.js';
import type { ReleaseHost } from './release-host.js';
import { type Delay, PassingFailure, withRetries } from './retries.js';

export interface ReleasesOptions {
  environment: NodeJS.ProcessEnv;
  signal: AbortSignal;
  delay: Delay;
  /** How long nothing may come, in milliseconds. */
  idleMs: number;
}

interface Download {
  path: string;
  sha256: string;
}

/** Of what is kept in memory: the description of a release, and lists of checksums. */
const maxTextBytes = 16 * 1024 * 1024;

/** Releases on GitHub. Every method throws ExtensionError, HttpError or PassingFailure. */
export class Releases {
  readonly #host: ReleaseHost;
  readonly #options: ReleasesOptions;

  constructor(host: ReleaseHost, options: ReleasesOptions) {
    this.#host = host;
    this.#options = options;
  }

  async find({ owner, repo, version }: ReleaseReference): Promise<Release> {
    for (const tag of [version, otherSpelling(version)]) {
      const place = `${this.#host.api}/repos/${owner}/${repo}/releases/tags/`;
      const address = new URL(`${place}${encodeURIComponent(tag)}`);
      const text = await this.#text(address, 'application/vnd.github+json');
      if (text === undefined) continue;
      const assets = assetsIn(text, this.#host);
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

  /** Makes a file in a folder. Rejects if it is not as long as the release says. */
  async download(asset: ReleaseAsset, folder: string): Promise<Download> {
    const { name, bytes } = asset;
    if (bytes > maxProgramBytes) {
      throw new ExtensionError(`${name} is too large: more than ${maxProgramBytes} bytes`);
    }
    return withRetries(() => this.#downloadOnce(asset, folder), this.#options).catch(
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
      // Its folder can be removed only then.
      await file.discard();
      throw error;
    });
    this.#refuseUnprotected(head);
    if (head.status !== 200) throw refusal(head, name);
    if (file.bytes === bytes) return { path: file.path, sha256: file.sha256() };
    throw new PassingFailure(`only ${file.bytes} of the ${bytes} bytes of ${name} came`);
  }

  /** Undefined if there is no such thing. */
  #text(address: URL, accept: string): Promise<string | undefined> {
    const request = { url: address.href, headers: this.#host.headersFor(address, accept) };
    return withRetries(async () => {
      const answer = await exchange(request, { ...this.#options, maxBytes: maxTextBytes });
      this.#refuseUnprotected(answer);
      if (answer.status === 404) return undefined;
      if (answer.status !== 200) throw refusal(answer, address.host);
      return answer.body.toString();
    }, this.#options);
  }

  #refuseUnprotected({ redirects }: AnswerHead): void {
    const unprotected = redirects.find((each) => !this.#host.isAllowed(new URL(each)));
    if (unprotected === undefined) return;
    throw new ExtensionError(
      `${this.#host.api} leads to ${new URL(unprotected).origin}, which is not encrypted`,
    );
  }
}

/** `v1.2` for `1.2`, and the other way round. */
function otherSpelling(version: string): string {
  return version.startsWith('v') ? version.slice(1) : `v${version}`;
}
