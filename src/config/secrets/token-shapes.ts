import { isUtf8 } from 'node:buffer';
import { RE2JS } from 're2js';
import { type Literal, LiteralSearch } from './literal-search.js';
import ruleTable from './token-rules.json' with { type: 'json' };

/** A way in which secrets are written, so that unknown ones can be recognised. */
interface TokenShape {
  /**
   * Finds what stands before a secret, and the secret. Must take linear time on any input: no part
   * may be tried again from every place inside of what it matches. Nothing in it is repeated without
   * a bound: JavaScript gives up with an error on a word of some ten million characters.
   */
  pattern: RegExp;
  /** One of these texts begins every match, or what `trace` matches. At least three characters. */
  keywords: readonly string[];
  ignoresCase?: true;
  /**
   * Matches where a keyword is, wherever the first pattern is found; also while the text is written as
   * JSON (where `\n` before a token makes one word of it). It only has to be cheap.
   */
  trace: RegExp;
  /** What stands before is no secret in itself, and says what the secret was. */
  keepsBefore?: true;
  /** Distinguishes a secret from ordinary words of the same shape. */
  isSecret?: (text: string) => boolean;
}

const bearer: TokenShape = {
  pattern: /(\bbearer\s{1,16})([^\s"'\\,}]{8,65536})/gi,
  keywords: ['bearer'],
  ignoresCase: true,
  trace: /bearer[\s\\]/iy,
  keepsBefore: true,
  isSecret: looksRandom,
};

const basic: TokenShape = {
  pattern: /(\bbasic\s{1,16})([^\s"'\\,}]{8,65536})/gi,
  keywords: ['basic'],
  ignoresCase: true,
  trace: /basic[\s\\]/iy,
  keepsBefore: true,
  isSecret: isNameAndPassword,
};

const urlPassword: TokenShape = {
  pattern: /(:\/\/[^\s/@:?#"\\<>]{0,4096}:)([^\s/@?#"\\<>]{1,4096})(?=@)/g,
  keywords: ['://'],
  trace: /:\/\/[^\s/@:?#"\\<>]{0,4096}:[^\s/@?#"\\<>]{1,4096}@/y,
  keepsBefore: true,
};

const modelKey: TokenShape = {
  pattern: /(\b(?:sk|pk|rk)-(?:live-|test-|proj-|ant-)?)([A-Za-z0-9_-]{12,4096})/g,
  keywords: ['sk-', 'pk-', 'rk-'],
  trace: /[spr]k-(?<=(?:^|\W|\\[bfnrt])..-)[\w-]{12}/y,
  isSecret: looksRandom,
};

const platformToken: TokenShape = {
  pattern: /(\b(?:ghp|gho|ghs|ghu|github_pat|glpat|xox[abprs])[-_])([A-Za-z0-9_-]{12,4096})/g,
  keywords: ['ghp', 'gho', 'ghs', 'ghu', 'github_pat', 'glpat', 'xox'],
  trace: /(?:gh[opsu]|github_pat|glpat|xox[abprs])[-_][\w-]{12}/y,
};

/** Also where its end was cut off. What stands between the lines of a key is no secret, but short. */
const privateKey: TokenShape = {
  pattern:
    /(-----BEGIN[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?-----)((?:[\w\s+/=:,.()\\]|-(?!----)){16,16384}(?:-----END[ A-Z0-9]{0,50}-----)?)/g,
  keywords: ['-----BEGIN'],
  trace: /-----BEGIN[ A-Z0-9]{0,40}PRIVATE KEY/y,
  isSecret: (text) => /[A-Za-z0-9+/=]{24}/.test(text),
};

const twilioKey: TokenShape = {
  pattern: /(\bSK)([0-9a-f]{32})\b/g,
  keywords: [...'0123456789abcdef'].map((digit) => `SK${digit}`),
  trace: /SK[0-9a-f]{32}/y,
};

const awsKey: TokenShape = {
  pattern: /(\b(?:AKIA|ASIA))([A-Z0-9]{12,4096})/g,
  keywords: ['AKIA', 'ASIA'],
  trace: /A[KS]IA[A-Z0-9]{12}/y,
};

/** Three parts; an encrypted one has five. Not from the middle of a word: that would be quadratic. */
const jsonWebToken: TokenShape = {
  pattern: /((?<![\w-])eyJ)([\w-]{6,65536}(?:\.[\w-]{6,65536}){2,4})/g,
  keywords: ['eyJ'],
  trace: /eyJ[\w-]{6}/y,
};

const tokenShapes: readonly TokenShape[] = [
  bearer,
  basic,
  urlPassword,
  privateKey,
  modelKey,
  platformToken,
  twilioKey,
  awsKey,
  jsonWebToken,
];

/** A part of a text that has the shape of a token. */
export interface FoundToken {
  start: number;
  /** Behind what says which kind of token it is. */
  secretStart: number;
  end: number;
}

/** Finds one kind of token, given the places in a text that it may have something to do with. */
export interface TokenFinder {
  /** `isUnsure` takes words, too, that only could be one. */
  find(text: string, places: readonly number[], isUnsure?: boolean): Iterable<FoundToken>;
}

class ShapeFinder implements TokenFinder {
  readonly #shape: TokenShape;

  constructor(shape: TokenShape) {
    this.#shape = shape;
  }

  *find(text: string, _places: readonly number[], isUnsure = false): Generator<FoundToken> {
    const { pattern, keepsBefore, isSecret } = this.#shape;
    for (const { index, 0: whole, 1: before = '', 2: secret = '' } of text.matchAll(pattern)) {
      if (secret.includes('${') || (!isUnsure && isSecret?.(secret) === false)) continue;
      const secretStart = index + before.length;
      yield { start: keepsBefore ? secretStart : index, secretStart, end: index + whole.length };
    }
  }
}

/** A shape of tokens, from the rules of gitleaks. Its first group is the token. */
export interface TokenRule {
  name: string;
  /** RE2 */
  pattern: string;
  /** In bits for each character: what has less is no token. */
  entropy?: number;
  /** One of these texts is in every token. */
  keywords: readonly string[];
  /** Whether keywords are also found in other case. */
  ignoresCase?: boolean;
}

const tokenRules: readonly TokenRule[] = ruleTable.rules;

/** A rule of the table. Compiling all of them would take longer than most commands do. */
class RuleFinder implements TokenFinder {
  readonly #rule: TokenRule;
  #compiled: RE2JS | undefined;

  constructor(rule: TokenRule) {
    this.#rule = rule;
  }

  /** The tokens at the places of keywords, which are in order. */
  *find(text: string, places: readonly number[]): Generator<FoundToken> {
    for (const { start, end } of findWordsAround(text, places))
      yield* this.#findIn(text, start, end);
  }

  *#findIn(text: string, start: number, end: number): Generator<FoundToken> {
    const { pattern, entropy = 0 } = this.#rule;
    this.#compiled ??= RE2JS.compile(pattern);
    const words = text.slice(start, end);
    const matcher = this.#compiled.matcher(words);
    while (matcher.find()) {
      const [from, to] = [matcher.start(1), matcher.end(1)];
      if (measureEntropy(words.slice(from, to)) < entropy) continue;
      // It may go on behind what was looked at.
      const isCut = start + to === end && end < text.length && !/\s/.test(text[end] ?? ' ');
      const at = start + from;
      yield { start: at, secretStart: at, end: isCut ? findWordEnd(text, end) : start + to };
    }
  }
}

/** What to look for to find tokens. */
export const tokenTraces: readonly Literal<TokenFinder>[] = [
  ...tokenShapes.flatMap(({ keywords, ignoresCase, trace, ...shape }) => {
    const target = new ShapeFinder({ keywords, trace, ...shape });
    return keywords.map((text) => ({
      text,
      ...(ignoresCase && { ignoresCase }),
      check: trace,
      target,
    }));
  }),
  ...tokenRules.flatMap((rule) => {
    const target = new RuleFinder(rule);
    const { keywords, ignoresCase } = rule;
    return keywords.map((text) => ({ text, ...(ignoresCase && { ignoresCase }), target }));
  }),
];

let traceSearch: LiteralSearch<TokenFinder> | undefined;

/** Everything in a text that has, or could have, the shape of a token. */
function* findTokens(text: string): Generator<FoundToken> {
  traceSearch ??= new LiteralSearch(tokenTraces);
  const places = new Map<TokenFinder, number[]>();
  traceSearch.visit(text, 0, ({ target: finder }, at) => {
    const known = places.get(finder);
    if (known) known.push(at);
    else places.set(finder, [at]);
    return true;
  });
  for (const [finder, all] of places) yield* finder.find(text, all, true);
}

interface Range {
  start: number;
  end: number;
}

/** No token begins so far before its keyword. */
const maxLengthBefore = 100;
/** The shortest form of every token ends within this length; longer ones are followed to their end. */
const maxLengthAfter = 1_024;
/** No token is shorter. */
const minTokenLength = 12;

/** The words, in the sense that no space is in them, in which keywords stand; joined where they meet. */
function* findWordsAround(text: string, places: readonly number[]): Generator<Range> {
  let last: Range | undefined;
  for (const place of places) {
    let start = place;
    while (start > 0 && start > place - maxLengthBefore && !isSpace(text, start - 1)) start--;
    let end = Math.max(place, last && last.end > place ? last.end : place);
    const farthest = Math.min(text.length, place + maxLengthAfter);
    while (end < farthest && !isSpace(text, end)) end++;
    if (end - start < minTokenLength) continue;
    if (last && start <= last.end) {
      last.end = Math.max(last.end, end);
      continue;
    }
    if (last) yield last;
    last = { start, end };
  }
  if (last) yield last;
}

function isSpace(text: string, at: number): boolean {
  return text.charCodeAt(at) <= 0x20;
}

/** Where what goes on like a token ends. */
function findWordEnd(text: string, from: number): number {
  const rest = /[^\w+/=.~-]/g;
  rest.lastIndex = from;
  return rest.exec(text)?.index ?? text.length;
}

/** In bits for each character, as Shannon counts. */
function measureEntropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values())
    bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** `Bearer authentication` and `sk-learn-models` are words; a token has digits, or Case, or length. */
function looksRandom(text: string): boolean {
  return text.length >= 24 || /\d|[a-z][A-Z]/.test(text);
}

/** `Basic information` is no login, which is a name, a colon and a password in base64. */
function isNameAndPassword(text: string): boolean {
  const bytes = Buffer.from(text, 'base64');
  return bytes.includes(':') && isUtf8(bytes);
}

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
