import type { QueueRun } from '../../queue/queue-run.js';
import type { RunStore } from '../../queue/run-store.js';
import { UsageError } from '../exit-codes.js';

/** The runs of a queue, oldest first. */
export async function allRuns(store: RunStore): Promise<QueueRun[]> {
  const runs = await Promise.all((await store.ids()).map((id) => store.read(id)));
  return runs.flatMap((run) => run ?? []);
}

/** The one whose id begins so. Throws UsageError. */
export function runNamed(runs: readonly QueueRun[], start: string): QueueRun {
  const found = start === '' ? [] : runs.filter(({ id }) => id.startsWith(start));
  const [first, ...others] = found;
  if (first && others.length === 0) return first;
  const known = runs.map(({ id, name }) => `${id} (${name})`).join(', ');
  const hint = known === '' ? 'there is none: it may be over' : `there are: ${known}`;
  const what = first ? 'several runs have' : 'no run has';
  throw new UsageError(`${what} an id that begins with ${JSON.stringify(start)}`, hint);
}
