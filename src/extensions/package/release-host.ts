import { ExtensionError } from '../extension-definition.js';

/** Where releases are asked for, and who asks. */
export class ReleaseHost {
  /** Without a slash at the end. */
  readonly api: string;
  readonly hasToken: boolean;
  readonly #origin: string;
  readonly #token: string | undefined;

  /** Throws ExtensionError. */
  constructor({ PROCTOR_GITHUB_API_URL, GITHUB_TOKEN, GH_TOKEN }: NodeJS.ProcessEnv) {
    const { origin, pathname } = apiAddress(PROCTOR_GITHUB_API_URL || 'https://api.github.com');
    this.api = `${origin}${pathname}`.replace(/\/+$/, '');
    this.#origin = origin;
    this.#token = GITHUB_TOKEN || GH_TOKEN;
    this.hasToken = this.#token !== undefined && this.#token !== '';
  }

  isApi(address: URL): boolean {
    return address.origin === this.#origin;
  }

  /** Whether to ask there: what comes unprotected could be from anybody. */
  isAllowed({ protocol }: URL): boolean {
    return protocol === 'https:' || (protocol === 'http:' && this.api.startsWith('http:'));
  }

  /** The token is for the API, and for nobody that it sends us to. */
  headersFor(address: URL, accept: string): Record<string, string> {
    const mayKnow = this.hasToken && this.isApi(address);
    return {
      accept,
      'user-agent': 'mcp-proctor',
      ...(mayKnow && { authorization: `Bearer ${this.#token}` }),
    };
  }
}

function apiAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url;
  // Its value is not told: it may hold a password.
  throw new ExtensionError('PROCTOR_GITHUB_API_URL is not an http or https address', {
    hint: 'GitHub Enterprise has it at https://HOST/api/v3',
  });
}
