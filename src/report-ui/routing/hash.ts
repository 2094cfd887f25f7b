export type Page = 'overview' | 'run' | 'tools' | 'compare' | 'unknown';

/** What the part of the address after `#` says. */
export interface Route {
  page: Page;
  /** Of a task run: which one, as in the address. */
  parts: string[];
  query: URLSearchParams;
}

export function parseHash(hash: string): Route {
  const [path = '', ...rest] = hash.replace(/^#/, '').split('?');
  const [name = '', ...parts] = path.replace(/^\//, '').split('/').map(decoded);
  return { page: pageOf(name, parts), parts, query: new URLSearchParams(rest.join('?')) };
}

export function formatHash(path: string, query?: URLSearchParams): string {
  const text = query?.toString() ?? '';
  return text === '' ? `#/${path}` : `#/${path}?${text}`;
}

/** Half of a surrogate pair, which names from outside can have, is no text for an address. */
export function encoded(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function pageOf(name: string, parts: string[]): Page {
  if (name === '') return 'overview';
  if (name === 'run' && parts.length >= 3) return 'run';
  return name === 'tools' || name === 'compare' ? name : 'unknown';
}
