import type { JournalEvent } from '../../journal/event.js';
import { addSpending, type Spending } from '../../journal/folds.js';
import { type BudgetKind, budgetKinds, type SpentBudget } from '../../journal/run-events.js';

/** In US dollars, tokens and milliseconds; what is left out has no limit. */
export type BudgetLimits = Partial<Record<BudgetKind, number>>;

/** What a check has spent already, before it was resumed. */
export interface SpentBefore extends Spending {
  durationMs: number;
}

/** What a whole check may addSpending. It is held by starting nothing more, never by stopping what runs. */
export class Budget {
  readonly #limits: BudgetLimits;
  readonly #before: SpentBefore;
  readonly #spent: Spending;
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
    this.#spent = { cost: before.cost, tokens: before.tokens };
    this.#now = now;
  }

  /** Starts the clock of the duration. */
  start(): void {
    this.#started ??= this.#now();
  }

  see(event: JournalEvent): void {
    if (event.type === 'task-run-ended') addSpending(this.#spent, event);
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
  #notPassed = 0;

  constructor(after = Number.POSITIVE_INFINITY) {
    this.#after = after;
  }

  /** Counts a task run that ended. A cancelled one does not count: it is done again. */
  see(event: JournalEvent): void {
    if (event.type !== 'task-run-ended') return;
    if (event.outcome !== 'passed' && event.outcome !== 'cancelled') this.#notPassed += 1;
  }

  /** After so many more, the check ends. */
  get left(): number {
    return Math.max(0, this.#after - this.#notPassed);
  }

  get isDue(): boolean {
    return this.#notPassed >= this.#after;
  }
}
