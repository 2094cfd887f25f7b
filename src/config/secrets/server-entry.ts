import { isObject } from '../../base/json.js';
import { findReferences, removeDefaults } from '../placeholders/environment-variables.js';
import { redactionStart } from './redactor.js';
import { isCredentialHeader, isSecretName } from './secret-names.js';
import { minKeyLength } from './secret-values.js';

/**
 * The entry of a server without the secrets that are written out in it, for files that go to others. The
 * name of a setting shows, also where the value is too short to be found as a secret. References to
 * variables stay, as long as nothing but them is there; their defaults do not.
 */
export function removeServerSecrets(entry: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(
    Object.entries(entry).map(([key, value]) => {
      if (isObject(value)) return [key, removeSecretValues(value)];
      if (key === 'args' && Array.isArray(value)) return [key, removeSecretArguments(value)];
      return [key, typeof value === 'string' ? removeTextSecrets(value) : value];
    }),
  );
}

/** Removes secrets from headers or variables. */
function removeSecretValues(values: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      isNamedSecret(name) ? removeLiteral(name, String(value)) : removeTextSecrets(String(value)),
    ]),
  );
}

/** Removes secrets from arguments: `--token=...`, `--token ...`, `TOKEN=...` and `--header "Authorization: ..."`. */
function removeSecretArguments(args: readonly unknown[]): string[] {
  let before = '';
  return args.map(String).map((word) => {
    const option = /^--?([A-Za-z][\w.-]*)$/.exec(before)?.[1];
    before = word;
    const isItsValue = option !== undefined && isSecretName(option) && !word.startsWith('-');
    return isItsValue ? removeLiteral(option, word) : removeWordSecrets(word);
  });
}

/** The value may be such a word, too: `--env=TOKEN=...`. */
function removeWordSecrets(word: string): string {
  const [, start, name = '', value = ''] =
    /^(-{0,2}([A-Za-z][\w.-]*)=)(.+)$/s.exec(word) ??
    /^(([A-Za-z][\w-]*):\s*)(?!\/\/)(\S.*)$/s.exec(word) ??
    [];
  if (start === undefined) return removeTextSecrets(word);
  return start + (isNamedSecret(name) ? removeLiteral(name, value) : removeWordSecrets(value));
}

function isNamedSecret(name: string): boolean {
  return isSecretName(name) || isCredentialHeader(name);
}

/** The whole value is removed where a part is written out: parts could not be filled in one by one. */
function removeLiteral(name: string, value: string): string {
  const [, scheme = '', secret = ''] = /^(\s*(?:bearer|basic|token)\s+)?(.*)$/is.exec(value) ?? [];
  const kept = removeDefaults(secret, () => true);
  const literal = kept.replace(/\$\{\w+\}|\{random\.(?:id|port)\}/g, '');
  // What joins references, as in `${USER}:${PASSWORD}`, is no secret.
  const isReference = kept === '' || (kept !== literal && /^[\p{P}\p{S}\s]*$/u.test(literal));
  return scheme + (isReference ? kept : `${redactionStart}${name}]`);
}

/** Removes secrets from a text whose setting has an ordinary name: those in addresses, and defaults of secret variables. */
function removeTextSecrets(text: string): string {
  const kept = removeDefaults(text, ({ name }) => isSecretName(name));
  return kept.includes('://') ? removeUrlSecrets(kept) : kept;
}

/** Each stands for a reference, which may have any character in its default. */
const mask = '\u{F0000}-\u{FFFFD}';
const firstMask = 0xf0000;
const masks = new RegExp(`[${mask}]`, 'gu');
/** A password may have a slash where there cannot be a port. */
const userInfo = new RegExp(
  String.raw`:\/\/([^/?#\s]*|[^:@/\s]*:(?![\d${mask}]*[/?#])[^@\s]+)@`,
  'gu',
);

function removeUrlSecrets(text: string): string {
  const references: string[] = [];
  let masked = '';
  let done = 0;
  for (const { offset, length } of findReferences(text)) {
    const place = references.push(text.slice(offset, offset + length)) - 1;
    masked += text.slice(done, offset) + String.fromCodePoint(firstMask + place);
    done = offset + length;
  }
  const unmask = (part: string) =>
    part.replace(masks, (masked) => references[(masked.codePointAt(0) ?? 0) - firstMask] ?? masked);
  const hide = (name: string, part: string) => removeLiteral(name, unmask(part));
  const shown = (masked + text.slice(done))
    .replace(userInfo, (_, user: string, offset: number, all: string) => {
      const isOfWeb = /https?$/i.test(all.slice(Math.max(0, offset - 5), offset));
      return `://${removePassword(user, isOfWeb, hide)}@`;
    })
    .replace(/([?&#])([^=&#?\s]+)=([^&#\s]*)/g, (whole, start, key, value) => {
      const name = decodeUrlText(key);
      return isSecretName(name) ? `${start}${key}=${hide(name, value)}` : whole;
    });
  return unmask(shown);
}

/** In an address of the web, a name without a password is a key; elsewhere only a long one. */
function removePassword(
  text: string,
  isOfWeb: boolean,
  hide: (name: string, part: string) => string,
): string {
  const [user = '', ...rest] = text.split(':');
  const password = rest.join(':');
  const isKey = password === '' && (rest.length > 0 || isOfWeb);
  const shownUser = isKey || user.length >= minKeyLength ? hide('password', user) : user;
  return [shownUser, ...(rest.length > 0 ? [hide('password', password)] : [])].join(':');
}

function decodeUrlText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
