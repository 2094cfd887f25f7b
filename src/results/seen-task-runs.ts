import { hash } from 'node:crypto';
import type { TaskRunRecord } from './task-run-record.js';

type Identity = Pick<TaskRunRecord, 'task' | 'variant' | 'run' | 'from'>;

/** Which task runs there were in a file. Names can be of any length, so it keeps digests of them. */
export class SeenTaskRuns {
  readonly #keys = new Set<string>();

  /** Of merged results, neither a run of a task nor one of an evaluation comes twice. */
  isNew({ task, variant, run, from }: Identity): boolean {
    const before = this.#keys.size;
    this.#keys.add(digest([task, variant, run]));
    if (!from) return this.#keys.size > before;
    this.#keys.add(digest([task, variant, from.run, from.id]));
    return this.#keys.size === before + 2;
  }
}

/** As short as it can be without two being alike: there may be hundreds of thousands. */
function digest(parts: readonly (string | number | null)[]): string {
  return hash('sha256', JSON.stringify(parts), 'buffer').toString('latin1', 0, 16);
}
