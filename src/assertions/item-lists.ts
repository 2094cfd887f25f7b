import { type ItemList, listKinds } from '../config/files/assertion-items.js';
import type { CallKind } from '../config/schemas/assertions-schema.js';
import type { AgentCall, Assertion, Verdict } from './assertion.js';
import {
  CallNameSummary,
  describeCallsInstead,
  ItemMatches,
  mergeCallNumbers,
} from './evidence.js';
import { type ListItem, readListItem } from './item-matcher.js';
import { callWords, joinWithAnd, type Redact } from './wording.js';

/** An assertion about a list of items, all for calls of one kind. */
abstract class ItemListAssertion implements Assertion {
  protected readonly kind: CallKind;
  protected readonly items: readonly ItemMatches[];
  /** The calls that a verdict is about. */
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
      callNumbers: mergeCallNumbers(called.flatMap(({ matches }) => matches.numbers.slice(0, 1))),
    };
  }

  /** `wanted` says what was expected to be called, `missing` are the items that were not. */
  protected fail(wanted: string, missing: readonly ItemMatches[]): Verdict {
    const happened = describeCallsInstead(this.kind, this.callNames, missing);
    return {
      passed: false,
      reason: `expected ${wanted} to be ${callWords[this.kind].done}; ${happened}`,
      details: this.#details,
      callNumbers: mergeCallNumbers(missing.flatMap((item) => item.nearestCalls)),
    };
  }

  get #details(): string[] {
    return this.items.map(({ text, account }) => `${text}: ${account}`);
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
      details: this.items.map((item) => `${item.text}: ${formatAccount(item, done)}`),
      callNumbers: mergeCallNumbers(
        found.flatMap(({ matches, blocked }) => [...matches.numbers, ...blocked.numbers]),
      ),
    };
  }
}

function formatAccount({ matches, blocked }: ItemMatches, done: string): string {
  const accounts = [
    ...(matches.count > 0 ? [`${done} (${matches.text})`] : []),
    ...(blocked.count > 0 ? [`tried, but blocked by the MCP config (${blocked.text})`] : []),
  ];
  return accounts.join(' and ') || `not ${done}`;
}

type CreateItemList = (items: readonly ListItem[], redact: Redact) => Assertion;

/** What each list of items asserts. It is never guessed: a list that forbids calls passes where none is made. */
const classes = {
  toolsUsed: EveryItemCalled,
  requireAny: AnyItemCalled,
  toolsNotUsed: NoItemCalled,
  resourcesRead: EveryItemCalled,
  resourcesNotRead: NoItemCalled,
  promptsUsed: EveryItemCalled,
  promptsNotUsed: NoItemCalled,
  skillsLoaded: EveryItemCalled,
  skillsNotLoaded: NoItemCalled,
} satisfies Record<ItemList, unknown>;

/** The assertions over lists of items, by their names in Eval and Task files. */
export const itemListAssertions = Object.fromEntries(
  Object.entries(classes).map(([name, Class]): [string, CreateItemList] => {
    const kind = listKinds[name as ItemList];
    return [name, (items, redact) => new Class(kind, items, redact)];
  }),
) as Record<ItemList, CreateItemList>;
