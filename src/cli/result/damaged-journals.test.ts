import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  agentFinished,
  assertion,
  call,
  ended,
  JournalBuilder,
  started,
} from '../../../testing/journals.js';
import { RawJson } from '../../base/json-text.js';
import { formatLeftOut } from '../../journal/left-out.js';
import { summarizeFiles } from './chosen-results.js';

let folder = '';
let path = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'damaged-journals-'));
  path = join(folder, 'out.jsonl');
});

afterAll(() => rm(folder, { recursive: true }));

/** With an event of every kind that results are made of. */
const quiet = { write: () => {}, isTerminal: false };
const io = { stdout: quiet, stderr: quiet, environment: {} };

function journal(): object[] {
  const builder = new JournalBuilder({ taskRuns: 2, options: { shard: '1/2' } });
  const none = new RawJson('[]');
  builder.add({
    type: 'server-checked',
    server: 'pets',
    protocolVersion: '2025-11-25',
    serverInfo: { name: 'pets', version: '1' },
    ...{ tools: none, resources: none, resourceTemplates: none, prompts: none, allowedTools: [] },
    durationMs: 1,
  });
  builder.add(started({ difficulty: 'easy', labels: { area: 'pets' } }));
  for (const event of agentFinished()) builder.add(event);
  builder.add({ type: 'agent-output', taskRun: 'feed-1', kind: 'message', text: 'done' });
  builder.add(call());
  const of = { taskRun: 'feed-1', phase: 'verify', step: 1, kind: 'script' } as const;
  const source = { file: 'eval.yaml', line: 1 };
  const verdict = { passed: true, outcome: 'passed', outputs: {}, durationMs: 1 } as const;
  builder.add({ type: 'step-ended', ...of, source, ...verdict });
  builder.add(assertion());
  builder.add({ type: 'warning', code: 'server-exited', message: 'it ended' });
  const usage = { inputTokens: 1, outputTokens: 1 };
  builder.add(ended({ usage, cost: 0.1, judge: { usage, cost: 0.1 } }));
  const process = { pid: 2, startTime: '2' };
  builder.add({ type: 'run-resumed', proctor: '0.1.0', missing: 1, process, workspace: '/tmp' });
  builder.add(started({ taskRun: 'feed-2', run: 2 }));
  builder.add(ended({ taskRun: 'feed-2', run: 2 }));
  builder.add({ type: 'run-ended', durationMs: 1, calls: 0 });
  return builder.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** Where something can be changed: the number of the event, and the keys down to the member. */
function placesIn(value: object, way: string[] = []): string[][] {
  return Object.entries(value).flatMap(([key, member]) => [
    ...(way.length > 0 ? [[...way, key]] : []),
    ...(typeof member === 'object' && member !== null ? placesIn(member, [...way, key]) : []),
  ]);
}

const events = journal();
const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
const gone = 'MEMBER-THAT-IS-GONE';
const replacements = [gone, 'null', '-1', '1e999', '"__proto__"', '[]', '{}', '[null]', deep];

function changed(way: readonly string[], replacement: string): string {
  return events
    .map((event, index) => {
      if (String(index) !== way[0]) return JSON.stringify(event);
      const copy: object = JSON.parse(JSON.stringify(event));
      const keys = way.slice(1);
      const last = keys.pop() ?? '';
      const owner = keys.reduce<object>((value, key) => Reflect.get(value, key), copy);
      if (replacement === gone) Reflect.deleteProperty(owner, last);
      else Reflect.set(owner, last, 'CHANGED-HERE');
      return JSON.stringify(copy).replace('"CHANGED-HERE"', replacement);
    })
    .map((line) => `${line}\n`)
    .join('');
}

it('sums up a journal whose members are not what they should be', async () => {
  await writeFile(path, changed([], gone));
  expect((await summarizeFiles(io, [path])).totals.taskRuns).toBe(2);
  // Another name of a schema says that the file is something else than a journal.
  const way = fc.constantFrom(...placesIn(events).filter((keys) => keys.join('.') !== '0.schema'));
  await fc.assert(
    fc.asyncProperty(way, fc.constantFrom(...replacements), async (keys, replacement) => {
      await writeFile(path, changed(keys, replacement));
      const { totals } = await summarizeFiles(io, [path]);
      expect(totals.taskRuns).toBeLessThanOrEqual(2);
    }),
    { numRuns: 300 },
  );
});

it('refuses a file whose first line names another schema', async () => {
  await writeFile(path, changed(['0', 'schema'], '"__proto__"'));
  await expect(summarizeFiles(io, [path])).rejects.toThrow('is not a journal of Proctor');
});

it.each([
  ['labels', ['2', 'labels'], 'labels: expected an object, found null'],
  ['calls', ['10', 'calls', 'tool'], 'calls.tool: expected a number, found null'],
])('names the line and the member: %s', async (_, keys, reason) => {
  await writeFile(path, changed(keys, 'null'));
  const { leftOut, totals } = await summarizeFiles(io, [path]);
  const line = Number(keys[0]) + 1;
  expect(totals.outcomes.passed).toBe(2);
  expect(leftOut[0]?.parts.map(formatLeftOut)).toEqual([`line ${line}, ${reason}`]);
});
