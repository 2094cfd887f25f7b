import * as z from 'zod/mini';
import { didYouMean, findNearest } from '../../base/nearest.js';
import type { FieldFault } from '../schemas/fields.js';
import {
  findChildSchema,
  findSchemaAt,
  getRules,
  listChildSchemas,
  listKnownKeys,
  type SchemaRules,
  unwrapSchema,
} from '../schemas/schema-rules.js';
import type { DataPath, SourceFile } from '../yaml/source-file.js';
import { conforms } from './conforms.js';
import type { Problems } from './problem.js';
import type { ProblemCode } from './problem-codes.js';
import { EditedCopy, repairValue } from './repair.js';

type Issue = z.core.$ZodIssue;

/** A piece of a file that is to have the shape of a schema. */
export interface ShapeCheck<Schema extends z.ZodMiniType> {
  file: SourceFile;
  schema: Schema;
  value: unknown;
  /** The value as it is written, where variables in it were expanded: those may be secrets. */
  written?: unknown;
  /** Where the value stands in the file. */
  base?: DataPath;
  problems: Problems;
}

/**
 * Checks a value against its schema and reports every problem at its place. What comes back has the
 * schema's type: parts with a problem are left out, so that later checks can go on with the rest.
 * Undefined if nothing usable is left.
 */
export function checkShape<Schema extends z.ZodMiniType>(
  check: ShapeCheck<Schema>,
): z.infer<Schema> | undefined {
  const { schema } = check;
  let { value } = check;
  if (conforms(schema, value)) return value as z.infer<Schema>;
  let issues = findIssues(schema, value);
  const nulls = findEmptyKeys(schema, value, issues);
  if (nulls.length > 0) {
    const copy = new EditedCopy(value);
    for (const path of nulls) copy.set(path, undefined);
    value = copy.value;
    issues = findIssues(schema, value);
  }
  for (const issue of issues) reportIssue(check, value, issue);
  checkAlternatives(check, schema, value, []);
  for (const path of issues.filter(makeErrorTest(schema)).flatMap(listFaultyPaths)) {
    check.file.markFaulty([...(check.base ?? []), ...path]);
  }
  return repairValue(schema, value, issues.flatMap(listFaultyPaths)) as z.infer<Schema> | undefined;
}

function findIssues(schema: z.ZodMiniType, value: unknown): Issue[] {
  return schema.safeParse(value).error?.issues ?? [];
}

/** An unknown key that is only a warning leaves nothing out that is needed. */
function makeErrorTest(schema: z.ZodMiniType) {
  return (issue: Issue) =>
    issue.code !== 'unrecognized_keys' ||
    issue.keys.some((key) => findUnknownKeyCode(schema, issue.path, key) !== 'unknown-key');
}

function findUnknownKeyCode(
  schema: z.ZodMiniType,
  path: readonly PropertyKey[],
  key: string,
): ProblemCode {
  const owner = findSchemaAt(schema, path as DataPath);
  const { unknownKey = 'unknown-key', nearMiss } = owner ? getRules(unwrapSchema(owner)) : {};
  return nearMiss && findNearest(key, listKnownKeys(owner)) === nearMiss.key
    ? nearMiss.code
    : unknownKey;
}

function listFaultyPaths(issue: Issue): DataPath[] {
  const path = issue.path as DataPath;
  return issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...path, key]) : [path];
}

/** Keys left empty (null) mean the same as keys left out, except in assertions. */
function findEmptyKeys(schema: z.ZodMiniType, value: unknown, issues: Issue[]): DataPath[] {
  return issues
    .map((issue) => issue.path as DataPath)
    .filter((path) => {
      if (path.length === 0 || getValue(value, path) !== null) return false;
      const parent = findSchemaAt(schema, path.slice(0, -1));
      const owner = parent && unwrapSchema(parent);
      const child = findSchemaAt(schema, path);
      if (child && getRules(unwrapSchema(child)).mustSaySomething) return false;
      // In a map of names (servers, variables) an empty entry is not the same as none.
      return owner instanceof z.ZodMiniObject && !getRules(owner).nullIsError;
    });
}

export function getValue(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value;
  for (const segment of path) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = (found as Record<PropertyKey, unknown>)[segment];
  }
  return found;
}

function reportIssue(check: ShapeCheck<z.ZodMiniType>, value: unknown, issue: Issue): void {
  const { file, schema, problems, base = [] } = check;
  const local = issue.path as DataPath;
  const path = [...base, ...local];
  const real = getValue(value, local);
  const isText = check.written !== undefined && typeof real === 'string';
  const found = isText ? getValue(check.written, local) : real;
  const last = path.at(-1);
  const key = typeof last === 'number' ? describePath(path.slice(-2)) : String(last ?? '');
  switch (issue.code) {
    case 'invalid_type':
      if (found === undefined) {
        reportMissing(check, local, key);
      } else if (found === null && issue.expected === 'array') {
        problems.atKey(file, path, 'empty-list', `${key} is empty`);
      } else if (
        found === null &&
        issue.expected === 'object' &&
        typeof local.at(-1) === 'string'
      ) {
        problems.atKey(file, path, 'missing-field', `${key} is empty`);
      } else {
        reportType(check, path, found, findSchemaAt(schema, local), issue.expected);
      }
      return;
    case 'invalid_value':
      if (found === undefined) {
        reportMissing(check, local, key);
      } else {
        reportChoice(check, path, found, issue.values);
      }
      return;
    case 'unrecognized_keys': {
      const known = listKnownKeys(findSchemaAt(schema, local));
      for (const unknown of issue.keys) {
        const code = findUnknownKeyCode(schema, local, unknown);
        const hint = didYouMean(unknown, known) ?? suggestKey(unknown, known);
        const message =
          code === 'unknown-assertion' ? `unknown assertion ${unknown}` : `unknown key ${unknown}`;
        problems.atKey(file, [...path, unknown], code, message, hint);
      }
      return;
    }
    case 'too_small':
      if (issue.origin === 'array') {
        const owner = findSchemaAt(schema, local);
        const code = (owner && getRules(unwrapSchema(owner)).emptyList) ?? 'empty-list';
        problems.atValue(file, path, code, `${key} is empty`);
      } else if (issue.origin === 'string') {
        problems.atValue(file, path, 'empty-value', `${key} is empty`);
      } else {
        const message = `${key} must be at least ${issue.minimum}, found ${describeValue(found)}`;
        problems.atValue(file, path, 'out-of-range', message);
      }
      return;
    case 'invalid_format':
      problems.atValue(file, path, 'empty-value', `${key} is empty`);
      return;
    case 'too_big':
      problems.atValue(
        file,
        path,
        'out-of-range',
        issue.origin === 'array'
          ? `${key} may have at most ${issue.maximum} items`
          : `${key} must be at most ${issue.maximum}, found ${describeValue(found)}`,
      );
      return;
    case 'custom': {
      const fault = issue.params as FieldFault;
      const part = { offset: fault.offset, length: fault.length };
      const message = fault.message.replace(JSON.stringify(real), JSON.stringify(found));
      problems.atPart(file, path, part, fault.code, message, fault.hint);
      return;
    }
    default:
      problems.atValue(file, path, 'invalid-value', issue.message);
  }
}

function reportMissing(check: ShapeCheck<z.ZodMiniType>, local: DataPath, key: string) {
  const { file, problems, value, base = [] } = check;
  const path = [...base, ...local];
  if (getValue(value, local) === null) {
    problems.atKey(file, path, 'missing-field', `${key} is required, and empty here`);
    return;
  }
  const parent = path.slice(0, -1);
  const where = parent.length === 0 ? '' : ` in ${describePath(parent)}`;
  problems.atKey(file, parent, 'missing-field', `${key} is required${where}`);
}

function reportType(
  { file, problems }: ShapeCheck<z.ZodMiniType>,
  path: DataPath,
  found: unknown,
  schema: z.core.$ZodType | undefined,
  expectedType: string,
) {
  const inner = schema && unwrapSchema(schema);
  const isWhole = inner instanceof z.ZodMiniNumberFormat;
  const expected = typeNames[isWhole ? 'int' : expectedType] ?? expectedType;
  const isQuotedNumber = isWhole && typeof found === 'string' && /^\d+$/.test(found);
  const isBareText =
    expectedType === 'string' && (typeof found !== 'object' || isBracedName(found));
  const quotes = isQuotedNumber ? 'remove the quotes' : isBareText ? 'put it in quotes' : undefined;
  const hint = (inner && getRules(inner).hint) ?? quotes;
  const message = `expected ${expected}, found ${describeValue(found)}`;
  problems.atValue(file, path, 'wrong-type', message, hint);
}

/** `{random.id}` without quotes is a map with one empty key. */
function isBracedName(found: unknown): boolean {
  if (typeof found !== 'object' || found === null || Array.isArray(found)) return false;
  const [first, ...others] = Object.entries(found);
  return first !== undefined && others.length === 0 && first[1] === null;
}

function reportChoice(
  { file, problems }: ShapeCheck<z.ZodMiniType>,
  path: DataPath,
  found: unknown,
  values: readonly unknown[],
) {
  const choices = values.map(String);
  const expected =
    choices.length === 1 ? `expected ${choices[0]}` : `expected one of ${choices.join(', ')}`;
  const hint = typeof found === 'string' ? didYouMean(found, choices) : undefined;
  const isVersion = path.length === 1 && path[0] === 'apiVersion';
  const code = isVersion
    ? 'unsupported-version'
    : typeof found === 'string'
      ? 'invalid-value'
      : 'wrong-type';
  const what = typeof found === 'string' ? JSON.stringify(found) : describeValue(found);
  problems.atValue(file, path, code, `${expected}, found ${what}`, hint);
}

function suggestKey(unknown: string, known: readonly string[]): string | undefined {
  if (unknown === '<<') return 'merge keys are not part of YAML 1.2: write the keys out';
  return known.length > 0 && known.length <= 16 ? `known here: ${known.join(', ')}` : undefined;
}

/** `exactlyOne` holds whatever else is wrong, so it is checked apart from zod. */
function checkAlternatives(
  check: ShapeCheck<z.ZodMiniType>,
  schema: z.core.$ZodType,
  value: unknown,
  path: DataPath,
): void {
  if (typeof value !== 'object' || value === null || !hasAlternatives(schema)) return;
  const isList = Array.isArray(value);
  if (!isList) reportAlternatives(check, getRules(unwrapSchema(schema)), value, path);
  for (const [key, item] of Object.entries(value)) {
    const child = typeof item === 'object' ? findChildSchema(schema, key) : undefined;
    if (child) checkAlternatives(check, child, item, [...path, isList ? Number(key) : key]);
  }
}

const alternatives = new WeakMap<z.core.$ZodType, boolean>();

/** Whether a schema or one within it has such a rule; most have none, and need no walk. */
function hasAlternatives(schema: z.core.$ZodType): boolean {
  const inner = unwrapSchema(schema);
  let found = alternatives.get(inner);
  if (found === undefined) {
    found =
      getRules(inner).exactlyOne !== undefined || listChildSchemas(inner).some(hasAlternatives);
    alternatives.set(inner, found);
  }
  return found;
}

function reportAlternatives(
  { file, problems, base = [] }: ShapeCheck<z.ZodMiniType>,
  { exactlyOne, unless }: SchemaRules,
  value: object,
  local: DataPath,
) {
  if (!exactlyOne) return;
  const path = [...base, ...local];
  const present = exactlyOne.filter((key) => (value as Record<string, unknown>)[key] !== undefined);
  if (present.length === 0 && unless && getValue(value, unless) !== undefined) return;
  if (present.length !== 1) file.markFaulty(path);
  if (present.length === 0) {
    const where = path.length === 0 ? 'the file' : describePath(path);
    problems.atKey(file, path, 'missing-field', `${where} needs ${joinWithOr(exactlyOne)}`);
  }
  for (const extra of present.slice(1)) {
    const message = `${extra} cannot be combined with ${present[0]}: exactly one of ${exactlyOne.join(', ')}`;
    problems.atKey(file, [...path, extra], 'conflicting-fields', message);
  }
}

const typeNames: Record<string, string> = {
  array: 'a list',
  object: 'a map',
  record: 'a map',
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
};

/** A value in a message: short, and recognisable in the file. */
export function describeValue(value: unknown): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  if (typeof value !== 'string') return String(value);
  const quoted = JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}...` : value);
  return `the text ${quoted}`;
}

/** `config.taskSets[2].assertions` */
export function describePath(path: DataPath): string {
  return path
    .map((segment) => (typeof segment === 'number' ? `[${segment}]` : `.${segment}`))
    .join('')
    .replace(/^\./, '');
}

function joinWithOr(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}
