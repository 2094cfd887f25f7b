import type { ItemList } from '../config/files/assertion-items.js';
import {
  type AssertionDefinition,
  assertionDefinitions,
  type CallKind,
} from '../config/schemas/assertions-schema.js';
import type { AgentCall, Assertion, Verdict } from './assertion.js';
import { type ExpectedCall, ItemMatcher, type ListItem, readListItem } from './item-matcher.js';
import { CallNameSummary, CallNumbers, mergeCallNumbers } from './seen-calls.js';
import {
  callWords,
  formatExpectedCall,
  formatShortJson,
  joinWithAnd,
  type Redact,
} from './wording.js';

const maxArgsLength = 200;

/** The calls that match one item of a list, and those that nearly match it. */
class ItemMatches {
  /** The expected call in words. */
  readonly text: string;
  readonly matches = new CallNumbers();
  /** Matching calls that the proxy blocked. */
  readonly blocked = new CallNumbers();
  readonly #matcher: ItemMatcher;
  /** The verb for calls of this kind, such as `called`. */
  readonly #done: string;
  readonly #redact: Redact;
  /** Matching calls that failed, where only successful ones count. */
  readonly #failed = new CallNumbers();
  /** Calls that match except for their arguments. */
  readonly #withOtherArgs = new CallNumbers();
  /** Arguments of the first such call, as shortened JSON. */
  #otherArgs = '';

  constructor(expected: ExpectedCall, redact: Redact) {
    this.text = formatExpectedCall(expected, redact);
    this.#matcher = new ItemMatcher(expected);
    this.#done = callWords[expected.kind].done;
    this.#redact = redact;
  }

  /** Takes a call, and returns whether it matches, blocked or not. */
  see(call: AgentCall): boolean {
    const match = this.#matcher.match(call);
    if (match === 'yes') (call.blocked ? this.blocked : this.matches).add(call.number);
    if (match === 'failed') this.#failed.add(call.number);
    if (match === 'other-arguments') this.#addWithOtherArgs(call);
    return match === 'yes';
  }

  /** Says whether the item was called, or what came closest to it. */
  get happened(): string {
    return this.matches.count > 0
      ? `${this.#done} (${this.matches.text})`
      : (this.nearMiss ?? `not ${this.#done}`);
  }

  /** Says what came closest to a match; undefined if nothing did. */
  get nearMiss(): string | undefined {
    if (this.blocked.count > 0)
      return `tried, but blocked by the MCP config (${this.blocked.text})`;
    if (this.#failed.count > 0) return `${this.#done}, but failed (${this.#failed.text})`;
    if (this.#withOtherArgs.count === 0) return undefined;
    return `${this.#done}, but with other arguments: ${this.#otherArgs} (${this.#withOtherArgs.text})`;
  }

  get nearMissCalls(): readonly number[] {
    return [...this.blocked.numbers, ...this.#failed.numbers, ...this.#withOtherArgs.numbers];
  }

  #addWithOtherArgs(call: AgentCall): void {
    this.#withOtherArgs.add(call.number);
    if (this.#withOtherArgs.numbers[0] !== call.number) return;
    const { args = {} } = call;
    this.#otherArgs = formatShortJson(args, maxArgsLength, this.#redact);
  }
}

/** An assertion about a list of items, all about calls of one kind. */
abstract class ItemListAssertion implements Assertion {
  protected readonly kind: CallKind;
  protected readonly items: readonly ItemMatches[];
  /** The calls that the sentence of a verdict names. */
  protected readonly callNames: CallNameSummary;

  constructor(kind: CallKind, items: readonly ListItem[], redact: Redact) {
    this.kind = kind;
    this.items = items.map((item) => new ItemMatches(readListItem(kind, item), redact));
    this.callNames = new CallNameSummary(redact);
  }

  see(call: AgentCall): void {
    if (call.kind !== this.kind) return;
    this.callNames.add(call);
    for (const item of this.items) item.see(call);
  }

  abstract verdict(): Verdict;

  protected get called(): readonly ItemMatches[] {
    return this.items.filter(({ matches }) => matches.count > 0);
  }

  protected pass(called: readonly ItemMatches[]): Verdict {
    const { done } = callWords[this.kind];
    return {
      passed: true,
      reason: `${joinNames(called)} ${called.length === 1 ? 'was' : 'were'} ${done}`,
      details: this.#details,
      calls: mergeCallNumbers(called.flatMap(({ matches }) => matches.numbers.slice(0, 1))),
    };
  }

  /** `wanted` says what was expected to be called, `missing` are the items that were not. */
  protected fail(wanted: string, missing: readonly ItemMatches[]): Verdict {
    const happened = describeCallsInstead(this.kind, this.callNames, missing);
    return {
      passed: false,
      reason: `expected ${wanted} to be ${callWords[this.kind].done}; ${happened}`,
      details: this.#details,
      calls: mergeCallNumbers(missing.flatMap((item) => item.nearMissCalls)),
    };
  }

  get #details(): string[] {
    return this.items.map(({ text, happened }) => `${text}: ${happened}`);
  }
}

function joinNames(items: readonly ItemMatches[]): string {
  return joinWithAnd(items.map(({ text }) => text));
}

/** Asserts that each item matches a call. A blocked call does not count: nothing happened. */
class EveryItemCalled extends ItemListAssertion {
  verdict(): Verdict {
    const missing = this.items.filter(({ matches }) => matches.count === 0);
    return missing.length === 0 ? this.pass(this.items) : this.fail(joinNames(missing), missing);
  }
}

/** Asserts that some item matches a call. A blocked call does not count: nothing happened. */
class AnyItemCalled extends ItemListAssertion {
  verdict(): Verdict {
    const { called, items } = this;
    if (called.length > 0) return this.pass(called);
    const names = joinNames(items);
    return this.fail(items.length === 1 ? names : `at least one of ${names}`, items);
  }
}

/** Asserts that no item matches a call. A blocked call counts: the agent tried. */
class NoItemCalled extends ItemListAssertion {
  #seen = 0;

  override see(call: AgentCall): void {
    if (call.kind !== this.kind) return;
    this.#seen++;
    // Not `some`: every item has to see the call.
    const matching = this.items.filter((item) => item.see(call));
    if (matching.length > 0) this.callNames.add(call);
  }

  verdict(): Verdict {
    const { done, none } = callWords[this.kind];
    const found = this.items.filter(({ matches, blocked }) => matches.count + blocked.count > 0);
    const without = this.#seen === 0 ? none : 'did without';
    const happened = found.length === 0 ? without : `${done} ${this.callNames.text}`;
    return {
      passed: found.length === 0,
      reason: `expected ${joinNames(found.length > 0 ? found : this.items)} not to be ${done}; the agent ${happened}`,
      details: this.items.map((item) => `${item.text}: ${describeForbidden(item, done)}`),
      calls: mergeCallNumbers(
        found.flatMap(({ matches, blocked }) => [...matches.numbers, ...blocked.numbers]),
      ),
    };
  }
}

function describeForbidden({ matches, blocked }: ItemMatches, done: string): string {
  const texts = [
    ...(matches.count > 0 ? [`${done} (${matches.text})`] : []),
    ...(blocked.count > 0 ? [`tried, but blocked by the MCP config (${blocked.text})`] : []),
  ];
  return texts.join(' and ') || `not ${done}`;
}

/** Describes what the agent did instead of the missing calls: what came closest, else all its calls. */
function describeCallsInstead(
  kind: CallKind,
  callNames: CallNameSummary,
  missing: readonly ItemMatches[],
): string {
  const near = missing.find(({ nearMiss }) => nearMiss !== undefined);
  if (near) return `${missing.length === 1 ? 'it' : near.text} was ${near.nearMiss}`;
  const { done, none } = callWords[kind];
  return callNames.count === 0 ? `the agent ${none}` : `the agent only ${done} ${callNames.text}`;
}

/** The class for each `mustMatch` of a definition. */
const classes = { all: EveryItemCalled, any: AnyItemCalled, none: NoItemCalled };

type CreateItemList = (items: readonly ListItem[], redact: Redact) => Assertion;

/** Creates each assertion that is a list of items, as its definition says. */
export const itemListAssertions = Object.fromEntries(
  Object.entries<AssertionDefinition>(assertionDefinitions).flatMap(([name, { items }]) => {
    if (!items) return [];
    const Class = classes[items.mustMatch];
    const create: CreateItemList = (list, redact) => new Class(items.kind, list, redact);
    return [[name, create]];
  }),
) as Record<ItemList, CreateItemList>;
