import type { JournalEvent } from '../../journal/event.js';
import { type BudgetKind, budgetKinds, type SpentBudget } from '../../journal/run-events.js';
import { type Spending, TaskRunTally } from '../../journal/run-state.js';

/** Limits in US dollars, tokens and milliseconds; a kind that is missing has none. */
export type BudgetLimits = Partial<Record<BudgetKind, number>>;

/** What a run had spent before it was resumed. */
export interface SpentBefore extends Spending {
  durationMs: number;
}

/** What a whole check may spend. When it is spent nothing more starts; what is under way finishes. */
export class Budget {
  readonly #limits: BudgetLimits;
  readonly #before: SpentBefore;
  readonly #spent: TaskRunTally;
  readonly #now: () => number;
  #started: number | undefined;
  #reached: SpentBudget | undefined;

  constructor(
    limits: BudgetLimits,
    before: SpentBefore = { cost: 0, tokens: 0, durationMs: 0 },
    now: () => number = () => performance.now(),
  ) {
    this.#limits = limits;
    this.#before = before;
    this.#spent = new TaskRunTally(before);
    this.#now = now;
  }

  /** Starts the clock of the duration. */
  start(): void {
    this.#started ??= this.#now();
  }

  see(event: JournalEvent): void {
    this.#spent.apply(event);
  }

  /** How far each budget is spent. */
  get state(): SpentBudget[] {
    return budgetKinds.flatMap((kind) => {
      const limit = this.#limits[kind];
      return limit === undefined ? [] : [{ kind, limit, spent: this.#spentOf(kind) }];
    });
  }

  /** Called before each start. True: nothing more may start, and from then on `reached` says why. */
  isSpent(): boolean {
    this.#reached ??= this.state.find(({ spent, limit }) => spent >= limit);
    return this.#reached !== undefined;
  }

  /** Notes that the queue found a budget spent, so that workers started nothing more. */
  reach(kind: BudgetKind, limit: number): void {
    this.#reached ??= { kind, limit: this.#limits[kind] ?? limit, spent: 0 };
  }

  /** The budget that kept something from starting, with what is spent of it by now. */
  get reached(): SpentBudget | undefined {
    return this.#reached && { ...this.#reached, spent: this.#spentOf(this.#reached.kind) };
  }

  #spentOf(kind: BudgetKind): number {
    if (kind !== 'duration') return this.#spent[kind];
    const now = this.#now();
    return this.#before.durationMs + Math.round(now - (this.#started ?? now));
  }
}

/** `--bail`: after so many task runs that did not pass, nothing more starts. */
export class Bail {
  readonly #after: number;
  readonly #tally = new TaskRunTally();

  constructor(after = Number.POSITIVE_INFINITY) {
    this.#after = after;
  }

  see(event: JournalEvent): void {
    this.#tally.apply(event);
  }

  /** How many more task runs may fail to pass before nothing more starts. */
  get remaining(): number {
    return Math.max(0, this.#after - this.#tally.notPassed);
  }

  get isDue(): boolean {
    return this.#tally.notPassed >= this.#after;
  }
}
