import { isCredentialHeader, soundsSecret } from './secret-names.js';
import { minSecretLength, type Secrets } from './secrets.js';

/** The credentials among headers. `isLiteral` tells of one whether it is all written out. */
export function addHeaders(
  secrets: Secrets,
  headers: Readonly<Record<string, string>>,
  isLiteral: (name: string, value: string) => boolean,
): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!isCredentialHeader(name) && !soundsSecret(name)) continue;
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

/** Password and keys in an address. */
export function addPartsOfUrl(secrets: Secrets, text: string): void {
  if (!URL.canParse(text)) return;
  const url = new URL(text);
  addEncoded(secrets, 'password', url.password);
  for (const part of url.search.slice(1).split('&')) {
    const [key = '', ...rest] = part.split('=');
    if (soundsSecret(key)) addEncoded(secrets, key, rest.join('='));
  }
}

/** As it stands in the address, and as the server reads it. */
function addEncoded(secrets: Secrets, name: string, value: string): void {
  secrets.add(name, value);
  try {
    secrets.add(name, decodeURIComponent(value.replaceAll('+', ' ')));
    secrets.add(name, decodeURIComponent(value));
  } catch {
    // A stray percent sign: then it means itself.
  }
}
