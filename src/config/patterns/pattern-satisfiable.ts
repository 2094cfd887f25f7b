import { getCompiledForm, type Pattern } from './pattern.js';

interface Instruction {
  operation: number;
  next: number;
  argument: number;
  runes: ArrayLike<number>;
}

interface Program {
  instructions: Instruction[];
  start: number;
}

// The instructions of re2js. Two more are for lookbehinds, which RE2 has not.
const alternative = 1;
const alternativeMatch = 2;
const capture = 3;
const emptyWidth = 4;
const fail = 5;
const match = 6;
const nothing = 7;
const lastRuneOperation = 11; // all from 8 take a character

const foldCase = 1;

const beginLine = 1;
const endLine = 2;
const beginText = 4;
const endText = 8;
const wordBoundary = 16;
const noWordBoundary = 32;

// What stands on one side of a position in a name. As a name has no line ends, its outside is the
// only place where a line or the text begins or ends.
const outside = 0;
const word = 1;
const other = 2;
const kinds = [outside, word, other];

const wordRanges = [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a];

/** In order: control characters, white space and the word characters. */
const notOtherRanges = [
  ...[0x00, 0x20, 0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a, 0x7f, 0xa0, 0x1680, 0x1680],
  ...[0x2000, 0x200a, 0x2028, 0x2029, 0x202f, 0x202f, 0x205f, 0x205f, 0x3000, 0x3000],
];

/**
 * Whether there is a name that the pattern matches: one or more characters, none of them white
 * space or a control character. Returns true when it cannot decide.
 */
export function canMatchSomeName(pattern: Pattern): boolean {
  const program = readProgram(getCompiledForm(pattern));
  return program === undefined || reachesMatch(program);
}

/**
 * The internals of re2js are not part of its promises, so nothing is taken for granted: undefined
 * if anything looks other than expected.
 */
function readProgram(compiled: unknown): Program | undefined {
  const program = getProperty(getProperty(compiled, 're2Input'), 'prog');
  const list = getProperty(program, 'inst');
  const start = getProperty(program, 'start');
  if (!Array.isArray(list) || !isIndex(start, list.length)) {
    return undefined;
  }
  const instructions: Instruction[] = [];
  for (const item of list) {
    const instruction = readInstruction(item, list.length);
    if (instruction === undefined) {
      return undefined;
    }
    instructions.push(instruction);
  }
  return { instructions, start };
}

function readInstruction(item: unknown, count: number): Instruction | undefined {
  const operation = getProperty(item, 'op');
  const next = getProperty(item, 'out');
  const argument = getProperty(item, 'arg');
  const runes = getProperty(item, 'runes');
  if (
    !isIndex(operation, lastRuneOperation + 1) ||
    operation < alternative ||
    !isIndex(next, count) ||
    typeof argument !== 'number' ||
    !(Array.isArray(runes) || runes instanceof Int32Array)
  ) {
    return undefined;
  }
  const branches = operation === alternative || operation === alternativeMatch;
  if (branches && !isIndex(argument, count)) {
    return undefined;
  }
  return { operation, next, argument, runes };
}

function getProperty(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

function isIndex(value: unknown, count: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < count;
}

/**
 * A search over all states: an instruction, what stands before it and what stands behind it. What
 * stands behind is guessed, since \b and $ ask for it before the instruction that takes it.
 */
function reachesMatch({ instructions, start }: Program): boolean {
  const seen = new Uint8Array(instructions.length * 9);
  const pending: number[] = [];
  const visit = (index: number, before: number, behind: number) => {
    const state = index * 9 + before * 3 + behind;
    if (seen[state] === 0) {
      seen[state] = 1;
      pending.push(state);
    }
  };

  for (const before of kinds) {
    for (const behind of kinds) {
      // Nothing on either side is the empty text, which is no name.
      if (before !== outside || behind !== outside) {
        visit(start, before, behind);
      }
    }
  }

  for (let state = pending.pop(); state !== undefined; state = pending.pop()) {
    const behind = state % 3;
    const before = Math.floor(state / 3) % 3;
    const instruction = instructions[Math.floor(state / 9)];
    if (instruction === undefined) {
      return true;
    }
    const { operation, next, argument } = instruction;
    switch (operation) {
      case match:
        return true;
      case fail:
        break;
      case alternative:
      case alternativeMatch:
        visit(next, before, behind);
        visit(argument, before, behind);
        break;
      case capture:
      case nothing:
        visit(next, before, behind);
        break;
      case emptyWidth:
        if ((argument & ~findConditions(before, behind)) === 0) {
          visit(next, before, behind);
        }
        break;
      default:
        if (acceptsKind(instruction, behind)) {
          for (const kind of kinds) {
            visit(next, behind, kind);
          }
        }
    }
  }
  return false;
}

/** The assertions that hold between two characters, as bits. */
function findConditions(before: number, behind: number): number {
  const begin = before === outside ? beginLine | beginText : 0;
  const end = behind === outside ? endLine | endText : 0;
  const differ = (before === word) !== (behind === word);
  return begin | end | (differ ? wordBoundary : noWordBoundary);
}

/** Whether the instruction accepts some name character of the kind. */
function acceptsKind({ argument, runes }: Instruction, kind: number): boolean {
  if (kind === outside) {
    return false;
  }
  const single = runes[0];
  if (runes.length === 1 && single !== undefined) {
    const folds = (argument & foldCase) !== 0 ? listCaseVariants(single) : [single];
    return folds.some((rune) => hasKind(rune, rune, kind));
  }
  for (let index = 0; index + 1 < runes.length; index += 2) {
    if (hasKind(runes[index] ?? 0, runes[index + 1] ?? 0, kind)) {
      return true;
    }
  }
  return false;
}

/**
 * Case variants of a letter are of the same kind as the letter, but for two: the Kelvin sign and
 * the long s are no word characters in RE2, though k and s are.
 */
function listCaseVariants(rune: number): number[] {
  const orbits = [
    [0x4b, 0x6b, 0x212a],
    [0x53, 0x73, 0x17f],
  ];
  return orbits.find((orbit) => orbit.includes(rune)) ?? [rune];
}

function hasKind(low: number, high: number, kind: number): boolean {
  if (kind === word) {
    for (let index = 0; index < wordRanges.length; index += 2) {
      if (low <= (wordRanges[index + 1] ?? 0) && high >= (wordRanges[index] ?? 0)) {
        return true;
      }
    }
    return false;
  }
  let rest = low;
  for (let index = 0; index < notOtherRanges.length; index += 2) {
    if (rest >= (notOtherRanges[index] ?? 0)) {
      rest = Math.max(rest, (notOtherRanges[index + 1] ?? 0) + 1);
    }
  }
  return rest <= high;
}
