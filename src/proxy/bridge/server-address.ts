/** What may be shown of the server's URL, as the rest of it can hold a token. */
export class ServerAddress {
  readonly origin: string;
  readonly #secrets: string[];

  constructor(url: URL) {
    this.origin = url.origin;
    this.#secrets = secretsIn(url);
  }

  /** Servers like to repeat the address in what they say. */
  hiddenIn(text: string): string {
    return this.#secrets.reduce((hidden, secret) => hidden.replaceAll(secret, '...'), text);
  }
}

/** Everything in a URL that is long enough to be a secret, longest first. */
function secretsIn(url: URL): string[] {
  const { pathname, search, username, password } = url;
  const parts = [pathname + search, pathname, ...pathname.split('/'), username, password];
  return [...parts, ...url.searchParams.values()]
    .flatMap((part) => [part, decoded(part)])
    .filter((part) => part.length >= 8)
    .sort((left, right) => right.length - left.length);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
