import { isUtf8 } from 'node:buffer';

/** A way in which secrets are written, so that they can be told without being known. */
export interface TokenShape {
  /**
   * Finds what stands before a secret, and the secret. Must take linear time on any input: no part
   * may be tried again from every place inside of what it matches.
   */
  pattern: RegExp;
  /**
   * Source of a pattern without flags that is found wherever the first one is, also while the text is
   * written as JSON (where `\n` before a token makes one word of it). It only has to be cheap.
   */
  trace: string;
  /** What stands before is no secret in itself, and says what the secret was. */
  keepsBefore?: true;
  /** Tells a secret from ordinary words that have the same shape. */
  isSecret?: (text: string) => boolean;
}

const bearer: TokenShape = {
  pattern: /(\bbearer\s+)([^\s"'\\,}]{8,})/gi,
  trace: String.raw`[Bb][Ee][Aa][Rr][Ee][Rr][\s\\]`,
  keepsBefore: true,
  isSecret: looksRandom,
};

const basic: TokenShape = {
  pattern: /(\bbasic\s+)([^\s"'\\,}]{8,})/gi,
  trace: String.raw`[Bb][Aa][Ss][Ii][Cc][\s\\]`,
  keepsBefore: true,
  isSecret: isNameAndPassword,
};

const urlPassword: TokenShape = {
  pattern: /(:\/\/[^\s/@:?#"\\<>]*:)([^\s/@?#"\\<>]+)(?=@)/g,
  trace: String.raw`:\/\/[^\s/@:?#"\\<>]*:[^\s/@?#"\\<>]+@`,
  keepsBefore: true,
};

const modelKey: TokenShape = {
  pattern: /(\b(?:sk|pk|rk)-(?:live-|test-|proj-|ant-)?)([A-Za-z0-9_-]{12,})/g,
  trace: String.raw`[spr]k-(?<=(?:^|\W|\\[bfnrt])..-)[\w-]{12}`,
  isSecret: looksRandom,
};

const platformToken: TokenShape = {
  pattern: /(\b(?:ghp|gho|ghs|ghu|github_pat|glpat|xox[abprs])[-_])([A-Za-z0-9_-]{12,})/g,
  trace: String.raw`(?:gh[opsu]|github_pat|glpat|xox[abprs])[-_][\w-]{12}`,
};

const awsKey: TokenShape = {
  pattern: /(\b(?:AKIA|ASIA))([A-Z0-9]{12,})/g,
  trace: 'A[KS]IA[A-Z0-9]{12}',
};

/** Three parts; an encrypted one has five. Not from the middle of a word: that would be quadratic. */
const jsonWebToken: TokenShape = {
  pattern: /((?<![\w-])eyJ)([\w-]{6,}(?:\.[\w-]{6,}){2,4})/g,
  trace: String.raw`eyJ[\w-]{6}`,
};

export const tokenShapes: readonly TokenShape[] = [
  bearer,
  basic,
  urlPassword,
  modelKey,
  platformToken,
  awsKey,
  jsonWebToken,
];

/** `Bearer authentication` and `sk-learn-models` are words; a token has digits, or Case, or length. */
function looksRandom(text: string): boolean {
  return text.length >= 24 || /\d|[a-z][A-Z]/.test(text);
}

/** `Basic information` is no login, which is a name, a colon and a password in base64. */
function isNameAndPassword(text: string): boolean {
  const bytes = Buffer.from(text, 'base64');
  return bytes.includes(':') && isUtf8(bytes);
}
