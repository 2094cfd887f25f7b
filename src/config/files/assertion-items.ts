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

/** The keys by which an item gives an exact name or a pattern, for each kind of call. */
export const nameKeys = {
  tool: { exact: 'tool', pattern: 'toolPattern' },
  resource: { exact: 'uri', pattern: 'uriPattern' },
  prompt: { exact: 'prompt', pattern: 'promptPattern' },
  skill: { exact: 'skill', pattern: 'skillPattern' },
} as const satisfies Record<CallKind, { exact: string; pattern: string }>;

type Definitions = typeof assertionDefinitions;

/** Names of the assertions that are lists of items about one kind of call. */
export type ItemList = {
  [Name in keyof Definitions]: Definitions[Name] extends { items: object } ? Name : never;
}[keyof Definitions];

type OppositeList = Extract<Definitions[keyof Definitions], { opposite: string }>['opposite'];

const definitions = Object.entries<AssertionDefinition>(assertionDefinitions);

/** The kind of call that the items of each list are about. */
export const itemKinds = Object.fromEntries(
  definitions.flatMap(([name, { items }]) => (items ? [[name, items.kind]] : [])),
) as { [Name in ItemList]: Definitions[Name]['items']['kind'] };

/** Pairs of a list that requires calls and the list that forbids the same calls. */
export const oppositeLists = definitions.flatMap(([name, { opposite }]) =>
  opposite === undefined ? [] : [[name, opposite]],
) as (readonly [ItemList, OppositeList])[];

/** An item of any list, seen as its members whose values are texts. */
export type AssertionItem = Partial<Record<string, string>>;

const exactKeys = ['name', ...Object.values(nameKeys).map(({ exact }) => exact)];
const patternKeys = Object.values(nameKeys).map(({ pattern }) => pattern);

/**
 * Finds the exact name that an item gives, with its key. An item that has neither a name nor a pattern matches
 * every call of its server.
 */
export function findExactName(item: AssertionItem): { key: string; name: string } | undefined {
  return findFirstKey(item, exactKeys);
}

/** Finds the pattern for names that an item gives, with its key. */
export function findNamePattern(item: AssertionItem): { key: string; name: string } | undefined {
  return findFirstKey(item, patternKeys);
}

function findFirstKey(item: AssertionItem, keys: readonly string[]) {
  const key = keys.find((candidate) => item[candidate] !== undefined);
  return key === undefined ? undefined : { key, name: item[key] ?? '' };
}

/** The assertions of a task or task set, with the place where they are written. */
export interface PlacedAssertions {
  file: SourceFile;
  path: DataPath;
  data: Assertions;
}

/** Reports what is wrong with single items. Whether they contradict each other is checked for each task. */
export function checkAssertionItems(
  { file, path, data }: PlacedAssertions,
  problems: Problems,
): void {
  for (const [list, kind] of Object.entries(itemKinds)) {
    const { exact: exactKey, pattern: patternKey } = nameKeys[kind];
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
      const key = nameKeys[type].pattern;
      const at = [...path, 'callOrder', index, key];
      checkPattern(file, at, item[key], problems);
      if (item[key] === undefined || item.type === type) continue;
      const message = `${key} is for type ${type}, this item has type ${item.type}`;
      problems.atKey(file, at, 'conflicting-fields', message, `use ${nameKeys[item.type].pattern}`);
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

/** Checks the strings in expected arguments: one written `/re/` is a pattern, at any depth. */
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
  const source = readArgumentPattern(value);
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

/** Matches a pattern with flags, as in other languages. Paths seldom end in one of these letters. */
const patternWithFlags = /^\/.+\/(?:i|g|m|gi|ig|im|mi|gm|mg|gim)$/;
/** Matches names of arguments that are probably paths. */
const pathName = /path|dir|folder|root|cwd/i;

/** Reads a string in expected arguments as a text: a backslash says that `\/re/` is not a pattern. */
export function readArgumentText(value: string): string {
  return /^\\+\//.test(value) ? value.slice(1) : value;
}

/** Reads a string in expected arguments as a pattern; undefined if it is not written `/re/`. */
export function readArgumentPattern(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length < 3) return undefined;
  return value.startsWith('/') && value.endsWith('/') ? value.slice(1, -1) : undefined;
}
