import type { CallRecord } from '../../results/task-run-record.js';
import { boundedName } from '../summary/bounded-text.js';
import type { OtherUse } from './tool-usage.js';

/** An agent can think up addresses without end; the rest is counted together. */
const maxNames = 1000;
const otherNames = '(other)';

/** Resources and prompts that were used. */
export class OtherFold {
  readonly #uses = new Map<string, OtherUse>();

  addTaskRun(calls: readonly CallRecord[]): void {
    const used = new Set<OtherUse>();
    for (const { kind, server, name, isError } of calls) {
      if (kind === 'tool') continue;
      const use = this.#useOf(boundedName(server), kind, boundedName(name));
      use.calls += 1;
      if (isError) use.errors += 1;
      used.add(use);
    }
    for (const use of used) use.taskRuns += 1;
  }

  #useOf(server: string, kind: OtherUse['kind'], name: string): OtherUse {
    const known = this.#uses.get(JSON.stringify([server, kind, name]));
    if (known) return known;
    const isFull = this.#uses.size >= maxNames;
    const shown = { server: isFull ? otherNames : server, kind, name: isFull ? otherNames : name };
    const key = JSON.stringify([shown.server, kind, shown.name]);
    const use = this.#uses.get(key) ?? { ...shown, calls: 0, errors: 0, taskRuns: 0 };
    this.#uses.set(key, use);
    return use;
  }

  get uses(): OtherUse[] {
    const text = ({ server, kind, name }: OtherUse) => JSON.stringify([server, kind, name]);
    return [...this.#uses.values()].sort((left, right) => (text(left) < text(right) ? -1 : 1));
  }
}
