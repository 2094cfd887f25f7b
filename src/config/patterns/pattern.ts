import { RE2JS, RE2JSSyntaxException, RE2Set } from 're2js';
import { errorMessage } from '../../base/errors.js';

export interface Pattern {
  readonly source: string;
  /** Whether the pattern matches anywhere in the text. */
  test(text: string): boolean;
}

interface Refusal {
  ok: false;
  /** Where in the source the mistake is, in UTF-16 units. */
  offset: number;
  length: number;
  reason: string;
  hint?: string;
}

export type PatternResult = { ok: true; pattern: Pattern } | Refusal;

const maxSourceLength = 1_000;

// RE2 itself allows a thousand characters repeated a thousand times, which takes 100 MB and most
// of a second, which no author intends.
const maxProgramSize = 50_000;

// A suite of thousands of files repeats the same few patterns. The second bound keeps a thousand
// large ones from filling the memory: it comes to some 50 MB.
const maxCached = 1_000;
const maxCachedInstructions = 500_000;

const maxQuotedLength = 40;
const unsupportedSyntax = 'invalid or unsupported Perl syntax';
const lookaround = /^\(\?<?[=!]/;

const cache = new Map<string, { result: PatternResult; instructions: number }>();
let cachedInstructions = 0;

const compiledForms = new WeakMap<Pattern, RE2JS>();

/** Compiles a pattern in the syntax of Go's regexp package, which is RE2. */
export function compilePattern(source: string): PatternResult {
  if (source.length > maxSourceLength) {
    return {
      ok: false,
      offset: maxSourceLength,
      length: source.length - maxSourceLength,
      reason: `longer than ${maxSourceLength} characters`,
    };
  }
  const cached = cache.get(source);
  if (cached !== undefined) {
    cache.delete(source);
    cache.set(source, cached);
    return cached.result;
  }
  const result = compile(source);
  remember(source, result);
  return result;
}

/** A pattern that matches a text as it is, also where it stands within brackets. */
export function quotePattern(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, '\\$&');
}

/** Where a pattern matches; a match of nothing is none. */
export function* findMatches(
  pattern: Pattern,
  text: string,
): Generator<{ start: number; end: number }> {
  const matcher = compiledForms.get(pattern)?.matcher(text);
  while (matcher?.find()) {
    const [start, end] = [matcher.start(), matcher.end()];
    if (end > start) yield { start, end };
  }
}

/** For the analysis of a pattern only: what re2js made of it. */
export function getCompiledForm(pattern: Pattern): unknown {
  return compiledForms.get(pattern);
}

function compile(source: string): PatternResult {
  try {
    const compiled = RE2JS.compile(source);
    const size = compiled.programSize();
    if (size > maxProgramSize) {
      const reason = `the repetitions multiply to ${size} steps, more than ${maxProgramSize}`;
      return { ok: false, offset: 0, length: source.length, reason };
    }
    const pattern: Pattern = { source, test: (text) => compiled.test(text) };
    compiledForms.set(pattern, compiled);
    return { ok: true, pattern };
  } catch (error) {
    try {
      return describeRefusal(source, error);
    } catch {
      return describeUnexplained(source, error);
    }
  }
}

function remember(source: string, result: PatternResult): void {
  const compiled = result.ok ? compiledForms.get(result.pattern) : undefined;
  const instructions = compiled?.programSize() ?? 0;
  cache.set(source, { result, instructions });
  cachedInstructions += instructions;
  for (const [oldest, entry] of cache) {
    if (cache.size <= maxCached && cachedInstructions <= maxCachedInstructions) {
      break;
    }
    cache.delete(oldest);
    cachedInstructions -= entry.instructions;
  }
}

function describeUnexplained(source: string, error: unknown): Refusal {
  const message = errorMessage(error);
  return { ok: false, offset: 0, length: source.length, reason: `cannot be compiled: ${message}` };
}

function describeRefusal(source: string, error: unknown): Refusal {
  if (!(error instanceof RE2JSSyntaxException)) {
    return describeUnexplained(source, error);
  }
  const { offset, length } = locateFault(source, error);
  const fragment = source.slice(offset, offset + length);
  const fault = lookaround.test(fragment) ? unsupportedSyntax : error.error;
  const hint = makeHint(fault, fragment, { source, offset });
  const quoted = length <= maxQuotedLength && error.input !== null && error.input !== source;
  const reason = quoted ? `${fault}: \`${fragment}\`` : fault;
  return { ok: false, offset, length, reason, ...(hint === undefined ? {} : { hint }) };
}

/**
 * The parser names the fragment it failed at but not its place, and the fragment may occur
 * elsewhere with no fault in it. The parser reads from left to right, so its own verdict on the
 * prefixes of the source finds the place.
 */
function locateFault(
  source: string,
  error: RE2JSSyntaxException,
): { offset: number; length: number } {
  switch (error.error) {
    case 'trailing backslash at end of expression':
      return { offset: source.length - 1, length: 1 };
    case 'missing closing )':
      return { offset: findUnclosedParenthesis(source), length: 1 };
    case 'unexpected )':
      return { offset: findFaultEnd(source, error) - 1, length: 1 };
  }
  if (error.input === null) {
    return { offset: 0, length: source.length };
  }
  // A name is only read up to the ">" behind it, which is not part of the fragment.
  const behind = error.error === 'duplicate capture group name' ? 1 : 0;
  const offset =
    error.input === source ? 0 : findFaultEnd(source, error) - behind - error.input.length;
  // The parser takes the "(?<" of a lookbehind for a group name, which may go on to the end.
  const opening = lookaround.exec(error.input)?.[0];
  return { offset, length: (opening ?? error.input).length };
}

/** How much of the source the parser has read when it fails. */
function findFaultEnd(source: string, fault: RE2JSSyntaxException): number {
  const whole = fault.input === source;
  const failsAlike = (length: number) => {
    const error = findSyntaxError(source.slice(0, length));
    return error?.error === fault.error && (whole || error.input === fault.input);
  };
  let low = 0;
  let high = source.length;
  while (low + 1 < high) {
    const middle = Math.floor((low + high) / 2);
    // A prefix can fail alike just because it is cut off, as "(?" of "(?i)a(?". Then the next
    // longer one does not.
    if (failsAlike(middle) && failsAlike(middle + 1)) {
      high = middle;
    } else {
      low = middle;
    }
  }
  return high;
}

/** The part before the outermost open parenthesis is a pattern, and no longer part is. */
function findUnclosedParenthesis(source: string): number {
  let offset = source.lastIndexOf('(');
  while (offset > 0 && findSyntaxError(source.slice(0, offset)) !== undefined) {
    offset = source.lastIndexOf('(', offset - 1);
  }
  return Math.max(offset, 0);
}

/** Adding to a set parses without compiling: a prefix may be large, and there are many. */
function findSyntaxError(source: string): RE2JSSyntaxException | undefined {
  try {
    new RE2Set().add(source);
    return undefined;
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) {
      return error;
    }
    throw error;
  }
}

function makeHint(
  fault: string,
  fragment: string,
  { source, offset }: { source: string; offset: number },
): string | undefined {
  switch (fault) {
    case 'missing argument to repetition operator':
      return fragment.startsWith('*') ? makeGlobHint(source) : makeLiteralHint(fragment.charAt(0));
    case 'invalid nested repetition operator':
      if (/^\*+$/.test(fragment)) {
        return makeGlobHint(source);
      }
      return fragment.endsWith('+')
        ? 'RE2 has no possessive quantifiers, and needs none because it never backtracks: drop the last +'
        : 'to repeat a repetition, put it into a group first: (?:...)';
    case unsupportedSyntax:
    case 'invalid named capture':
      return makeGroupHint(source.slice(offset, offset + 4));
    case 'invalid escape sequence':
      return makeEscapeHint(fragment);
    case 'invalid repeat count':
      return isReversed(fragment)
        ? 'the lower number comes first'
        : 'RE2 repeats at most 1000 times, repetitions in repetitions multiplied';
    case 'invalid character class range':
      return /^(\\p|\[:)/i.test(fragment)
        ? 'there is no character class of this name'
        : 'the lower character comes first; to match a literal -, put it last';
    case 'missing closing ]':
      return makeLiteralHint('[');
    case 'missing closing )':
      return makeLiteralHint('(');
    case 'unexpected )':
      return makeLiteralHint(')');
    case 'trailing backslash at end of expression':
      return makeLiteralHint('\\');
  }
  return undefined;
}

function makeLiteralHint(character: string): string {
  return `to match a literal ${character}, write \\${character}`;
}

function makeGlobHint(source: string): string {
  const hint = 'a pattern is a regular expression, not a glob';
  const onlyGlob = /^[\w*.:/ |-]*$/.test(source);
  const meant = onlyGlob
    ? source.replace(/\.?\*+|\./g, (part) => (part === '.' ? '\\.' : '.*'))
    : source.replace(/(^|[(|])\*+|\.?\*\*+/g, '$1.*');
  return findSyntaxError(meant) === undefined ? `${hint}: did you mean ${meant}?` : hint;
}

function makeGroupHint(opening: string): string {
  if (/^\(\?[=!]/.test(opening)) {
    return 'RE2 has no lookahead: check what must or must not follow with a separate pattern';
  }
  if (/^\(\?<[=!]/.test(opening)) {
    return 'RE2 has no lookbehind: check what must or must not come before with a separate pattern';
  }
  if (opening.startsWith('(?>')) {
    return 'RE2 has no atomic groups, and needs none because it never backtracks: write (?:...)';
  }
  if (opening.startsWith('(?P=')) {
    return 'RE2 has no backreferences';
  }
  if (opening.startsWith('(?P<') || opening.startsWith('(?<')) {
    return 'name a group with letters, digits and _, like (?P<name>...)';
  }
  return 'RE2 knows (?:...), (?P<name>...) and the flags i, m, s and U, like (?i)';
}

function makeEscapeHint(sequence: string): string {
  const character = sequence.charAt(1);
  if (character === 'Z') {
    return 'the end of the text is \\z in RE2';
  }
  if (/[1-9kg]/.test(character)) {
    return 'RE2 has no backreferences';
  }
  if (/[xu]/.test(character)) {
    return 'write a character by its code like \\x41 or \\x{1F600}';
  }
  if (/[dswDSW]/.test(character)) {
    return `a range cannot go to \\${character}; to match a literal -, put it last`;
  }
  return makeLiteralHint('\\');
}

function isReversed(repetition: string): boolean {
  const [, low, high] = /^\{(\d+),(\d+)\}/.exec(repetition) ?? [];
  return Number(low) > Number(high);
}
