import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { plural } from '../../base/text.js';
import { queuesOpenTo } from '../label-queues.js';
import type { QueueKeys } from '../queue-keys.js';
import type { WorkerSetup } from '../queue-run.js';
import { presentWorkers } from '../worker/worker-presence.js';
import type { HandedOverRun } from './handed-over-run.js';

/** Every worker that is there lacks something. */
export class NoFittingWorker extends Error {
  /** What each of them lacks. */
  readonly reasons: string;

  constructor(reasons: readonly string[]) {
    const who =
      reasons.length === 1 ? 'the only worker lacks' : `all ${reasons.length} workers lack`;
    super(`${who} something, and cannot take part`);
    this.name = 'NoFittingWorker';
    this.reasons = reasons.join('\n');
  }
}

/** Somebody stopped it before it began. */
export class RunCancelled extends Error {
  constructor() {
    super('the run was cancelled before a worker was ready for it');
    this.name = 'RunCancelled';
  }
}

/** Milliseconds. */
const lookAgainAfter = 250;
/** Should we be killed, workers forget it so soon. */
const patience = 30_000;

/**
 * Offers a run to workers until one is ready for it, and tells what that one found; undefined if somebody
 * stopped it. Throws NoFittingWorker and RunCancelled.
 */
export async function waitForWorker(
  redis: Redis,
  keys: QueueKeys,
  run: HandedOverRun,
  { signal, note }: { signal: AbortSignal; note(text: string): void },
): Promise<WorkerSetup | undefined> {
  const { id, queues } = run.about;
  await run.prepare(patience);
  let told = '';
  while (!signal.aborted) {
    if ((await run.store.stateOf(id)) === 'stopping') throw new RunCancelled();
    const { first, refused } = await run.store.setupsOf(id);
    if (first) {
      // Others of the check may come first, and take their time.
      const waiting = setInterval(
        () => void run.stillWanted(patience).catch(() => {}),
        patience / 4,
      );
      waiting.unref();
      run.onOpen(() => clearInterval(waiting));
      return first;
    }
    const workers = (await presentWorkers(redis, keys)).filter(
      ({ labels }) => queuesOpenTo(labels, queues).length > 0,
    );
    if (workers.length > 0 && workers.every((worker) => refused.has(worker.id))) {
      throw new NoFittingWorker(
        workers.map((worker) => `${worker.name}: ${refused.get(worker.id)?.reason ?? ''}`),
      );
    }
    const text =
      workers.length > 0
        ? `Waiting for ${plural(workers.length, 'worker')} to look at the servers and the agent`
        : 'Waiting for a worker: start one with proctor worker --queue';
    if (text !== told) note(text);
    told = text;
    await run.stillWanted(patience);
    await delay(lookAgainAfter, undefined, { signal }).catch(() => {});
  }
  return undefined;
}
