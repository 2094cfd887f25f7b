import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../base/json.js';
import {
  argumentPattern,
  argumentText,
  type CallKind,
} from '../../config/files/assertion-items.js';
import { compilePattern, type Pattern } from '../../config/patterns/pattern.js';

/** What calls an item of an assertion is about. */
export interface Matcher {
  kind: CallKind;
  /** Empty for skills. */
  server: string;
  exact?: string | undefined;
  pattern?: Pattern | undefined;
  args?: unknown;
}

/** Patterns that hold for every name, as people write them. */
const anyName = /^\^?\.[*+]\$?$/;

/** Whether a matcher takes every name. */
function takesAll({ exact, pattern }: Matcher): boolean {
  if (pattern) return anyName.test(pattern.source);
  return exact === undefined;
}

/** Whether every call that one matcher matches is matched by the other too, as far as can be told. */
export function isWithin(inner: Matcher, outer: Matcher): boolean {
  if (inner.kind !== outer.kind || inner.server !== outer.server) return false;
  if (outer.args !== undefined && !contains(inner.args, outer.args)) return false;
  if (takesAll(outer)) return true;
  if (inner.exact === undefined && inner.pattern === undefined) return false;
  const exactWithin = inner.exact === undefined || matchesName(outer, inner.exact);
  const patternWithin =
    inner.pattern === undefined || inner.pattern.source === outer.pattern?.source;
  return exactWithin && patternWithin;
}

/** Whether one call could match both, as far as can be told. */
export function mayMeet(left: Matcher, right: Matcher): boolean {
  if (left.kind !== right.kind || left.server !== right.server) return false;
  if (left.pattern === undefined && left.exact !== undefined) return matchesName(right, left.exact);
  if (right.pattern === undefined && right.exact !== undefined) {
    return matchesName(left, right.exact);
  }
  return true;
}

/** Whether arguments that contain the one always contain the other. */
function contains(whole: unknown, part: unknown): boolean {
  const pattern = argumentPattern(part);
  if (pattern !== undefined && typeof whole === 'string' && whole !== part) {
    const compiled = compilePattern(pattern);
    const isText = argumentPattern(whole) === undefined;
    return isText && compiled.ok && compiled.pattern.test(argumentText(whole));
  }
  if (!isObject(part) || !isObject(whole)) return isDeepStrictEqual(whole, part);
  return Object.entries(part).every(
    ([key, value]) => Object.hasOwn(whole, key) && contains(whole[key], value),
  );
}

export function matchesName({ exact, pattern }: Matcher, name: string): boolean {
  if (exact === undefined && pattern === undefined) return true;
  return exact === name || (pattern?.test(name) ?? false);
}

export function describeMatcher({ kind, server, exact, pattern }: Matcher): string {
  const name = exact ?? (pattern === undefined ? `any ${kind}` : `/${pattern.source}/`);
  return server === '' ? name : `${name} of ${server}`;
}
