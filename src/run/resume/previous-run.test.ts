import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatTaskRunKey } from '../../journal/task-run-events.js';
import { isEmptyJournal, readPreviousRun } from './previous-run.js';

let folder: string;
let path: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'proctor-previous-run-'));
  path = join(folder, 'journal.jsonl');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const evaluation = {
  id: 'e',
  eval: { name: 'pets', file: 'eval.yaml' },
  files: [],
  options: {},
  taskRuns: 2,
  process: { pid: 1, startTime: '1' },
  workspace: '/tmp/proctor-x',
};
const schema = 'mcp-proctor/journal/v1';
const random = { id: 'a1', port: 4000 };
const started = { attempt: 1, runs: 1, path: 'a.yaml', labels: {}, random, workdir: '/tmp/w' };
const calls = { tool: 0, resource: 0, prompt: 0, errors: 0, tokens: 0 };
const verdict = { outcome: 'passed', verified: true, assertionsHeld: null, output: '', calls };
const bodies = [
  { type: 'run-started', schema, command: 'check', mcpServers: [], evaluation },
  { type: 'task-run-started', taskRun: 'a#1', task: 'a', run: 1, ...started },
  { type: 'phase-started', taskRun: 'a#1', phase: 'agent', prompt: 'Straße, 東京 and 🦊' },
  {
    type: 'step-ended',
    taskRun: 'a#1',
    phase: 'verify',
    kind: 'script',
    id: 's',
    outputs: { stdout: '🦊' },
  },
  { type: 'task-run-ended', taskRun: 'a#1', task: 'a', run: 1, ...verdict },
  { type: 'run-ended', durationMs: 1, calls: 0 },
];
const lines = bodies.map((body, index) => {
  const event = { seq: index + 1, at: '2026-01-01T00:00:00.000Z', ...body };
  return Buffer.from(`${JSON.stringify(event)}\n`);
});
const whole = Buffer.concat(lines);

test('a journal that was cut off at any byte is read up to its last whole line', async () => {
  let good = 0;
  let count = 0;
  const first = lines[0]?.length ?? 0;
  for (let length = 0; length <= whole.length; length++) {
    if (count < lines.length && length === good + (lines[count]?.length ?? 0)) {
      good = length;
      count += 1;
    }
    await writeFile(path, whole.subarray(0, length));
    expect(await isEmptyJournal(path), `${length}`).toBe(length < first);
    if (length < first) continue;
    const previous = await readPreviousRun(path);
    expect(previous, `${length}`).toMatchObject({ lastSeq: count, length: good });
    expect(previous?.cutOff.length, `${length}`).toBe(count >= 2 && count < 5 ? 1 : 0);
    expect(previous?.outcomes.size).toBe(count >= 5 ? 1 : 0);
    expect(previous?.isFinished).toBe(count === 6);
  }
});

test('a previous run counts what all attempts spent, without the time between them', async () => {
  const usage = { inputTokens: 100, outputTokens: 10 };
  const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`;
  const ended = { ...bodies[4] };
  const events = [
    { ...bodies[0], at: at(0) },
    { ...bodies[1], at: at(1) },
    { ...ended, outcome: 'cancelled', usage, cost: 0.5, at: at(4) },
    { type: 'run-ended', durationMs: 4200, calls: 0, interrupted: true, at: at(4) },
    { type: 'run-resumed', workspace: '/tmp/proctor-y', missing: 2, at: at(30) },
    { ...bodies[1], attempt: 2, at: at(31) },
    { ...ended, outcome: 'failed', cost: 1, judge: { usage, cost: 0.25 }, at: at(33) },
    {
      type: 'run-ended',
      durationMs: 3000,
      calls: 0,
      budget: { kind: 'cost', limit: 1, spent: 1.75 },
      at: at(33),
    },
  ];
  const text = events.map((event, index) => `${JSON.stringify({ seq: index + 1, ...event })}\n`);
  await writeFile(path, text.join(''));

  const previous = await readPreviousRun(path);

  expect(previous?.spent).toEqual({ cost: 1.75, tokens: 220, durationMs: 7200 });
  expect([...(previous?.outcomes ?? [])]).toEqual([
    [formatTaskRunKey({ task: 'a', run: 1 }), 'failed'],
  ]);
  // What was paid for is not overwritten by mistake.
  expect(previous?.isFinished).toBe(false);
});

test('the length of the good lines is counted in bytes, whatever the bytes are', async () => {
  // Damage on the disk: no text, but still an event.
  const damaged = Buffer.from(whole);
  damaged.write('\xff', whole.indexOf('東京'), 'latin1');
  await writeFile(path, Buffer.concat([damaged, Buffer.from('{"seq":7,')]));

  expect(await readPreviousRun(path)).toMatchObject({ lastSeq: 6, length: whole.length });
});

test('a last line that is whole but no event is left out', async () => {
  await writeFile(path, Buffer.concat([whole, Buffer.from('\0\0\0\0\n')]));

  expect(await readPreviousRun(path)).toMatchObject({ lastSeq: 6, length: whole.length });
});

test('a file that does not begin like a journal is not taken for one that was cut off', async () => {
  for (const text of ['{"a":1}', 'Dear diary', '\0', '\n', `${lines[0]}`]) {
    await writeFile(path, text);
    expect(await isEmptyJournal(path), text).toBe(false);
  }
});

test('attempts that a killed run left open are found with their step outputs and prompts', async () => {
  await writeFile(path, Buffer.concat(lines.slice(0, 4)));

  const previous = await readPreviousRun(path);

  expect(previous?.lastAttempts).toEqual(new Map([[formatTaskRunKey({ task: 'a', run: 1 }), 1]]));
  expect(previous?.workspaces).toEqual(['/tmp/proctor-x']);
  expect(previous?.cutOff).toMatchObject([
    {
      started: expect.objectContaining({ taskRun: 'a#1' }),
      steps: [{ type: 'script', id: 's', outputs: { stdout: '🦊' } }],
      prompt: 'Straße, 東京 and 🦊',
    },
  ]);
});

test('the calls of a task run that was under way are counted', async () => {
  const calls = [
    { kind: 'tool', isError: true, tokens: { args: 2, result: 3 } },
    { kind: 'other', isError: false },
    { kind: 'tool', isError: false, by: 'harness' },
  ].map((call, index) => ({ ...call, call: index + 1, seq: index + 3, type: 'mcp-call' }));
  const added = calls.map((call) =>
    Buffer.from(`${JSON.stringify({ ...call, at: '', taskRun: 'a#1' })}\n`),
  );
  await writeFile(path, Buffer.concat([...lines.slice(0, 2), ...added]));

  expect((await readPreviousRun(path))?.cutOff).toMatchObject([
    { startedAt: '2026-01-01T00:00:00.000Z', calls: { tool: 1, errors: 1, tokens: 5 } },
  ]);
});

test('files and options that were forced count from then on', async () => {
  const files = [{ path: 'eval.yaml', sha256: 'new' }];
  const resumed = { seq: 7, at: '', type: 'run-resumed', workspace: '/tmp/proctor-y', files };
  await writeFile(path, Buffer.concat([whole, Buffer.from(`${JSON.stringify(resumed)}\n`)]));

  const previous = await readPreviousRun(path);
  expect(previous?.record).toEqual({ ...evaluation, files });
  expect(previous?.isFinished).toBe(false);
});

test('in a damaged journal a task run is done only if its start and its end can be read', async () => {
  const named = lines.map(String);
  for (const [lost, finished] of [
    [1, 0],
    [2, 1],
    [3, 1],
    [4, 0],
  ] as const) {
    for (const damage of ['\n', '\0\0\0\n', '{"seq":2,\n', '']) {
      await writeFile(path, named.with(lost, damage).join(''));
      const previous = await readPreviousRun(path);
      expect([...(previous?.outcomes ?? [])], `${lost} ${damage}`).toHaveLength(finished);
      // Of the two task runs that were planned there is one at most.
      expect(previous).toMatchObject({ isFinished: false, lastSeq: 6 });
      expect(previous?.leftOut.count).toBeGreaterThan(0);
    }
  }
});

test('an attempt whose start cannot be read is done again under another name', async () => {
  await writeFile(path, lines.map(String).with(1, '\n').join(''));

  const previous = await readPreviousRun(path);

  expect(previous?.outcomes.size).toBe(0);
  // With a queue, events of an attempt that has ended are taken for ones that were sent twice.
  expect(previous?.endedAttempts).toEqual(new Set(['a#1']));
  expect(previous?.lastAttempts).toEqual(new Map([[formatTaskRunKey({ task: 'a', run: 1 }), 1]]));
});

test('without its first line a journal cannot be resumed', async () => {
  await writeFile(path, ['garbage\n', ...lines.slice(1)].join(''));
  expect(await readPreviousRun(path)).toBeUndefined();
});
