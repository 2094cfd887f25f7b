import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../base/json.js';
import { plural } from '../../base/text.js';
import {
  type AssertionItem,
  findExactName,
  findNamePattern,
  type ItemList,
  itemKinds,
  oppositeLists,
  type PlacedAssertions,
  readArgumentPattern,
  readArgumentText,
} from '../../config/files/assertion-items.js';
import { listAllowedTools, type McpServer } from '../../config/files/mcp-config-file.js';
import { compilePattern, type Pattern } from '../../config/patterns/pattern.js';
import type { Problems } from '../../config/problems/problem.js';
import type { ProblemCode } from '../../config/problems/problem-codes.js';
import type { CallKind } from '../../config/schemas/assertions-schema.js';
import type { DataPath } from '../../config/yaml/source-file.js';
import type { Suite } from '../suite.js';

interface PlacedMatcher {
  matcher: Matcher;
  from: PlacedAssertions;
  /** Within the assertions. */
  path: DataPath;
}

/** Assertions that no run could satisfy together, over all that apply to a task. */
export function checkAssertionsFit({ tasks, mcp }: Suite, problems: Problems): void {
  const seen = new Set<string>();
  const ids = new Map<PlacedAssertions, number>();
  for (const { assertions } of tasks) {
    // Most tasks of a set have the very same assertions: one look is enough.
    const key = assertions
      .map((placed) => ids.get(placed) ?? ids.set(placed, ids.size).get(placed))
      .join();
    if (seen.has(key)) continue;
    seen.add(key);
    new FitCheck(assertions, mcp?.servers ?? [], problems).run();
  }
}

class FitCheck {
  readonly #all: readonly PlacedAssertions[];
  readonly #problems: Problems;
  readonly #forbidden: PlacedMatcher[];
  /** What each server allows, where that is a list. */
  readonly #allowed: ReadonlyMap<string, readonly string[]>;

  constructor(all: readonly PlacedAssertions[], servers: readonly McpServer[], problems: Problems) {
    this.#all = all;
    this.#allowed = new Map(
      servers.flatMap(({ name, data }) => {
        const allowed = listAllowedTools(data);
        return allowed ? [[name, allowed] as const] : [];
      }),
    );
    this.#problems = problems;
    this.#forbidden = oppositeLists.flatMap(([, list]) => this.#items(list));
  }

  run() {
    this.#checkRequired();
    this.#checkRequireAny();
    this.#checkCallOrder();
    this.#checkBounds();
  }

  #items(list: ItemList | 'callOrder'): PlacedMatcher[] {
    return this.#all.flatMap((from) => listMatchers(from, list));
  }

  #forbids({ matcher }: PlacedMatcher): PlacedMatcher | undefined {
    const direct = this.#forbidding(matcher);
    if (direct || matcher.kind !== 'tool') return direct;
    // Where the tools are known, none may be left that would do.
    const left = (this.#allowed.get(matcher.server) ?? [])
      .filter((name) => matchesName(matcher, name))
      .map((exact) => this.#forbidding({ ...matcher, exact, pattern: undefined }));
    return left.every((by) => by !== undefined) ? left[0] : undefined;
  }

  #forbidding(matcher: Matcher): PlacedMatcher | undefined {
    return this.#forbidden.find((forbidden) => isWithin(matcher, forbidden.matcher));
  }

  #checkRequired() {
    for (const item of oppositeLists.flatMap(([list]) => this.#items(list))) {
      const by = this.#forbids(item);
      if (!by) continue;
      const message = `${describeMatcher(item.matcher)} is both required and forbidden`;
      this.#report(item, 'required-and-forbidden', message, `${formatPlace(by)} forbids it`);
    }
  }

  #checkRequireAny() {
    for (const from of this.#all) {
      const items = listMatchers(from, 'requireAny');
      const [first] = items;
      if (!first || !items.every((item) => this.#forbids(item))) continue;
      const by = this.#forbids(first);
      const message = 'every tool that requireAny lists is forbidden';
      const place = { ...first, path: ['requireAny'] };
      this.#report(place, 'required-and-forbidden', message, by && `${formatPlace(by)} forbids it`);
    }
  }

  #checkCallOrder() {
    for (const item of this.#items('callOrder')) {
      const by = this.#forbids(item);
      if (!by) continue;
      const message = `callOrder cannot hold: ${describeMatcher(item.matcher)} is forbidden`;
      this.#report(item, 'impossible-assertion', message, `${formatPlace(by)} forbids it`);
    }
  }

  #checkBounds() {
    const max = this.#bound('maxToolCalls', (left, right) => left < right);
    if (!max) return;
    const min = this.#bound('minToolCalls', (left, right) => left > right);
    if (min && min.value > max.value) {
      const message = `minToolCalls ${min.value} is more than maxToolCalls ${max.value}`;
      this.#report(min, 'min-above-max', message, formatPlace(max));
    }
    const needed = Math.max(
      this.#distinctNames(),
      ...this.#all.map((from) => this.#callsNeeded(from)),
    );
    if (needed > max.value) {
      const message = `maxToolCalls ${max.value} cannot hold: what is required takes at least ${plural(needed, 'call')}`;
      this.#report(max, 'impossible-assertion', message);
    }
  }

  #bound(key: 'minToolCalls' | 'maxToolCalls', tighter: (a: number, b: number) => boolean) {
    let found: { value: number; from: PlacedAssertions; path: DataPath } | undefined;
    for (const from of this.#all) {
      const value = from.data[key];
      if (value === undefined || (found && !tighter(value, found.value))) continue;
      found = { value, from, path: [key] };
    }
    return found;
  }

  /** Each exact name takes a call of its own. */
  #distinctNames(): number {
    const required = [...this.#items('toolsUsed'), ...this.#items('callOrder')];
    const names = required
      .filter(({ matcher }) => matcher.kind === 'tool' && !isVague(matcher))
      .map(({ matcher }) => `${matcher.server}\0${matcher.exact}`);
    return new Set(names).size;
  }

  /** The fewest tool calls that one `callOrder` and every other requirement take together. */
  #callsNeeded(order: PlacedAssertions): number {
    const calls = listMatchers(order, 'callOrder')
      .map(({ matcher }) => matcher)
      .filter(({ kind }) => kind === 'tool');
    const anyLists = this.#all.map((from) => listMatchers(from, 'requireAny'));
    const required = this.#items('toolsUsed').map(({ matcher }) => matcher);
    // Exact names first: each takes a call of its own, which may serve patterns as well.
    required.sort((left, right) => Number(isVague(left)) - Number(isVague(right)));
    for (const matcher of required) {
      if (!calls.some((call) => mayMeet(call, matcher))) calls.push(matcher);
    }
    const served = (list: PlacedMatcher[]) =>
      list.length === 0 || list.some(({ matcher }) => calls.some((call) => mayMeet(call, matcher)));
    return calls.length + (anyLists.every(served) ? 0 : 1);
  }

  #report(
    { from, path }: { from: PlacedAssertions; path: DataPath },
    code: ProblemCode,
    message: string,
    hint?: string,
  ) {
    this.#problems.atValue(from.file, [...from.path, ...path], code, message, hint);
  }
}

const isVague = ({ exact, pattern }: Matcher) => exact === undefined || pattern !== undefined;

function formatPlace({ from, path }: { from: PlacedAssertions; path: DataPath }): string {
  const { start } = from.file.keyRange([...from.path, ...path]);
  return `${path[0]} at ${from.file.name}:${from.file.position(start).line}`;
}

/** The items of a list as matchers; an assertion that is no such list has none. */
function listMatchers(from: PlacedAssertions, list: ItemList | 'callOrder'): PlacedMatcher[] {
  const items: readonly object[] = from.data[list] ?? [];
  return items.flatMap((item, index) => {
    // An item with a fault would match more than was meant.
    if (from.file.isFaulty([...from.path, list, index])) return [];
    const matcher = makeMatcher(item as MatcherItem, list);
    const named = findExactName(item as AssertionItem) ?? findNamePattern(item as AssertionItem);
    return [{ matcher, from, path: [list, index, ...(named ? [named.key] : [])] }];
  });
}

type MatcherItem = AssertionItem & { type?: CallKind; args?: unknown; argumentsMatch?: unknown };

function makeMatcher(item: MatcherItem, list: ItemList | 'callOrder'): Matcher {
  return {
    kind: list === 'callOrder' ? (item.type ?? 'tool') : itemKinds[list],
    server: item.server ?? '',
    exact: findExactName(item)?.name,
    pattern: compileIfValid(findNamePattern(item)?.name),
    args: item.args ?? item.argumentsMatch,
  };
}

function compileIfValid(source: string | undefined): Pattern | undefined {
  const result = source === undefined ? undefined : compilePattern(source);
  return result?.ok ? result.pattern : undefined;
}

/** What calls an item of an assertion is about. */
interface Matcher {
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

/** Whether every call that one matcher matches is matched by the other too, as far as that can be decided. */
function isWithin(inner: Matcher, outer: Matcher): boolean {
  if (inner.kind !== outer.kind || inner.server !== outer.server) return false;
  if (outer.args !== undefined && !contains(inner.args, outer.args)) return false;
  if (takesAll(outer)) return true;
  if (inner.exact === undefined && inner.pattern === undefined) return false;
  const exactWithin = inner.exact === undefined || matchesName(outer, inner.exact);
  const patternWithin =
    inner.pattern === undefined || inner.pattern.source === outer.pattern?.source;
  return exactWithin && patternWithin;
}

/** Whether one call could match both, as far as that can be decided. */
function mayMeet(left: Matcher, right: Matcher): boolean {
  if (left.kind !== right.kind || left.server !== right.server) return false;
  if (left.pattern === undefined && left.exact !== undefined) return matchesName(right, left.exact);
  if (right.pattern === undefined && right.exact !== undefined) {
    return matchesName(left, right.exact);
  }
  return true;
}

/** Whether arguments that contain the one always contain the other. */
function contains(whole: unknown, part: unknown): boolean {
  const pattern = readArgumentPattern(part);
  if (pattern !== undefined && typeof whole === 'string' && whole !== part) {
    const compiled = compilePattern(pattern);
    const isText = readArgumentPattern(whole) === undefined;
    return isText && compiled.ok && compiled.pattern.test(readArgumentText(whole));
  }
  if (!isObject(part) || !isObject(whole)) return isDeepStrictEqual(whole, part);
  return Object.entries(part).every(
    ([key, value]) => Object.hasOwn(whole, key) && contains(whole[key], value),
  );
}

function matchesName({ exact, pattern }: Matcher, name: string): boolean {
  if (exact === undefined && pattern === undefined) return true;
  return exact === name || (pattern?.test(name) ?? false);
}

function describeMatcher({ kind, server, exact, pattern }: Matcher): string {
  const name = exact ?? (pattern === undefined ? `any ${kind}` : `/${pattern.source}/`);
  return server === '' ? name : `${name} of ${server}`;
}
