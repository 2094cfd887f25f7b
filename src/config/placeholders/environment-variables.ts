import { EditedCopy } from '../problems/repair.js';
import type { DataPath } from '../yaml/source-file.js';
import { findPlaceholders, replacePlaceholders } from './placeholders.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Only what is set: a name such as `constructor` is found in every object otherwise. */
export function getVariable(environment: Environment, name: string): string | undefined {
  return Object.hasOwn(environment, name) ? environment[name] : undefined;
}

export interface UnsetVariable {
  name: string;
  /** The default holds another reference, which is not supported. */
  isNested: boolean;
  path: DataPath;
  /** Where the reference begins in the string at the path. */
  offset: number;
  length: number;
}

/** What `${PROCTOR_WORKDIR}`, `{random.id}` and `{random.port}` stand for in one task run. */
export interface TaskRunValues {
  workdir: string;
  random: { id: string; port: number };
}

/** Stands for the working directory of a task run, whatever the environment has by this name. */
export const workdirVariable = 'PROCTOR_WORKDIR';

/**
 * Expands `${VAR}` and `${VAR:-default}` in every string of a value. As in a shell, the default
 * also stands in for a variable that is set to nothing. References to values of a task run stay as
 * they are, unless the values are given. What an expansion brings in is not expanded again.
 */
export function expandVariables(
  value: unknown,
  environment: Environment,
  values?: TaskRunValues,
): { value: unknown; unset: UnsetVariable[] } {
  const unset: UnsetVariable[] = [];
  const copy = new EditedCopy(value);
  for (const { path, text } of findStrings('{', value, [])) {
    let expanded = '';
    let done = 0;
    for (const reference of [...findReferences(text), ...findRandomReferences(text)].sort(
      compareOffsets,
    )) {
      const { name, fallback, offset, length } = reference;
      const isOfTaskRun = isTaskRunValue(name);
      // Within a default nothing is looked for.
      if (offset < done || (isOfTaskRun && !values)) continue;
      const found = isOfTaskRun ? getTaskRunValue(name, values) : getVariable(environment, name);
      const isMissing = fallback === undefined ? found === undefined : !found;
      const isNested = fallback?.includes('${') ?? false;
      if (isNested || (isMissing && fallback === undefined)) {
        unset.push({ name, isNested, path, offset, length });
      }
      const whole = text.slice(offset, offset + length);
      expanded += text.slice(done, offset) + ((isMissing ? fallback : found) ?? whole);
      done = offset + length;
    }
    if (done > 0) copy.set(path, expanded + text.slice(done));
  }
  return { value: copy.value, unset };
}

/** The places in a text that stand for values of a task run. */
export function findTaskRunReferences(text: string): Reference[] {
  const variables = [...findReferences(text)].filter(({ name }) => isTaskRunValue(name));
  return [...variables, ...findRandomReferences(text)];
}

function findRandomReferences(text: string): Reference[] {
  return findPlaceholders(text).flatMap(({ family, name, offset, length }) =>
    family === 'random' && (name === 'id' || name === 'port')
      ? [{ name: `random.${name}`, fallback: undefined, offset, length }]
      : [],
  );
}

function isTaskRunValue(name: string): boolean {
  return name === workdirVariable || name.startsWith('random.');
}

function getTaskRunValue(name: string, values: TaskRunValues | undefined): string | undefined {
  if (name === workdirVariable) return values?.workdir;
  return name === 'random.id' ? values?.random.id : values && String(values.random.port);
}

function compareOffsets(left: Reference, right: Reference): number {
  return left.offset - right.offset;
}

interface Reference {
  name: string;
  fallback: string | undefined;
  offset: number;
  length: number;
}

/** One pass, whatever the text: a pattern would look for the closing brace again and again. */
export function* findReferences(text: string): Generator<Reference> {
  let close = -1;
  for (let open = text.indexOf('${'); open !== -1; open = text.indexOf('${', open)) {
    if (close < open) close = text.indexOf('}', open);
    if (close === -1) return;
    nameThenRest.lastIndex = open + 2;
    const [matched, name = '', isDefault] = nameThenRest.exec(text) ?? [];
    const end = open + 2 + (matched?.length ?? 0);
    const isReference = matched !== undefined && (isDefault ? end <= close : end === close);
    if (isReference) {
      const fallback = isDefault ? text.slice(end, close) : undefined;
      yield { name, fallback, offset: open, length: close + 1 - open };
    }
    open = isReference ? close + 1 : open + 2;
  }
}

/** A text in which the references of a choice have no default. */
export function removeDefaults(
  text: string,
  isChosen: (reference: { name: string; fallback: string }) => boolean,
): string {
  let kept = '';
  let done = 0;
  for (const { name, fallback, offset, length } of findReferences(text)) {
    if (fallback === undefined || !isChosen({ name, fallback })) continue;
    kept += `${text.slice(done, offset)}\${${name}}`;
    done = offset + length;
  }
  return kept + text.slice(done);
}

const nameThenRest = /([A-Za-z_][A-Za-z0-9_]*)(:-)?/y;

/** Every string in a value that holds a marker, with its place. */
export function findStrings(
  marker: string,
  value: unknown,
  path: DataPath,
): { path: DataPath; text: string }[] {
  const found: { path: DataPath; text: string }[] = [];
  const here = [...path];
  const visit = (part: unknown) => {
    if (typeof part === 'string') {
      if (part.includes(marker)) found.push({ path: [...here], text: part });
    } else if (typeof part === 'object' && part !== null) {
      const isList = Array.isArray(part);
      for (const [key, item] of Object.entries(part)) {
        here.push(isList ? Number(key) : key);
        visit(item);
        here.pop();
      }
    }
  };
  visit(value);
  return found;
}

/** Every `{env.NAME}` in a value, with where it stands and what the variable holds. */
export function findVariables(
  value: unknown,
  environment: Environment,
): { name: string; value: string | undefined; path: DataPath }[] {
  return findStrings('{env.', value, []).flatMap(({ path, text }) =>
    findPlaceholders(text)
      .filter(({ family }) => family === 'env')
      .map(({ name }) => ({ name, value: getVariable(environment, name), path })),
  );
}

/** The text with every `{env.NAME}` replaced; one that is not set, and other placeholders, stay. */
export function fillVariables(text: string, environment: Environment): string {
  return replacePlaceholders(text, ({ family, name }) =>
    family === 'env' ? getVariable(environment, name) : undefined,
  );
}
