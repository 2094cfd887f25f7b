import { findTokens } from './token-shapes.js';

/**
 * Replaces what looks like a secret by stars of the same length, so that markers still fit. For text
 * that is shown to people: lines of files and messages.
 */
export function maskSecrets(text: string): string {
  const named = namedSecrets.reduce(
    (masked, shape) =>
      masked.replace(shape, (whole, before: string, secret: string) =>
        secret.includes('${') ? whole : before + '*'.repeat(secret.length),
      ),
    text,
  );
  const characters = named.split('');
  for (const { secretStart, end } of findTokens(named)) {
    for (let at = secretStart; at < end; at++) {
      // Lines must stay lines.
      if (!/[\r\n]/.test(characters[at] ?? '')) characters[at] = '*';
    }
  }
  return characters.join('');
}

/** A header or variable that carries one, up to the value. */
const named = String.raw`((?:authorization|api[-_]?key|token|secret|password)["']?\s*[:=]\s*`;

/** What stands before a secret, and the secret. */
const namedSecrets = [
  new RegExp(String.raw`${named}"(?:(?:bearer|basic) )?)((?:[^"\\\n]|\\.){8,})`, 'gi'),
  new RegExp(String.raw`${named}'(?:(?:bearer|basic) )?)([^'\n]{8,})`, 'gi'),
  new RegExp(String.raw`${named}["']?)([^\s"',}]{8,}(?: [^\s"',}]+)*)`, 'gi'),
];
