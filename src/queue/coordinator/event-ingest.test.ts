import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { EventBody } from '../../journal/event.js';
import type { EventStream } from '../../run/journal/event-stream.js';
import type { PreviousRun } from '../../run/resume/previous-run.js';
import { EventIngest, FileIngest, InvalidEventError } from './event-ingest.js';

/** Others write between, so that places and seqs differ. */
function recorder(firstSeq = 100) {
  const written: (EventBody & { seq: number; at: string | undefined })[] = [];
  let seq = firstSeq;
  const events = {
    write(body: EventBody, at?: string) {
      seq += 2;
      written.push({ ...body, seq, at });
      return seq;
    },
  } as unknown as EventStream;
  return { events, written };
}

const at = '2026-01-01T00:00:00.000Z';
const line = (seq: number, event: object) => JSON.stringify({ seq, at, ...event });
const started = (seq = 1) => line(seq, { type: 'task-run-started', taskRun: 'a#1' });
const message = (seq: number) => line(seq, { type: 'mcp-message', taskRun: 'a#1', message: {} });
const call = (seq: number, request: number, response?: number) =>
  line(seq, { type: 'mcp-call', taskRun: 'a#1', request, response });
const ended = (seq: number, evidence: number) =>
  line(seq, { type: 'task-run-ended', taskRun: 'a#1', outcome: 'failed', failure: { evidence } });
const eventsOf = (...lines: string[]) => ({ kind: 'events', attempt: 'a#1', lines }) as const;

test('events point at others of their task run by the seq that these have got', () => {
  const { events, written } = recorder();
  const fold = new EventIngest(events, undefined);

  expect(fold.write(eventsOf(started(), message(2), message(3)))).toBeUndefined();
  const end = fold.write(eventsOf(call(4, 2, 3), ended(5, 4)));

  expect(written.map(({ seq }) => seq)).toEqual([102, 104, 106, 108, 110]);
  expect(written[3]).toMatchObject({ request: 104, response: 106, at });
  expect(end).toMatchObject({ failure: { evidence: 108 } });
});

test('an event that arrives twice is written once', () => {
  const { events, written } = recorder();
  const fold = new EventIngest(events, undefined);

  fold.write(eventsOf(started(), message(2)));
  fold.write(eventsOf(started(), message(2)));
  fold.write(eventsOf(message(2), message(3)));

  expect(written).toHaveLength(3);
});

test('the end of a task run is written once, although it arrives again', () => {
  const { events, written } = recorder();
  const fold = new EventIngest(events, undefined);

  fold.write(eventsOf(started()));
  expect(fold.write(eventsOf(message(2), ended(3, 1)))).toBeDefined();
  expect(fold.write(eventsOf(message(2), ended(3, 1)))).toBeUndefined();

  expect(written).toHaveLength(3);
});

test.each([
  ['of another task run', line(1, { type: 'mcp-message', taskRun: 'b#1', message: {} })],
  ['of the whole run', line(1, { type: 'run-ended', durationMs: 1, calls: 0 })],
  ['of no kind that there is', line(1, { type: 'nonsense', taskRun: 'a#1' })],
  ['without a time', JSON.stringify({ seq: 1, type: 'warning', taskRun: 'a#1' })],
])('an event %s is not written', (_, hostile) => {
  const { events, written } = recorder();

  expect(() => new EventIngest(events, undefined).write(eventsOf(hostile))).toThrow(
    InvalidEventError,
  );
  expect(written).toEqual([]);
});

test('of what belongs to no task run, only warnings are written', () => {
  const { events } = recorder();
  const hostile = line(1, { type: 'run-ended', durationMs: 1, calls: 0 });

  expect(() =>
    new EventIngest(events, undefined).write({ kind: 'events', attempt: '', lines: [hostile] }),
  ).toThrow(InvalidEventError);
});

test('a gap in the events of a task run is refused', () => {
  const { events } = recorder();
  const fold = new EventIngest(events, undefined);
  fold.write(eventsOf(started()));

  expect(() => fold.write(eventsOf(message(3)))).toThrow('events of a#1 are missing');
});

test('a resumed journal goes on where it was: what it has is not written again', () => {
  const { events, written } = recorder();
  const previous = {
    endedAttempts: new Set(['b#1']),
    cutOff: [{ started: { taskRun: 'a#1' }, seqs: [7, 9] }],
  } as unknown as PreviousRun;
  const fold = new EventIngest(events, previous);

  fold.write(eventsOf(started(), message(2), call(3, 2)));
  const again = line(1, { type: 'mcp-message', taskRun: 'b#1', message: {} });
  fold.write({ kind: 'events', attempt: 'b#1', lines: [again] });

  expect(written).toHaveLength(1);
  expect(written[0]).toMatchObject({ type: 'mcp-call', request: 9 });
});

test('events of no task run are written as they are', () => {
  const { events, written } = recorder();
  const warning = line(0, { type: 'warning', code: 'rate-limited', message: 'slow' });

  new EventIngest(events, undefined).write({ kind: 'events', attempt: '', lines: [warning] });

  expect(written).toMatchObject([{ type: 'warning', message: 'slow' }]);
});

test('what is no event is refused', () => {
  const { events } = recorder();
  expect(() => new EventIngest(events, undefined).write(eventsOf('{}'))).toThrow(
    'not an event of a#1',
  );
});

let folder: string;
let files: FileIngest;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'proctor-ingested-files-'));
  files = new FileIngest(join(folder, 'out.jsonl'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const content = (name: string) => readFile(join(folder, 'out.files', name), 'utf8');

test('a file is put together from its parts, also from one that comes twice', async () => {
  await files.write('a.txt', 0, 'one 🦊 ');
  await files.write('a.txt', 0, 'one 🦊 ');
  await files.write('a.txt', Buffer.byteLength('one 🦊 '), 'two');

  expect(await content('a.txt')).toBe('one 🦊 two');
});

test('a file that is begun anew keeps nothing of what was there', async () => {
  await files.write('a.txt', 0, 'a long output of an attempt that was lost');
  await files.write('a.txt', 0, 'short');

  expect(await content('a.txt')).toBe('short');
});

test.each(['../a.txt', '/tmp/a.txt', '.a.txt', 'a.sh', 'sub/a.txt', ''])(
  'nothing is written to %j',
  async (name) => {
    await files.write(name, 0, 'hostile');

    expect(await readdir(folder)).toEqual([]);
  },
);
