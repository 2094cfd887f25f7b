import * as z from 'zod/mini';
import { ExtensionError } from '../extension-definition.js';
import type { ReleaseAsset } from './release.js';
import type { ReleaseHost } from './release-host.js';
import { sha256In } from './sha256.js';

/** What the release API says, as far as it matters here. */
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

/** Throws ExtensionError if the text is no answer of the release API. */
export function assetsIn(text: string, host: ReleaseHost): ReleaseAsset[] {
  try {
    const { assets } = answerSchema.parse(JSON.parse(text));
    return assets.map((asset) => assetOf(asset, host));
  } catch (cause) {
    throw new ExtensionError(`${host.api} did not answer as GitHub's release API does`, {
      hint: 'look at PROCTOR_GITHUB_API_URL, and whether a proxy answers in its place',
      cause,
    });
  }
}

function assetOf(asset: AnsweredAsset, host: ReleaseHost): ReleaseAsset {
  const address = addressOf(asset, host);
  if (!host.isAllowed(address)) throw new Error(`${address.origin} is not encrypted`);
  const { name, size: bytes } = asset;
  const digest = digestIn(asset);
  return { name, bytes, address, ...(digest !== undefined && { digest }) };
}

/** With a token from the API itself: nobody else gives out files of a private repository. */
function addressOf({ url, browser_download_url }: AnsweredAsset, host: ReleaseHost): URL {
  const atApi = host.hasToken && url !== undefined ? new URL(url) : undefined;
  return atApi && host.isApi(atApi) ? atApi : new URL(browser_download_url);
}

/** `sha256:<hash>`. Another way of hashing is as good as none. */
function digestIn({ digest }: AnsweredAsset): string | undefined {
  const prefix = 'sha256:';
  return digest?.startsWith(prefix) ? sha256In(digest.slice(prefix.length)) : undefined;
}
