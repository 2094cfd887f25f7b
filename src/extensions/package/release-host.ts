import * as z from 'zod/mini';
import { ExtensionError } from '../extension-definition.js';
import { parseSha256 } from './hashed-file.js';

/** The address of the release API, and the token for it. */
export class ReleaseHost {
  /** Address without a trailing slash. */
  readonly api: string;
  readonly hasToken: boolean;
  readonly #origin: string;
  readonly #token: string | undefined;

  /** Throws ExtensionError. */
  constructor({ PROCTOR_GITHUB_API_URL, GITHUB_TOKEN, GH_TOKEN }: NodeJS.ProcessEnv) {
    const { origin, pathname } = parseApiAddress(
      PROCTOR_GITHUB_API_URL || 'https://api.github.com',
    );
    this.api = `${origin}${pathname}`.replace(/\/+$/, '');
    this.#origin = origin;
    this.#token = GITHUB_TOKEN || GH_TOKEN;
    this.hasToken = this.#token !== undefined && this.#token !== '';
  }

  isApi(address: URL): boolean {
    return address.origin === this.#origin;
  }

  /** Whether an address may be used: unencrypted content could come from anyone. */
  isAllowed({ protocol }: URL): boolean {
    return protocol === 'https:' || (protocol === 'http:' && this.api.startsWith('http:'));
  }

  /** Builds headers; the token goes to the API alone, and not to addresses that it redirects to. */
  headersFor(address: URL, accept: string): Record<string, string> {
    const needsToken = this.hasToken && this.isApi(address);
    return {
      accept,
      'user-agent': 'mcp-proctor',
      ...(needsToken && { authorization: `Bearer ${this.#token}` }),
    };
  }
}

function parseApiAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url;
  // The message does not quote the value, as it may hold a password.
  throw new ExtensionError('PROCTOR_GITHUB_API_URL is not an http or https address', {
    hint: 'GitHub Enterprise has it at https://HOST/api/v3',
  });
}

/** A release on GitHub, as far as it matters here. */
export interface Release {
  repo: string;
  /** The release's tag: the requested version, or the same with or without a `v`. */
  version: string;
  /** Name of the release in messages: `org/repo@v1`. */
  page: string;
  assets: readonly ReleaseAsset[];
}

/** A file of a release. */
export interface ReleaseAsset {
  name: string;
  address: URL;
  bytes: number;
  /** SHA-256 that GitHub computed when the file was uploaded; older files have none. */
  digest?: string;
}

/** The answer of the release API, as far as it is used here. */
const answerSchema = z.object({
  assets: z.array(
    z.object({
      name: z.string(),
      url: z.optional(z.string()),
      browser_download_url: z.string(),
      size: z.number().check(z.nonnegative()),
      digest: z.nullish(z.string()),
    }),
  ),
});

type AnsweredAsset = z.infer<typeof answerSchema>['assets'][number];

/** Reads the assets. Throws ExtensionError if the text is no answer of the release API. */
export function readAssets(text: string, host: ReleaseHost): ReleaseAsset[] {
  try {
    const { assets } = answerSchema.parse(JSON.parse(text));
    return assets.map((asset) => readAsset(asset, host));
  } catch (cause) {
    throw new ExtensionError(`${host.api} did not answer as GitHub's release API does`, {
      hint: 'look at PROCTOR_GITHUB_API_URL, and whether a proxy answers instead',
      cause,
    });
  }
}

function readAsset(asset: AnsweredAsset, host: ReleaseHost): ReleaseAsset {
  const address = chooseAddress(asset, host);
  if (!host.isAllowed(address)) throw new Error(`${address.origin} is not encrypted`);
  const { name, size: bytes } = asset;
  const digest = readDigest(asset);
  return { name, bytes, address, ...(digest !== undefined && { digest }) };
}

/** Chooses where to load a file from; with a token the API itself, as only the API serves files of a private repository. */
function chooseAddress({ url, browser_download_url }: AnsweredAsset, host: ReleaseHost): URL {
  const atApi = host.hasToken && url !== undefined ? new URL(url) : undefined;
  return atApi && host.isApi(atApi) ? atApi : new URL(browser_download_url);
}

/** Reads a digest such as `sha256:<hash>`; other algorithms are ignored. */
function readDigest({ digest }: AnsweredAsset): string | undefined {
  const prefix = 'sha256:';
  return digest?.startsWith(prefix) ? parseSha256(digest.slice(prefix.length)) : undefined;
}

const maxListed = 20;

/** Lists names for an error message, bounded, as a release may hold any number of files. */
export function formatNames(names: readonly string[]): string {
  if (names.length === 0) return 'nothing';
  const shown = names.slice(0, maxListed).map((name) => name.slice(0, 200));
  const more = names.length - shown.length;
  return more === 0 ? shown.join(', ') : `${shown.join(', ')} and ${more} more`;
}
