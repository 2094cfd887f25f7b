import { changed } from './repair.js';
import type { DataPath } from './source-file.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Only what is set: a name such as `constructor` is found in every object otherwise. */
export function variable(environment: Environment, name: string): string | undefined {
  return Object.hasOwn(environment, name) ? environment[name] : undefined;
}

export interface UnsetVariable {
  name: string;
  path: DataPath;
  /** Of the reference, within the string at the path. */
  offset: number;
  length: number;
}

const reference = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/**
 * Expands `${VAR}` and `${VAR:-default}` in every string of a value. As in a shell, the default
 * also stands in for a variable that is set to nothing.
 */
export function expandVariables(
  value: unknown,
  environment: Environment,
): { value: unknown; unset: UnsetVariable[] } {
  const unset: UnsetVariable[] = [];
  let expanded = value;
  for (const { path, text } of stringsWith('${', value, [])) {
    const replaced = text.replace(reference, (whole, name, fallback, offset) => {
      const found = variable(environment, name);
      if (fallback !== undefined) return found === undefined || found === '' ? fallback : found;
      if (found !== undefined) return found;
      unset.push({ name, path, offset, length: whole.length });
      return whole;
    });
    if (replaced !== text) expanded = changed(expanded, path, replaced);
  }
  return { value: expanded, unset };
}

/** Every string in a value that holds a marker, with its place. */
export function stringsWith(
  marker: string,
  value: unknown,
  path: DataPath,
): { path: DataPath; text: string }[] {
  const found: { path: DataPath; text: string }[] = [];
  const here = [...path];
  const visit = (each: unknown) => {
    if (typeof each === 'string') {
      if (each.includes(marker)) found.push({ path: [...here], text: each });
    } else if (typeof each === 'object' && each !== null) {
      const isList = Array.isArray(each);
      for (const [key, item] of Object.entries(each)) {
        here.push(isList ? Number(key) : key);
        visit(item);
        here.pop();
      }
    }
  };
  visit(value);
  return found;
}
