import type { CallKind } from '../config/files/assertion-items.js';
import type { AgentCall, Assertion, Verdict } from './assertion.js';
import { CallTally, describeCallsInstead, ItemMatches, mergeCallNumbers } from './evidence.js';
import {
  type ExpectedCall,
  type PromptItem,
  type ResourceItem,
  readPromptItem,
  readResourceItem,
  readSkillItem,
  readToolItem,
  type SkillItem,
  type ToolItem,
} from './item-matcher.js';
import { callWords, joinWithAnd, type Redact } from './wording.js';

/** Asserts that each item matches a call. A blocked call does not count: nothing happened. */
class EveryItemCalled implements Assertion {
  readonly #kind: CallKind;
  readonly #items: readonly ItemMatches[];
  readonly #tally: CallTally;

  constructor(kind: CallKind, items: readonly ExpectedCall[], redact: Redact) {
    this.#kind = kind;
    this.#items = items.map((expected) => new ItemMatches(expected, redact));
    this.#tally = new CallTally(redact);
  }

  see(call: AgentCall): void {
    if (call.kind !== this.#kind) return;
    this.#tally.add(call);
    for (const item of this.#items) item.see(call);
  }

  verdict(): Verdict {
    const missing = this.#items.filter(({ matches }) => matches.count === 0);
    const details = this.#items.map(({ text, account }) => `${text}: ${account}`);
    if (missing.length > 0) return this.#failure(missing, details);
    const { done } = callWords[this.#kind];
    const names = joinWithAnd(this.#items.map(({ text }) => text));
    return {
      passed: true,
      reason: `${names} ${this.#items.length === 1 ? 'was' : 'were'} ${done}`,
      details,
      calls: mergeCallNumbers(this.#items.flatMap(({ matches }) => matches.numbers.slice(0, 1))),
    };
  }

  #failure(missing: readonly ItemMatches[], details: string[]): Verdict {
    const names = joinWithAnd(missing.map(({ text }) => text));
    const happened = describeCallsInstead(this.#kind, this.#tally, missing);
    return {
      passed: false,
      reason: `expected ${names} to be ${callWords[this.#kind].done}; ${happened}`,
      details,
      calls: mergeCallNumbers(missing.flatMap((item) => item.nearestCalls)),
    };
  }
}

/** Asserts that no item matches a call. A blocked call counts: the agent tried. */
class NoItemCalled implements Assertion {
  readonly #kind: CallKind;
  readonly #items: readonly ItemMatches[];
  /** Counts the calls that should not be there. */
  readonly #tally: CallTally;
  #seen = 0;

  constructor(kind: CallKind, items: readonly ExpectedCall[], redact: Redact) {
    this.#kind = kind;
    this.#items = items.map((expected) => new ItemMatches(expected, redact));
    this.#tally = new CallTally(redact);
  }

  see(call: AgentCall): void {
    if (call.kind !== this.#kind) return;
    this.#seen++;
    // Not `some`: every item has to see the call.
    const matching = this.#items.filter((item) => item.see(call));
    if (matching.length > 0) this.#tally.add(call);
  }

  verdict(): Verdict {
    const { done, none } = callWords[this.#kind];
    const found = this.#items.filter(({ matches, blocked }) => matches.count + blocked.count > 0);
    const names = joinWithAnd((found.length > 0 ? found : this.#items).map(({ text }) => text));
    const without = this.#seen === 0 ? none : 'did without';
    const happened = found.length === 0 ? without : `${done} ${this.#tally.text}`;
    return {
      passed: found.length === 0,
      reason: `expected ${names} not to be ${done}; the agent ${happened}`,
      details: this.#items.map((item) => `${item.text}: ${formatAccount(item, done)}`),
      calls: mergeCallNumbers(
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

/** Asserts that some item matches a tool call. A blocked call does not count: nothing happened. */
class AnyItemCalled implements Assertion {
  readonly #items: readonly ItemMatches[];
  readonly #tally: CallTally;

  constructor(items: readonly ToolItem[], redact: Redact) {
    this.#items = items.map((item) => new ItemMatches(readToolItem(item), redact));
    this.#tally = new CallTally(redact);
  }

  see(call: AgentCall): void {
    if (call.kind !== 'tool') return;
    this.#tally.add(call);
    for (const item of this.#items) item.see(call);
  }

  verdict(): Verdict {
    const found = this.#items.filter(({ matches }) => matches.count > 0);
    const details = this.#items.map(({ text, account }) => `${text}: ${account}`);
    if (found.length > 0) {
      return {
        passed: true,
        reason: `${joinWithAnd(found.map(({ text }) => text))} ${found.length === 1 ? 'was' : 'were'} called`,
        details,
        calls: mergeCallNumbers(found.flatMap(({ matches }) => matches.numbers.slice(0, 1))),
      };
    }
    const names = joinWithAnd(this.#items.map(({ text }) => text));
    const wanted = this.#items.length === 1 ? names : `at least one of ${names}`;
    return {
      passed: false,
      reason: `expected ${wanted} to be called; ${describeCallsInstead('tool', this.#tally, this.#items)}`,
      details,
      calls: mergeCallNumbers(this.#items.flatMap((item) => item.nearestCalls)),
    };
  }
}

/** The assertions over lists of items, by their names in Eval and Task files. */
export const itemListAssertions = {
  toolsUsed: (items: readonly ToolItem[], redact: Redact) =>
    new EveryItemCalled('tool', items.map(readToolItem), redact),
  toolsNotUsed: (items: readonly ToolItem[], redact: Redact) =>
    new NoItemCalled('tool', items.map(readToolItem), redact),
  requireAny: (items: readonly ToolItem[], redact: Redact) => new AnyItemCalled(items, redact),
  resourcesRead: (items: readonly ResourceItem[], redact: Redact) =>
    new EveryItemCalled('resource', items.map(readResourceItem), redact),
  resourcesNotRead: (items: readonly ResourceItem[], redact: Redact) =>
    new NoItemCalled('resource', items.map(readResourceItem), redact),
  promptsUsed: (items: readonly PromptItem[], redact: Redact) =>
    new EveryItemCalled('prompt', items.map(readPromptItem), redact),
  promptsNotUsed: (items: readonly PromptItem[], redact: Redact) =>
    new NoItemCalled('prompt', items.map(readPromptItem), redact),
  skillsLoaded: (items: readonly SkillItem[], redact: Redact) =>
    new EveryItemCalled('skill', items.map(readSkillItem), redact),
  skillsNotLoaded: (items: readonly SkillItem[], redact: Redact) =>
    new NoItemCalled('skill', items.map(readSkillItem), redact),
};
