import { compilePattern } from '../patterns/pattern.js';
import { canMatchSomeName } from '../patterns/pattern-satisfiable.js';
import type { Problems } from '../problems/problem.js';
import {
  type AssertionDefinition,
  type Assertions,
  assertionDefinitions,
  type CallKind,
} from '../schemas/assertions-schema.js';
import type { DataPath, SourceFile } from '../yaml/source-file.js';

/** The keys of an item for an exact name and for a pattern, by what the item is about. */
export const callKinds = {
  tool: { exact: 'tool', pattern: 'toolPattern' },
  resource: { exact: 'uri', pattern: 'uriPattern' },
  prompt: { exact: 'prompt', pattern: 'promptPattern' },
  skill: { exact: 'skill', pattern: 'skillPattern' },
} as const satisfies Record<CallKind, { exact: string; pattern: string }>;

type Definitions = typeof assertionDefinitions;

/** Names of the assertions that are lists of items of one kind. */
export type ItemList = {
  [Name in keyof Definitions]: Definitions[Name] extends { items: CallKind } ? Name : never;
}[keyof Definitions];

type OppositeList = Extract<Definitions[keyof Definitions], { opposite: string }>['opposite'];

const definitions = Object.entries<AssertionDefinition>(assertionDefinitions);

/** The kind of the items of each such list. */
export const listKinds = Object.fromEntries(
  definitions.flatMap(([name, { items }]) => (items === undefined ? [] : [[name, items]])),
) as { [Name in ItemList]: Definitions[Name]['items'] };

/** Pairs of a list that requires items and the list that forbids the same. */
export const oppositeLists = definitions.flatMap(([name, { opposite }]) =>
  opposite === undefined ? [] : [[name, opposite]],
) as (readonly [ItemList, OppositeList])[];

/** Names of the assertions with a fact. */
export function assertionsWith(fact: keyof AssertionDefinition): (keyof Assertions)[] {
  const names = Object.keys(assertionDefinitions) as (keyof Assertions)[];
  return names.filter((name) => fact in assertionDefinitions[name]);
}

/** An item of any list, as far as its keys are texts. */
export type AssertionItem = Partial<Record<string, string>>;

const exactKeys = ['name', ...Object.values(callKinds).map(({ exact }) => exact)];
const patternKeys = Object.values(callKinds).map(({ pattern }) => pattern);

/** The key that names what an item is about, and what it says; none means anything of the server. */
export function findExactName(item: AssertionItem): { key: string; name: string } | undefined {
  return findFirstKey(item, exactKeys);
}

export function findNamePattern(item: AssertionItem): { key: string; name: string } | undefined {
  return findFirstKey(item, patternKeys);
}

function findFirstKey(item: AssertionItem, keys: readonly string[]) {
  const key = keys.find((candidate) => item[candidate] !== undefined);
  return key === undefined ? undefined : { key, name: item[key] ?? '' };
}

/** Assertions with the place they stand at. */
export interface PlacedAssertions {
  file: SourceFile;
  path: DataPath;
  data: Assertions;
}

/** What can be said of each item by itself. How items fit together is checked per task. */
export function checkAssertionItems(
  { file, path, data }: PlacedAssertions,
  problems: Problems,
): void {
  for (const [list, kind] of Object.entries(listKinds)) {
    const { exact: exactKey, pattern: patternKey } = callKinds[kind];
    const items = (data[list as ItemList] ?? []) as Record<string, unknown>[];
    for (const [index, item] of items.entries()) {
      const at = [...path, list, index];
      const both = item[exactKey] !== undefined && item[patternKey] !== undefined;
      if (both && exactKey !== 'skill') {
        const message = `both ${exactKey} and ${patternKey} are given: a call matches if either fits`;
        problems.atKey(file, [...at, patternKey], 'name-and-pattern', message);
      }
      checkPattern(file, [...at, patternKey], item[patternKey], problems);
      checkArguments(file, at, item, problems);
    }
  }
  for (const [index, item] of (data.callOrder ?? []).entries()) {
    for (const type of ['tool', 'resource', 'prompt'] as const) {
      const key = callKinds[type].pattern;
      const at = [...path, 'callOrder', index, key];
      checkPattern(file, at, item[key], problems);
      if (item[key] === undefined || item.type === type) continue;
      const message = `${key} is for type ${type}, this item has type ${item.type}`;
      problems.atKey(
        file,
        at,
        'conflicting-fields',
        message,
        `use ${callKinds[item.type].pattern}`,
      );
    }
  }
}

function checkPattern(file: SourceFile, path: DataPath, source: unknown, problems: Problems) {
  if (typeof source !== 'string') return;
  const result = compilePattern(source);
  if (!result.ok || canMatchSomeName(result.pattern)) return;
  const message = `the pattern ${JSON.stringify(source)} can match no name`;
  problems.atValue(file, path, 'suspicious-pattern', message);
}

function checkArguments(
  file: SourceFile,
  path: DataPath,
  item: Record<string, unknown>,
  problems: Problems,
) {
  if (item.args !== undefined && item.argumentsMatch !== undefined) {
    const message = 'argumentsMatch cannot be combined with args: they are the same';
    problems.atKey(file, [...path, 'argumentsMatch'], 'conflicting-fields', message);
  }
  for (const key of ['args', 'argumentsMatch']) {
    checkArgumentPatterns(file, [...path, key], item[key], problems);
  }
}

/** A string written `/re/` anywhere in the arguments is a pattern. */
function checkArgumentPatterns(
  file: SourceFile,
  path: DataPath,
  value: unknown,
  problems: Problems,
): void {
  if (typeof value === 'object' && value !== null) {
    const isList = Array.isArray(value);
    for (const [key, item] of Object.entries(value)) {
      checkArgumentPatterns(file, [...path, isList ? Number(key) : key], item, problems);
    }
    return;
  }
  const source = argumentPattern(value);
  if (source === undefined) {
    if (typeof value !== 'string' || !patternWithFlags.test(value)) return;
    const message = `${JSON.stringify(value)} is a text: only /pattern/ is a pattern`;
    const pattern = value.slice(1, value.lastIndexOf('/'));
    const hint = `write /(?i)${pattern}/ for a pattern, or \\${value} for exactly this text`;
    problems.atValue(file, path, 'doubtful-pattern', message, hint);
    return;
  }
  if (pathName.test(String(path.at(-1))) && /^[\w./-]+$/.test(source)) {
    const message = `/${source}/ is a pattern, and matches every text with ${source} in it`;
    const hint = `write \\/${source}/ for exactly this path, or /(${source})/ for a pattern`;
    problems.atValue(file, path, 'doubtful-pattern', message, hint);
    return;
  }
  const result = compilePattern(source);
  if (result.ok) return;
  const part = { offset: result.offset + 1, length: result.length };
  const message = `invalid pattern: ${result.reason}`;
  problems.atPart(file, path, part, 'invalid-pattern', message, result.hint);
}

/** A pattern with flags, as other languages write it; a path seldom ends in one of these words. */
const patternWithFlags = /^\/.+\/(?:i|g|m|gi|ig|im|mi|gm|mg|gim)$/;
/** The name of an argument that is a path. */
const pathName = /path|dir|folder|root|cwd/i;

/** The text that a string in arguments stands for: a backslash before its first slash is left out. */
export function argumentText(value: string): string {
  return /^\\+\//.test(value) ? value.slice(1) : value;
}

/** The pattern in a string written `/re/`, else undefined. */
export function argumentPattern(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length < 3) return undefined;
  return value.startsWith('/') && value.endsWith('/') ? value.slice(1, -1) : undefined;
}
