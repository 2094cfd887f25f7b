import { hash } from 'node:crypto';
import type { TaskRunRecord } from './task-run-record.js';

type Identity = Pick<TaskRunRecord, 'task' | 'variant' | 'run' | 'from'>;

/** Which task runs there were in a file. Names can be of any length, so it keeps digests of them. */
export class SeenTaskRuns {
  readonly #keys = new Set<string>();

  /** Of merged results, neither a run of a task nor one of an evaluation comes twice. */
  isNew(taskRun: Identity): boolean {
    const before = this.#keys.size;
    const keys = keysOf(taskRun);
    for (const key of keys) this.#keys.add(key);
    return this.#keys.size === before + keys.length;
  }
}

type Verdict = Pick<TaskRunRecord, 'outcome' | 'verified' | 'assertionsHeld' | 'assertions'>;

/** Which task runs a file tells more than once, with verdicts that differ. */
export class DisputedTaskRuns {
  readonly #verdicts = new Map<string, string>();
  readonly #keys = new Set<string>();

  see(record: Identity & Verdict): void {
    const { outcome, verified, assertionsHeld, assertions } = record;
    const broken = assertions.filter(({ passed }) => !passed).map(({ name }) => name);
    const verdict = digest([outcome, verified, assertionsHeld, ...broken]);
    for (const key of keysOf(record)) {
      const before = this.#verdicts.get(key);
      if (before === undefined) this.#verdicts.set(key, verdict);
      else if (before !== verdict) this.#keys.add(key);
    }
  }

  /** All were seen: what they were held against is needed no longer. */
  end(): void {
    this.#verdicts.clear();
  }

  has(record: Identity): boolean {
    return this.#keys.size > 0 && keysOf(record).some((key) => this.#keys.has(key));
  }
}

function keysOf({ task, variant, run, from }: Identity): string[] {
  const own = digest([task, variant, run]);
  return from ? [own, digest([task, variant, from.run, from.id])] : [own];
}

/** As short as it can be without two being alike: there may be hundreds of thousands. */
function digest(parts: readonly (string | number | boolean | null)[]): string {
  return hash('sha256', JSON.stringify(parts), 'buffer').toString('latin1', 0, 16);
}
