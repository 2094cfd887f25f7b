import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Redactor } from '../../src/config/secrets/redactor.js';
import { Secrets } from '../../src/config/secrets/secrets.js';
import type { TaskRunEnded } from '../../src/journal/task-run-events.js';
import { SubmittedRun } from '../../src/queue/coordinator/submitted-run.js';
import { QueueKeys } from '../../src/queue/queue-keys.js';
import { connectToQueue } from '../../src/queue/redis-connection.js';
import type { RunTicket } from '../../src/queue/run-ticket.js';
import { AttemptLog } from '../../src/queue/worker/attempt-log.js';
import type { Assignment } from '../../src/queue/worker/run-host.js';
import { WorkerRun } from '../../src/queue/worker/worker-run.js';
import { WorkspaceError } from '../../src/run/workspace.js';
import { RedisServer } from '../support/redis-server.js';

const plenty = 1024 ** 3;
const redactor = new Redactor(new Secrets());

let server: RedisServer;
let redis: Redis;
let run: SubmittedRun;
let opened: WorkerRun[];

beforeAll(async () => {
  server = await RedisServer.start();
});
afterAll(() => server.close());
beforeEach(async () => {
  redis = await connectToQueue({ url: server.url, prefix: 'test', shown: server.url });
  run = new SubmittedRun(redis, new QueueKeys('test'), aboutRun(), () => ({}));
  opened = [];
  await run.prepare(60_000);
});
afterEach(async () => {
  for (const each of opened) await each.close();
  await run.remove();
  await run.close();
  redis.disconnect();
});

function aboutRun(): RunTicket {
  const now = Date.now();
  return {
    id: randomUUID(),
    proctor: '0',
    evaluation: randomUUID(),
    name: 'suite',
    bundle: '',
    evalFile: 'eval.yaml',
    options: { control: false, strict: false },
    limits: { rates: [] },
    tasks: ['a', 'b'],
    variants: [],
    queues: [{ name: 'any', labels: {} }],
    filesFolder: 'out.files',
    budget: {},
    startedAt: now,
    expiresAt: now + 600_000,
  };
}

type Perform = (given: Assignment) => TaskRunEnded['outcome'];

/** Does task runs at once, as `perform` says. */
function worker({ perform, room }: { perform: Perform; room?: () => number }) {
  const told = { full: 0, cleaned: [] as string[] };
  const logOf = ({ item, log }: Assignment, name = item) =>
    new AttemptLog({ ...log, name, redactor });
  const workerRun = new WorkerRun({
    redis,
    keys: run.keys,
    run: run.ticket,
    labels: {},
    leaseMs: 60_000,
    maxLost: 2,
    room: async () => room?.() ?? plenty,
    labelsOf: () => ({}),
    onAdded: () => {},
    onSilence: () => {},
    onFull: () => {
      told.full += 1;
    },
    host: {
      perform: async (given) => {
        const outcome = perform(given);
        const taskRun = `${given.item}#${given.attempt}`;
        const log = logOf(given, taskRun);
        const ended = endOf(taskRun, outcome);
        if (outcome === 'failed') {
          log.write({ type: 'warning', taskRun, code: 'rate-limited', message: 'slow' });
        }
        log.write(ended);
        return { log, ended };
      },
      cleanUpAfter: async (cutOff) => {
        told.cleaned.push(cutOff.started.taskRun);
      },
      giveUp: (given) => logOf(given),
      close: async () => {},
    },
  });
  opened.push(workerRun);
  return { told, workerRun };
}

function endOf(taskRun: string, outcome: TaskRunEnded['outcome']): TaskRunEnded {
  return {
    type: 'task-run-ended',
    taskRun,
    task: 'a',
    run: 1,
    outcome,
    verified: null,
    assertionsHeld: null,
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 1,
    output: '',
    calls: { tool: 0, resource: 0, prompt: 0, errors: 0, tokens: 0 },
  };
}

/** Takes what waits, also what is put off, until nothing does. */
async function workOff({ workerRun }: { workerRun: WorkerRun }): Promise<number> {
  for (let jobs = 0; ; jobs++) {
    const taken = await workerRun.take();
    if (!taken) return jobs;
    await workerRun.perform(taken.job, taken.token);
  }
}

/** Waits until what was given back can be taken again. */
async function takeAgain(each: { workerRun: WorkerRun }): Promise<void> {
  await expect.poll(() => workOff(each), { timeout: 10_000 }).toBeGreaterThan(0);
}

const open = (sequence: string[], parallel: string[] = []) =>
  run.open({
    sequence,
    parallel,
    total: sequence.length + parallel.length,
    before: [],
    budget: {},
    mostWaiting: plenty,
  });

const outcomes = () => redis.hgetall(run.keys.done);

async function toldEnds(): Promise<string[]> {
  const entries = await redis.xrange(run.keys.events, '-', '+');
  const lines = entries.flatMap(([, fields]) =>
    (fields[fields.indexOf('e') + 1] ?? '').split('\n'),
  );
  return lines.flatMap((line) => (JSON.parse(line) as Partial<TaskRunEnded>).outcome ?? []);
}

describe('what a worker does with a task run', () => {
  it('counts once, and lets the next of a sequence follow, then the parallel ones', async () => {
    const done: string[] = [];
    const one = worker({
      perform: ({ item }) => {
        done.push(item);
        return item === '0-0-2' ? 'failed' : 'passed';
      },
    });
    await open(['1-0-1', '0-0-1'], ['0-0-2', '1-0-2']);

    await workOff(one);

    expect(done.slice(0, 2)).toEqual(['1-0-1', '0-0-1']);
    expect(done.slice(2).sort()).toEqual(['0-0-2', '1-0-2']);
    expect(await outcomes()).toEqual({
      '1-0-1': 'passed',
      '0-0-1': 'passed',
      '0-0-2': 'failed',
      '1-0-2': 'passed',
    });
  });

  it('is given back if there is no room to begin it, and done by another', async () => {
    const full = worker({ perform: () => 'passed', room: () => 0 });
    const other = worker({ perform: () => 'passed' });
    await open(['0-0-1']);

    await workOff(full);
    expect(await outcomes()).toEqual({});
    expect(full.told.full).toBeGreaterThan(0);
    await takeAgain(other);

    expect(await outcomes()).toEqual({ '0-0-1': 'passed' });
  });

  it('is given back if its folders cannot be made, without a word of it', async () => {
    const full = worker({
      perform: () => {
        throw new WorkspaceError('/tmp', new Error('ENOSPC'));
      },
    });
    await open(['0-0-1']);

    const { job, token } = (await full.workerRun.take()) ?? {};
    if (!job || !token) throw new Error('there is nothing to take');
    await full.workerRun.perform(job, token);

    expect(await toldEnds()).toEqual([]);
    expect(await redis.hlen(run.keys.open)).toBe(0);
    await takeAgain(worker({ perform: () => 'passed' }));
    expect(await outcomes()).toEqual({ '0-0-1': 'passed' });
  });

  it('has no verdict if it failed where there was no room any more', async () => {
    let room = plenty;
    const full = worker({
      perform: () => {
        room = 0;
        return 'failed';
      },
      room: () => room,
    });
    await open(['0-0-1']);

    const { job, token } = (await full.workerRun.take()) ?? {};
    if (!job || !token) throw new Error('there is nothing to take');
    await full.workerRun.perform(job, token);
    expect(await toldEnds()).toEqual(['cancelled']);
    await takeAgain(worker({ perform: () => 'passed' }));

    expect(await outcomes()).toEqual({ '0-0-1': 'passed' });
    expect(await toldEnds()).toEqual(['cancelled', 'passed']);
  });

  it('keeps its verdict if it passed where there was no room any more', async () => {
    let room = plenty;
    const one = worker({
      perform: () => {
        room = 0;
        return 'passed';
      },
      room: () => room,
    });
    await open(['0-0-1']);

    await workOff(one);

    expect(await outcomes()).toEqual({ '0-0-1': 'passed' });
  });

  it('stays open if its cleanup was cut short, with all of its events but the end', async () => {
    const one = worker({
      perform: () => {
        one.workerRun.stop(true);
        return 'failed';
      },
    });
    await open(['0-0-1']);

    const { job, token } = (await one.workerRun.take()) ?? {};
    if (!job || !token) throw new Error('there is nothing to take');
    await one.workerRun.perform(job, token);

    const sent = (await redis.xrange(run.keys.events, '-', '+')).flatMap(([, fields]) => fields);
    expect(sent.filter((field) => field.startsWith('{'))).toEqual([
      expect.stringContaining('"type":"warning"'),
    ]);
    expect(await redis.hlen(run.keys.open)).toBe(1);
    expect(await outcomes()).toEqual({});
  });

  it('is not begun after so many that did not pass', async () => {
    const one = worker({ perform: () => 'failed' });
    await run.open({
      sequence: ['0-0-1', '0-0-2', '0-0-3'],
      parallel: [],
      total: 3,
      before: [],
      bail: 2,
      budget: {},
      mostWaiting: plenty,
    });

    await workOff(one);

    expect(await outcomes()).toEqual({ '0-0-1': 'failed', '0-0-2': 'failed' });
    expect(await run.progress()).toMatchObject({ over: 'bail', done: 2, total: 3, open: 0 });
  });

  it('is not begun while too much waits to be read', async () => {
    const one = worker({ perform: () => 'passed' });
    await run.open({
      sequence: ['0-0-1', '0-0-2'],
      parallel: [],
      total: 2,
      before: [],
      budget: {},
      mostWaiting: 1,
    });

    await workOff(one);
    expect(await outcomes()).toEqual({ '0-0-1': 'passed' });

    await redis.hset(run.keys.run, 'waiting', 0);
    await takeAgain(one);
    expect(Object.keys(await outcomes())).toHaveLength(2);
  });

  it('goes on after attempts of an earlier run, and cleans up after the one that did not end', async () => {
    const numbers: number[] = [];
    const one = worker({
      perform: ({ attempt }) => {
        numbers.push(attempt);
        return 'passed';
      },
    });
    const cutOff = { text: JSON.stringify({ started: { taskRun: 'a#1.2' } }), sentEvents: 5 };
    await run.open({
      sequence: ['0-0-1', '1-0-1'],
      parallel: [],
      total: 2,
      before: [
        { item: '0-0-1', number: 2, cutOff },
        { item: '1-0-1', number: 1 },
      ],
      budget: {},
      mostWaiting: plenty,
    });

    await workOff(one);

    expect(numbers).toEqual([3, 2]);
    expect(one.told.cleaned).toEqual(['a#1.2']);
    // It was not lost with a worker, and one that is may still be tried again.
    expect(await redis.hget(run.keys.attempts, '0-0-1')).toBe('3 0 ');
  });
});
