import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { readJournal } from '../src/journal/journal-reader.js';
import type { Benchmark } from './benchmark.js';
import { QueueFleet } from './queue-fleet.js';
import { startWaitingServer } from './waiting-server.js';
import { writeWaitingSuite } from './waiting-suite.js';

/** Of each worker: about ten seconds. */
const taskRuns = 45;

/** Agents that do nothing but wait, on workers that do one task run at a time. */
export const workerScaling: Benchmark[] = [2, 4, 8].map((workers) => ({
  name: `${workers}-workers`,
  measures: `task runs of 200 ms on average, with ${workers} workers`,
  against: `${workers} times what one does`,
  unit: 'per second',
  budget: { atLeast: 0.9 },
  rounds: 2,
  async prepare(folder) {
    const server = await startWaitingServer({ shortest: 100, longest: 300 });
    const evalFolder = path.join(folder, 'suite');
    await mkdir(evalFolder);
    return {
      measureBaseline: async () => workers * (await throughput(folder, evalFolder, server.url, 1)),
      measure: () => throughput(folder, evalFolder, server.url, workers),
      close: () => server.close(),
    };
  },
}));

async function throughput(
  folder: string,
  evalFolder: string,
  server: string,
  workers: number,
): Promise<number> {
  await writeWaitingSuite(evalFolder, server, taskRuns * workers);
  const journal = path.join(evalFolder, 'out.jsonl');
  await rm(journal, { force: true });
  const fleet = await QueueFleet.start({
    folder: await mkdtemp(path.join(folder, 'fleet-')),
    workers,
  });
  try {
    await fleet.check(evalFolder);
  } finally {
    await fleet.close();
  }
  return throughputOf(journal, workers);
}

/** While all workers had something to do: from the first start of the last of them to the last start. */
async function throughputOf(journal: string, workers: number): Promise<number> {
  const busy = new Set<string>();
  let from = 0;
  let to = 0;
  const ends: number[] = [];
  for await (const event of readJournal(journal)) {
    const at = Date.parse(event.at);
    if (event.type === 'task-run-started') {
      if (busy.size < workers) from = at;
      busy.add(event.worker ?? '');
      to = at;
    }
    if (event.type === 'task-run-ended') ends.push(at);
  }
  if (busy.size < workers) throw new Error(`only ${busy.size} of ${workers} workers did anything`);
  const within = ends.filter((at) => at > from && at <= to).length;
  return within / ((to - from) / 1000);
}
