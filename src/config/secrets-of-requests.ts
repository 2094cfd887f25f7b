import { holdsSecret, isCredentialHeader, isOrdinary } from './secret-names.js';
import { minSecretLength, type Secrets } from './secrets.js';

/** Shorter names before the `@` of an address are those of people. */
export const minKeyLength = 20;

/** The credentials among headers. `isLiteral` tells of one whether it is all written out. */
export function addHeaders(
  secrets: Secrets,
  headers: Readonly<Record<string, string>>,
  isLiteral: (name: string, value: string) => boolean,
): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!isCredentialHeader(name) && !holdsSecret(name, value)) continue;
    addCredential(secrets, name, value, isLiteral(name, value));
  }
}

function addCredential(secrets: Secrets, name: string, value: string, isLiteral: boolean): void {
  const [, credential] = /^\s*(?:bearer|basic)\s+(\S.*)$/i.exec(value) ?? [];
  secrets.add(name, credential);
  // `Bearer ${TOKEN}` is better shown as the scheme and the name of the variable.
  const isCovered = !isLiteral && (credential?.trim().length ?? 0) >= minSecretLength;
  if (!isCovered) secrets.add(name, value);
}

/** Password and keys in an address; without a password, the name is the key, as in a DSN. */
export function addPartsOfUrl(secrets: Secrets, text: string): void {
  if (!text.includes('://')) return;
  if (!URL.canParse(text)) {
    addPasswordBefore(secrets, text);
    return;
  }
  const url = new URL(text);
  if (url.password !== url.username) addEncoded(secrets, 'password', url.password);
  if (url.password === '' && url.username.length >= minKeyLength) {
    addEncoded(secrets, 'password', url.username);
  }
  for (const part of url.search.slice(1).split('&')) {
    const [key = '', ...rest] = part.split('=');
    const value = rest.join('=');
    if (holdsSecret(key, value)) addEncoded(secrets, key, value);
  }
}

/** What stands between a name and the `@` of addresses that are no URL: of several hosts, of drivers. */
export function addPasswordBefore(secrets: Secrets, text: string): void {
  const [, user, password = ''] =
    /^(?:[a-z][a-z0-9+.-]*:\/\/)?([^:@/\s]*):([^@\s]+)@/i.exec(text) ?? [];
  if (password !== user) addEncoded(secrets, 'password', password);
}

/** As it stands in the address, and as the server reads it. */
function addEncoded(secrets: Secrets, name: string, value: string): void {
  if (isOrdinary(value)) return;
  secrets.add(name, value);
  try {
    secrets.add(name, decodeURIComponent(value.replaceAll('+', ' ')));
    secrets.add(name, decodeURIComponent(value));
  } catch {
    // A stray percent sign: then it means itself.
  }
}
