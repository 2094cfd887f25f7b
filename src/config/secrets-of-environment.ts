import type { Environment } from './environment-expansion.js';
import { stringsWith } from './environment-expansion.js';
import { findPlaceholders } from './placeholders.js';
import { holdsSecret, isCredentialHeader, mayNameSecret, soundsSecret } from './secret-names.js';
import type { Secrets } from './secrets.js';
import { addPartsOfUrl, addPasswordBefore } from './secrets-of-requests.js';

/** No credentials are longer, and whoever has a larger variable does not wait for us to read it. */
const longestParsed = 256 * 1024;

/**
 * The secrets in the environment of this process: servers, agents and scripts inherit it, and print what
 * they find there.
 */
export function addEnvironment(secrets: Secrets, environment: Environment): void {
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined) addVariable(secrets, name, value);
  }
}

/** The secret that is the value of a variable, and those in it. */
export function addVariable(secrets: Secrets, name: string, text: string): void {
  const value = text.trim();
  if (holdsSecret(name, value)) {
    addCredential(secrets, name, value);
    addParts(secrets, name, value);
    addItems(secrets, name, value);
    if (!value.includes('://')) addPasswordBefore(secrets, value);
  }
  // Whatever the variable is called: DATABASE_URL, HTTP_PROXY, SERVICE_ACCOUNT.
  addPartsOfUrl(secrets, value);
  if (/^[[{]/.test(value) && value.length <= longestParsed) addMembers(secrets, value);
}

/** Also without the word that stands before a token in a header. */
function addCredential(secrets: Secrets, name: string, value: string): void {
  secrets.add(name, /^(?:bearer|basic|token)\s+(\S.*)$/i.exec(value)?.[1]);
  secrets.add(name, value);
}

/** No connection string is longer. */
const longestConnection = 8 * 1024;

/** `Server=db;Password=...;` and `host=db password='...'` */
function addParts(secrets: Secrets, name: string, value: string): void {
  if (value.length > longestConnection) return;
  const parts =
    /(?:^|[;\s])([A-Za-z]+(?: [A-Za-z]+){0,3})\s*=\s*(?:'([^']+)'|"([^"]+)"|([^;\s]+))/g;
  for (const [, key = '', single, double, bare = ''] of value.matchAll(parts)) {
    const part = single ?? double ?? bare;
    if (part !== value && holdsSecret(key, part)) secrets.add(name, part);
  }
}

/** Each of several tokens: `API_KEYS=one,other`. */
function addItems(secrets: Secrets, name: string, value: string): void {
  const items = value.split(/[,;]/).map((item) => item.trim());
  if (items.length === 1 || !soundsSecret(/[A-Za-z]+$/.exec(name)?.[0] ?? '')) return;
  if (items.every((item) => /^[\w.~+/-]+={0,2}$/.test(item))) {
    for (const item of items) if (holdsSecret(name, item)) secrets.add(name, item);
  }
}

/** The keys in JSON, such as that of a service account. */
function addMembers(secrets: Secrets, json: string): void {
  let data: unknown;
  try {
    data = JSON.parse(json);
  } catch {
    return;
  }
  for (const { path, text } of stringsWith('', data, [])) {
    const key = path.findLast((each) => typeof each === 'string');
    const name = String(key ?? '');
    if (holdsSecret(name, text)) addCredential(secrets, name, text);
    else addPartsOfUrl(secrets, text);
  }
}

/**
 * The secrets among the words of a command line: `--api-key=...`, `--token ...`, `API_KEY=...`,
 * `--header "Authorization: Bearer ..."`.
 */
export function addArguments(secrets: Secrets, args: readonly string[]): void {
  let before = '';
  for (const word of args) {
    const [, option = '', joined] = /^-{0,2}([A-Za-z][\w.-]*)=(.+)$/s.exec(word) ?? [];
    const [, header = '', sent] = /^([A-Za-z][\w-]*):\s*(\S.*)$/s.exec(word) ?? [];
    const following = /^--?([A-Za-z][\w.-]*)$/.exec(before)?.[1] ?? '';
    if (joined !== undefined && holdsSecret(option, joined)) secrets.add(option, joined);
    else if (sent !== undefined && (isCredentialHeader(header) || holdsSecret(header, sent))) {
      addCredential(secrets, header, sent);
    } else if (following !== '' && !word.startsWith('-') && holdsSecret(following, word)) {
      secrets.add(following, word);
    }
    addPartsOfUrl(secrets, joined ?? word);
    before = word;
  }
}

/** The secrets that are written out in the words of a shell script. */
export function addScript(secrets: Secrets, script: string): void {
  // Quotes may stand within a word, which is read without them.
  const read = script.replace(/["']/g, '');
  if (!mayNameSecret(read) && !read.includes('://')) return;
  const words = script.match(/(?:"(?:[^"\\]|\\.)*"|'[^'\n]*'|[^\s"';|&()<>])+/gs) ?? [];
  const literals = words.map((word) => {
    // What the shell puts in is written nowhere.
    if (/[$`]/.test(word.replace(/'[^']*'/g, '')) || findPlaceholders(word).length > 0) return '';
    return word.replace(/["']/g, '');
  });
  addArguments(secrets, literals);
}
