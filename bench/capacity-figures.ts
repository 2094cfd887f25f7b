import { randomBytes } from 'node:crypto';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { readJournal } from '../src/journal/journal-reader.js';
import { QueueFleet } from './queue-fleet.js';
import { memoryOfKeys, redisFigures, redisVersion, since } from './redis-figures.js';
import { littleHeap, type ResourceUse } from './resource-use.js';
import { startSimulatedWorker, writeQueuedSuite } from './simulated-checks.js';
import { startWaitingServer } from './waiting-server.js';
import { writeWaitingSuite } from './waiting-suite.js';

/** What a task run takes, unless it says otherwise: bytes, and milliseconds of the processor. */
export interface CapacityFigures {
  redisVersion: string;
  /** In Redis: one that waits, */
  waiting: number;
  /** what is added while it is under way, */
  underWay: number;
  /** one that is done and not read by the coordinator yet, */
  unread: number;
  /** and what stays of it until the run is over. */
  finished: number;
  /** In Redis, of each byte of a bundle. */
  bundle: number;
  events: number;
  journal: number;
  results: number;
  commands: number;
  redisCpu: number;
  received: number;
  sent: number;
  coordinatorCpu: number;
  /** Of the coordinator, to plan it and put it into the queue. */
  handOverCpu: number;
  /** Of the coordinator, until the run is over. */
  planned: number;
  /** Of each byte of the journal, after the last task run has ended: nanoseconds until the check ends. */
  endOfCheck: number;
  /** Of a worker that waits for something to do, in a second. */
  idleCommands: number;
  idleRedisCpu: number;
}

const tasks = 10;
const few = { tasks, runs: 10 };
const many = { tasks, runs: 500 };
const more = (many.runs - few.runs) * tasks;
/** Handed over only. */
const veryMany = { tasks, runs: 5_000 };
const veryManyMore = (veryMany.runs - few.runs) * tasks;
const held = 500;
const unread = { tasks, runs: 200 };
const atOnce = 16;
const fileBytes = 8 * 1024 * 1024;
const fewWorkers = 2;
const manyWorkers = 8;
/** Milliseconds for which workers are watched while they wait. */
const settling = 4_000;
const watching = 10_000;

/** Measures all of it, one after the other. The folder is empty. */
export async function measureCapacity(folder: string): Promise<CapacityFigures> {
  const bench = new CapacityBench(folder);
  return {
    ...(await bench.waiting()),
    ...(await bench.unread()),
    ...(await bench.bundle()),
    ...(await bench.wholeCheck()),
    ...(await bench.idle()),
  };
}

class CapacityBench {
  readonly #folder: string;
  #fleets = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Handed over while nobody takes anything; then some are begun, and go on. */
  waiting() {
    return this.#withFleet(0, async (fleet, folder) => {
      const little = await this.#handedOver(fleet, folder, few);
      const much = await this.#handedOver(fleet, folder, veryMany);
      const before = await redisFigures(fleet.redis.url);
      const options = { atOnce: held, holds: true, says: /(holding)/ };
      const holder = await startSimulatedWorker(fleet, folder, options);
      const { memory } = since(before, await redisFigures(fleet.redis.url));
      await holder.stop();
      return {
        waiting: (much.memory - little.memory) / veryManyMore,
        handOverCpu: (much.cpuMs - little.cpuMs) / veryManyMore,
        planned: ((much.peakMegabytes - little.peakMegabytes) * 1024 ** 2) / veryManyMore,
        underWay: memory / held,
      };
    });
  }

  /** Done while what workers record is not read. */
  unread() {
    return this.#withFleet(0, async (fleet, folder) => {
      const before = await redisFigures(fleet.redis.url);
      await this.#handedOver(fleet, folder, unread);
      const worker = await startSimulatedWorker(fleet, folder, { atOnce, says: /(finished)/ });
      const { memory } = since(before, await redisFigures(fleet.redis.url));
      const kept = await memoryOfKeys(fleet.redis.url, ['done', 'attempts', 'parallel']);
      await worker.stop();
      const taskRuns = unread.tasks * unread.runs;
      return { unread: memory / taskRuns, finished: kept / taskRuns };
    });
  }

  bundle() {
    return this.#withFleet(0, async (fleet, folder) => {
      const without = await this.#handedOver(fleet, folder, few);
      const large = { 'large.bin': randomBytes(fileBytes) };
      const { memory } = await this.#handedOver(fleet, folder, few, large);
      return {
        bundle: (memory - without.memory) / fileBytes,
        redisVersion: await redisVersion(fleet.redis.url),
      };
    });
  }

  /** From the plan to the results, with a worker that records as fast as it can. */
  wholeCheck() {
    return this.#withFleet(0, async (fleet, folder) => {
      const worker = await startSimulatedWorker(fleet, folder, { atOnce });
      const suite = path.join(folder, 'suite');
      await writeQueuedSuite(suite, few);
      const little = await fleet.check(suite);
      await writeQueuedSuite(suite, many);
      const before = await redisFigures(fleet.redis.url);
      const much = await fleet.check(suite, { more: ['--force'] });
      const endedAt = Date.now();
      const used = since(before, await redisFigures(fleet.redis.url));
      await worker.stop();
      const taskRuns = many.tasks * many.runs;
      const journal = path.join(suite, 'out.jsonl');
      const { size } = await stat(journal);
      const { events, lastEnd } = await readEnd(journal);
      return {
        events: events / taskRuns,
        journal: size / taskRuns,
        results: (await stat(path.join(suite, 'out.json'))).size / taskRuns,
        commands: used.commands / taskRuns,
        redisCpu: used.cpuMs / taskRuns,
        received: used.received / taskRuns,
        sent: used.sent / taskRuns,
        coordinatorCpu: (much.cpuMs - little.cpuMs) / more,
        endOfCheck: ((endedAt - lastEnd) * 1e6) / size,
      };
    });
  }

  /** What each worker adds to a run in which there is nothing to do for it. */
  async idle() {
    const few = await this.#idleWith(fewWorkers);
    const many = await this.#idleWith(manyWorkers);
    const workers = manyWorkers - fewWorkers;
    return {
      idleCommands: (many.commands - few.commands) / workers,
      idleRedisCpu: (many.cpuMs - few.cpuMs) / workers,
    };
  }

  /** In a second, with a coordinator and one task run that goes on. */
  #idleWith(workers: number) {
    return this.#withFleet(workers, async (fleet, folder) => {
      const longEnough = 2 * settling + watching;
      const server = await startWaitingServer({ shortest: longEnough, longest: longEnough });
      try {
        const suite = path.join(folder, 'suite');
        await mkdir(suite);
        await writeWaitingSuite(suite, server.url, 1);
        const check = fleet.check(suite);
        await delay(settling);
        const before = await redisFigures(fleet.redis.url);
        await delay(watching);
        const { commands, cpuMs } = since(before, await redisFigures(fleet.redis.url));
        await check;
        const seconds = watching / 1_000;
        return { commands: commands / seconds, cpuMs: cpuMs / seconds };
      } finally {
        await server.close();
      }
    });
  }

  /** What Redis and the check take for task runs that nobody begins. */
  async #handedOver(
    fleet: QueueFleet,
    folder: string,
    size: { tasks: number; runs: number },
    files: Record<string, Buffer> = {},
  ): Promise<ResourceUse & { memory: number }> {
    const redis = new Redis(fleet.redis.url);
    await redis.flushall();
    redis.disconnect();
    const suite = path.join(folder, 'suite');
    await writeQueuedSuite(suite, size);
    for (const [name, data] of Object.entries(files)) {
      await writeFile(path.join(suite, name), data);
    }
    const before = await redisFigures(fleet.redis.url);
    const worker = await startSimulatedWorker(fleet, folder, { atOnce: 0 });
    const use = await fleet.check(suite, {
      more: ['--detach', '--force'],
      nodeOptions: [littleHeap],
    });
    await worker.stop();
    return { ...use, memory: since(before, await redisFigures(fleet.redis.url)).memory };
  }

  async #withFleet<T>(
    workers: number,
    measure: (fleet: QueueFleet, folder: string) => Promise<T>,
  ): Promise<T> {
    this.#fleets += 1;
    const folder = path.join(this.#folder, String(this.#fleets));
    await mkdir(folder);
    const fleet = await QueueFleet.start({ folder, workers });
    try {
      return await measure(fleet, folder);
    } finally {
      await fleet.close();
    }
  }
}

async function readEnd(journal: string): Promise<{ events: number; lastEnd: number }> {
  let events = 0;
  let lastEnd = 0;
  for await (const { type, at } of readJournal(journal)) {
    events += 1;
    if (type === 'task-run-ended') lastEnd = Date.parse(at);
  }
  return { events, lastEnd };
}
