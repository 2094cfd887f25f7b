import type { JournalEvent } from '../../journal/event.js';
import { type BudgetKind, budgetKinds, type SpentBudget } from '../../journal/run-events.js';
import { type Spending, TaskRunTally } from '../../journal/run-state.js';

/** In US dollars, tokens and milliseconds; what is left out has no limit. */
export type BudgetLimits = Partial<Record<BudgetKind, number>>;

/** What a check has spent already, before it was resumed. */
export interface SpentBefore extends Spending {
  durationMs: number;
}

/** What a whole check may spend. It is held by starting nothing more, never by stopping what runs. */
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

  /** Called before something is started: if it must not be, `reached` says why from then on. */
  isSpent(): boolean {
    this.#reached ??= this.state.find(({ spent, limit }) => spent >= limit);
    return this.#reached !== undefined;
  }

  /** Workers found that it is spent, and have started nothing more. */
  reach(kind: BudgetKind, limit: number): void {
    this.#reached ??= { kind, limit: this.#limits[kind] ?? limit, spent: 0 };
  }

  /** The budget that kept something from being started, with all that was spent of it in the end. */
  get reached(): SpentBudget | undefined {
    return this.#reached && { ...this.#reached, spent: this.#spentOf(this.#reached.kind) };
  }

  #spentOf(kind: BudgetKind): number {
    if (kind !== 'duration') return this.#spent[kind];
    const now = this.#now();
    return this.#before.durationMs + Math.round(now - (this.#started ?? now));
  }
}

/** Ends a check after so many task runs that did not pass, by starting nothing more. */
export class Bail {
  readonly #after: number;
  readonly #tally = new TaskRunTally();

  constructor(after = Number.POSITIVE_INFINITY) {
    this.#after = after;
  }

  see(event: JournalEvent): void {
    this.#tally.apply(event);
  }

  /** After so many more, the check ends. */
  get remaining(): number {
    return Math.max(0, this.#after - this.#tally.notPassed);
  }

  get isDue(): boolean {
    return this.#tally.notPassed >= this.#after;
  }
}
