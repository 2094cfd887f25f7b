import { plural } from '../../base/text.js';
import {
  type AssertionItem,
  type CallKind,
  findExactName,
  findNamePattern,
  type ItemList,
  listKinds,
  oppositeLists,
  type PlacedAssertions,
} from '../../config/files/assertion-items.js';
import { listAllowedTools, type McpServer } from '../../config/files/mcp-config-file.js';
import { compilePattern, type Pattern } from '../../config/patterns/pattern.js';
import type { Problems } from '../../config/problems/problem.js';
import type { ProblemCode } from '../../config/problems/problem-codes.js';
import type { DataPath } from '../../config/yaml/source-file.js';
import type { Suite } from '../suite.js';
import {
  describeMatcher,
  isWithin,
  type Matcher,
  matchesName,
  mayMeet,
} from './assertion-matcher.js';

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
    const key = assertions.map((each) => ids.get(each) ?? ids.set(each, ids.size).get(each)).join();
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
    return this.#all.flatMap((from) => itemsOf(from, list));
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
    return this.#forbidden.find((each) => isWithin(matcher, each.matcher));
  }

  #checkRequired() {
    for (const item of oppositeLists.flatMap(([list]) => this.#items(list))) {
      const by = this.#forbids(item);
      if (!by) continue;
      const message = `${describeMatcher(item.matcher)} is both required and forbidden`;
      this.#report(item, 'required-and-forbidden', message, `${where(by)} forbids it`);
    }
  }

  #checkRequireAny() {
    for (const from of this.#all) {
      const items = itemsOf(from, 'requireAny');
      const [first] = items;
      if (!first || !items.every((item) => this.#forbids(item))) continue;
      const by = this.#forbids(first);
      const message = 'every tool that requireAny lists is forbidden';
      const place = { ...first, path: ['requireAny'] };
      this.#report(place, 'required-and-forbidden', message, by && `${where(by)} forbids it`);
    }
  }

  #checkCallOrder() {
    for (const item of this.#items('callOrder')) {
      const by = this.#forbids(item);
      if (!by) continue;
      const message = `callOrder cannot hold: ${describeMatcher(item.matcher)} is forbidden`;
      this.#report(item, 'impossible-assertion', message, `${where(by)} forbids it`);
    }
  }

  #checkBounds() {
    const max = this.#bound('maxToolCalls', (left, right) => left < right);
    if (!max) return;
    const min = this.#bound('minToolCalls', (left, right) => left > right);
    if (min && min.value > max.value) {
      const message = `minToolCalls ${min.value} is more than maxToolCalls ${max.value}`;
      this.#report(min, 'min-above-max', message, where(max));
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
    const calls = itemsOf(order, 'callOrder')
      .map(({ matcher }) => matcher)
      .filter(({ kind }) => kind === 'tool');
    const anyLists = this.#all.map((from) => itemsOf(from, 'requireAny'));
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

function where({ from, path }: { from: PlacedAssertions; path: DataPath }): string {
  const { start } = from.file.keyRange([...from.path, ...path]);
  return `${path[0]} at ${from.file.name}:${from.file.position(start).line}`;
}

/** The items of a list as matchers; an assertion that is no such list has none. */
function itemsOf(from: PlacedAssertions, list: ItemList | 'callOrder'): PlacedMatcher[] {
  const items: readonly object[] = from.data[list] ?? [];
  return items.flatMap((item, index) => {
    // An item with a fault would match more than was meant.
    if (from.file.isFaulty([...from.path, list, index])) return [];
    const matcher = matcherOf(item as MatcherItem, list);
    const named = findExactName(item as AssertionItem) ?? findNamePattern(item as AssertionItem);
    return [{ matcher, from, path: [list, index, ...(named ? [named.key] : [])] }];
  });
}

type MatcherItem = AssertionItem & { type?: CallKind; args?: unknown; argumentsMatch?: unknown };

function matcherOf(item: MatcherItem, list: ItemList | 'callOrder'): Matcher {
  return {
    kind: list === 'callOrder' ? (item.type ?? 'tool') : listKinds[list],
    server: item.server ?? '',
    exact: findExactName(item)?.name,
    pattern: compiled(findNamePattern(item)?.name),
    args: item.args ?? item.argumentsMatch,
  };
}

function compiled(source: string | undefined): Pattern | undefined {
  const result = source === undefined ? undefined : compilePattern(source);
  return result?.ok ? result.pattern : undefined;
}
