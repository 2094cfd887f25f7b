/**
 * node simulated-worker.mjs REDIS AT-ONCE [hold]
 *
 * A worker by the rules of the queue that runs nothing: it records for each task run what an agent with eight
 * tool calls would have done, so that the coordinator gets its work faster than agents could make it. With
 * `hold` it begins so many task runs, and ends none.
 */
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { Redactor } from '../src/config/secrets/redactor.js';
import { Secrets } from '../src/config/secrets/secrets.js';
import { nameAttempt } from '../src/journal/task-run-events.js';
import { parseItem } from '../src/queue/items.js';
import { JobSource } from '../src/queue/job-queue.js';
import { getLockKey, QueueKeys } from '../src/queue/queue-keys.js';
import { RunAttempts } from '../src/queue/run-attempts.js';
import { RunStore } from '../src/queue/run-store.js';
import type { RunTicket } from '../src/queue/run-ticket.js';
import { AttemptLog } from '../src/queue/worker/attempt-log.js';
import { presenceInterval, recordPresence } from '../src/queue/worker/worker-presence.js';
import { writeSimulatedRest, writeSimulatedStart } from './simulated-task-run.js';

const [url = '', atOnce = '', hold] = process.argv.slice(2);
const worker = randomUUID();
const name = 'simulated';
const leaseMs = 600_000;
const redactor = new Redactor(new Secrets());

const redis = new Redis(url, { maxRetriesPerRequest: null });
const keys = new QueueKeys('proctor');
const store = new RunStore(redis, keys);
const concurrency = Number(atOnce);
const presence = { id: worker, name, labels: {}, concurrency, running: 0 };
await recordPresence(redis, keys, presence);
setInterval(() => void recordPresence(redis, keys, presence), presenceInterval);

const news = redis.duplicate();
await news.subscribe(keys.news);
const isServed = new Set<string>();
news.on('message', (_, id) => void serve(id));
console.log('ready');
for (const id of await store.ids()) void serve(id);

/** When a run is open. Of others there is news again. */
async function serve(id: string): Promise<void> {
  const run = await store.read(id);
  if (!run) return;
  const state = await store.stateOf(id);
  if (state === 'preparing') await recordReady(run);
  if (state !== 'open' || isServed.has(id)) return;
  isServed.add(id);
  const attempts = new RunAttempts(redis, store.keysOf(id));
  const source = new JobSource(redis, { keys: store.keysOf(id), name: 'any', leaseMs });
  await Promise.all(Array.from({ length: concurrency }, () => work(run, attempts, source)));
  if (!hold) await source.close();
  console.log(hold ? 'holding' : 'finished');
}

async function recordReady(run: RunTicket): Promise<void> {
  const setup = {
    worker: name,
    agent: { name: 'simulated', type: 'scripted' },
    mcpServers: [],
    offers: [],
  };
  await store.recordReady(run.id, worker, setup);
}

/** Until nothing waits any more. */
async function work(run: RunTicket, attempts: RunAttempts, source: JobSource): Promise<void> {
  for (;;) {
    const token = randomUUID();
    const job = await source.next(token);
    if (!job) break;
    const item = job.id ?? '';
    const lock = getLockKey(keys.ofRun(run.id), job.queueName, item);
    await simulate(run, attempts, item, { token, lock });
    if (hold) return;
    await attempts.next();
    await job.moveToCompleted({}, token, false);
  }
}

async function simulate(
  { tasks }: RunTicket,
  attempts: RunAttempts,
  item: string,
  lease: { token: string; lock: string },
): Promise<void> {
  const beginning = await attempts.begin(item, lease, 3);
  const place = parseItem(item);
  if (!('attempt' in beginning) || !place) throw new Error(`${item} is ${beginning.kind}`);
  const { fence, attempt } = beginning;
  const { run } = place;
  const task = tasks[place.task] ?? '';
  const taskRun = nameAttempt({ task, variant: undefined, run }, attempt);
  const log = new AttemptLog({
    attempts,
    fence,
    name: taskRun,
    redactor,
    lost: new AbortController(),
  });
  await writeSimulatedStart(log, { taskRun, task, run, attempt, worker: name });
  if (hold) return;
  writeSimulatedRest(log, { taskRun, task, run });
  await log.end({ outcome: 'passed', cost: 0, tokens: 0 });
}
