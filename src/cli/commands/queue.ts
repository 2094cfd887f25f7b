import type { Redis } from 'ioredis';
import { exitCodes, UsageError } from '../../base/errors.js';
import { plural } from '../../base/text.js';
import { formatLabels, type Labels } from '../../plan/labels.js';
import { JobQueue } from '../../queue/job-queue.js';
import { QueueKeys } from '../../queue/queue-keys.js';
import { connectToQueue, QueueUnreachableError } from '../../queue/redis-connection.js';
import { type RunProgress, RunStore } from '../../queue/run-store.js';
import type { RunTicket } from '../../queue/run-ticket.js';
import { listPresentWorkers, type WorkerPresence } from '../../queue/worker/worker-presence.js';
import type { CommandRun } from '../command.js';
import { requireQueue } from '../command-options.js';
import { jsonText, type Style, styleFor } from '../terminal/output.js';
import { printText, terminalLine, terminalText } from '../terminal/text.js';

/** `queue status`. */
export function showStatus(call: CommandRun): Promise<number> {
  const { io, options } = call;
  return withQueue(call, async ({ redis, keys, store, shown }) => {
    const all = await readRuns(store);
    const [start] = call.arguments;
    const runs = start === undefined ? all : [findRun(all, start)];
    const status = await readQueueStatus(redis, keys, store, runs);
    const style = styleFor(io.stdout, io.environment);
    const text =
      options.output === 'json' ? jsonText(status) : renderQueueStatus(status, shown, style);
    io.stdout.write(text);
    return exitCodes.ok;
  });
}

/** `queue cancel`. */
export function cancelRun(call: CommandRun): Promise<number> {
  return withQueue(call, async ({ store }) => {
    const { id, name } = findRun(await readRuns(store), call.arguments[0] ?? '');
    if (!(await store.stop(id))) throw new UsageError(`the run ${id} is over`);
    const progress = await store.progressOf(id);
    const open = progress?.open ?? 0;
    const rest = open > 0 ? `; what is under way (${open}) is stopped and cleaned up` : '';
    printText(call.io.stdout, `${terminalLine(`Stopped ${name} (${id})${rest}`)}\n`);
    return exitCodes.ok;
  });
}

/** A run, as `queue status` shows it. */
export interface RunStatus extends RunProgress {
  id: string;
  name: string;
  startedAt: string;
  expiresAt: string;
  /** How many task runs wait for a worker, by the labels that they ask for. */
  queued: { labels: Labels; waiting: number }[];
  /** Why workers do not take part. */
  refused: { worker: string; reason: string }[];
}

export interface QueueStatus {
  runs: RunStatus[];
  workers: WorkerPresence[];
}

async function readQueueStatus(
  redis: Redis,
  keys: QueueKeys,
  store: RunStore,
  runs: readonly RunTicket[],
): Promise<QueueStatus> {
  const workers = await listPresentWorkers(redis, keys);
  const statuses = await Promise.all(runs.map((run) => readRunStatus(redis, store, run, workers)));
  return { runs: statuses.flatMap((status) => status ?? []), workers };
}

async function readRunStatus(
  redis: Redis,
  store: RunStore,
  run: RunTicket,
  workers: readonly WorkerPresence[],
): Promise<RunStatus | undefined> {
  const { id, name, startedAt, expiresAt } = run;
  const [progress, { refused }, queued] = await Promise.all([
    store.progressOf(id),
    store.readFindings(id),
    Promise.all(run.queues.map((queue) => countWaiting(redis, store, run, queue))),
  ]);
  return (
    progress && {
      id,
      name,
      ...progress,
      startedAt: new Date(startedAt).toISOString(),
      expiresAt: new Date(expiresAt).toISOString(),
      queued,
      refused: workers.flatMap((worker) => refused.get(worker.id) ?? []),
    }
  );
}

async function countWaiting(
  redis: Redis,
  store: RunStore,
  { id, expiresAt }: RunTicket,
  { name, labels }: RunTicket['queues'][number],
): Promise<{ labels: Labels; waiting: number }> {
  const queue = new JobQueue(redis, { keys: store.keysOf(id), name, expiresAt });
  try {
    return { labels, waiting: await queue.waiting() };
  } finally {
    await queue.close();
  }
}

/** Reads the runs of a queue, oldest first. */
async function readRuns(store: RunStore): Promise<RunTicket[]> {
  const runs = await Promise.all((await store.ids()).map((id) => store.read(id)));
  return runs.flatMap((run) => run ?? []);
}

/** Finds the run whose id begins with a text. Throws UsageError if there is none, or several. */
function findRun(runs: readonly RunTicket[], start: string): RunTicket {
  const found = start === '' ? [] : runs.filter(({ id }) => id.startsWith(start));
  const [first, ...others] = found;
  if (first && others.length === 0) return first;
  const known = runs.map(({ id, name }) => `${id} (${name})`).join(', ');
  const hint = known === '' ? 'there is none: it may be over' : `there are: ${known}`;
  const what = first ? 'several runs have' : 'no run has';
  throw new UsageError(`${what} an id that begins with ${JSON.stringify(start)}`, hint);
}

interface OpenQueue {
  redis: Redis;
  keys: QueueKeys;
  store: RunStore;
  /** Address of the queue, without a password. */
  shown: string;
}

/** Connects to the queue that the command line names, for as long as `use` takes. Throws UsageError. */
async function withQueue<Result>(
  call: CommandRun,
  use: (queue: OpenQueue) => Promise<Result>,
): Promise<Result> {
  const address = requireQueue(call);
  const redis = await connectToQueue(address).catch((error: unknown) => {
    throw error instanceof QueueUnreachableError ? new UsageError(error.message) : error;
  });
  const keys = new QueueKeys(address.prefix);
  try {
    return await use({ redis, keys, store: new RunStore(redis, keys), shown: address.shown });
  } finally {
    redis.disconnect();
  }
}

export function renderQueueStatus(
  { runs, workers }: QueueStatus,
  shown: string,
  style: Style,
): string {
  const slots = workers.reduce((sum, { concurrency }) => sum + concurrency, 0);
  const total = `${plural(workers.length, 'worker')}, ${plural(slots, 'task run')} at once`;
  return [
    style('bold', `${terminalLine(shown)}: ${plural(runs.length, 'run')}, ${total}`),
    '',
    ...runs.flatMap((run) => [...renderRun(run, style), '']),
    ...(workers.length > 0 ? [style('bold', 'Workers'), ...workers.map(renderWorker)] : []),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n');
}

const states: Readonly<Record<RunStatus['state'], string>> = {
  preparing: 'waiting for a worker that is ready',
  open: 'under way',
  stopping: 'stopping',
};

function renderRun(run: RunStatus, style: Style): string[] {
  const { id, name, total, done, open, coordinator, queued, refused } = run;
  const facts = [
    formatState(run),
    `${done} of ${plural(total, 'task run')} done`,
    `${open} under way`,
    coordinator === undefined ? 'no check reads it: use check --resume' : `read by ${coordinator}`,
  ];
  const waiting = queued
    .filter((each) => each.waiting > 0)
    .map(({ labels, waiting }) => `${waiting} waiting for ${describeWorkers(labels)}`);
  return [
    `${style('bold', terminalLine(name))}  ${terminalLine(id)}`,
    ...facts.map((fact) => `  ${terminalLine(fact)}`),
    ...waiting.map((text) => `  ${terminalLine(text)}`),
    `  expires ${run.expiresAt}`,
    ...refused.map(
      ({ worker, reason }) =>
        `  ${style('yellow', `${terminalLine(worker)} cannot take part:`)}\n${terminalText(reason).replaceAll(/^/gm, '    ')}`,
    ),
  ];
}

function formatState({ state, over, total, done, open }: RunStatus): string {
  if (over !== undefined) return `starts nothing more (${over})`;
  if (state === 'open' && total > 0 && done >= total) return 'done';
  return state === 'stopping' && open === 0 ? 'stopped' : states[state];
}

function describeWorkers(labels: Labels): string {
  const text = formatLabels(labels);
  return text === '' ? 'any worker' : `a worker with ${text}`;
}

function renderWorker(worker: WorkerPresence): string {
  const { name, host, pid, proctor, running, concurrency, labels, isLeaving } = worker;
  const facts = [
    `${running} of ${concurrency} busy`,
    `${host}, process ${pid}, Proctor ${proctor}`,
    ...(formatLabels(labels) === '' ? [] : [formatLabels(labels)]),
    ...(isLeaving ? ['leaving'] : []),
  ];
  return `  ${terminalLine(`${name}: ${facts.join('; ')}`)}`;
}
