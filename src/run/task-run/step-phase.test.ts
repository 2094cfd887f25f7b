import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { RawJson } from '../../base/json-text.js';
import type { Task } from '../../config/files/task-file.js';
import { Redactor } from '../../config/secrets/redactor.js';
import { Secrets } from '../../config/secrets/secrets.js';
import type { StepAccount } from '../../journal/step-events.js';
import { PlaceholderValues } from '../../steps/placeholder-values.js';
import type { ExtensionAnswer } from '../../steps/step.js';
import { EventStream } from '../journal/event-stream.js';
import { JournalWriter } from '../journal/journal-writer.js';
import { KeptOutputs } from '../journal/kept-outputs.js';
import { boundAccount, StepPhases } from './step-phase.js';
import { TimeLimit } from './time-limit.js';

const secret = 'correct-horse-battery-staple';

/** Runs a verification of one step with an extension that gives this answer. */
async function verifyWith(type: string, answer: Partial<ExtensionAnswer>) {
  const folder = await mkdtemp(join(tmpdir(), 'step-phase-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'out.jsonl');
  const secrets = new Secrets();
  secrets.add('PASSWORD', secret);
  const redactor = new Redactor(secrets);
  const journal = await JournalWriter.create(path, { redactor, onFailure: () => {} });
  const events = new EventStream(journal, () => {});
  const nobody = () => Promise.reject(new Error('nobody is there to ask'));
  const execute = () => Promise.resolve({ success: false, outputs: {}, log: [], ...answer });
  const phases = new StepPhases({
    taskRun: 'task#1',
    task: {
      name: 'task',
      source: { path: join(folder, 'task.yaml'), keyLine: () => 1 },
      requires: [{ alias: 'ext', kind: 'extension', target: 'ext' }],
      steps: [{ phase: 'verify', type, data: {}, path: [] }],
    } as unknown as Task,
    evalFolder: folder,
    events,
    values: new PlaceholderValues({
      taskName: 'task',
      random: { id: 'a', port: 1 },
      environment: {},
    }),
    servers: [],
    servicesWithin: () => ({ callTool: nobody, judge: nobody, execute }),
    keptOutputs: new KeptOutputs(path, { text: (text) => text, longest: 0 }),
    workdir: folder,
    harnessFolder: folder,
    environment: {},
    started: () => {},
  });
  const limit = new TimeLimit(new AbortController().signal, undefined);
  const result = await phases.run('verify', limit);
  limit.release();
  await journal.close();
  return { result, journal: await readFile(path, 'utf8') };
}

it('the message of a step that is too long is truncated, without a part of a secret', async () => {
  const error = `${'word '.repeat(1_637)}${secret}${' word'.repeat(500_000)}`;
  const { result, journal } = await verifyWith('ext.check', { error });
  expect(result).toMatchObject({ outcome: 'failed', steps: 1 });
  expect(journal.length).toBeLessThan(30_000);
  expect(journal).toContain('word [redact');
  expect(journal).not.toContain(secret.slice(0, 7));
});

it('a phase with an unknown step does not pass', async () => {
  const { result } = await verifyWith('nobody.knows', {});
  expect(result).toMatchObject({
    outcome: 'error',
    failed: [{ message: 'verify, step 1 (nobody.knows): there is no step nobody.knows' }],
  });
});

it('step-started is written before the step runs', async () => {
  const { journal } = await verifyWith('ext.check', { success: true });
  const events = journal
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events.map(({ type }) => type)).toEqual([
    'phase-started',
    'step-started',
    'step-ended',
    'phase-ended',
  ]);
  const which = { taskRun: 'task#1', phase: 'verify', step: 1, kind: 'ext.check' };
  expect(events[1]).toEqual({ seq: 2, at: events[1].at, type: 'step-started', ...which });
});

const cut = (text: string, length: number) =>
  text.length <= length ? text : `${text.slice(0, length)} …`;

const account = (text: string): StepAccount => ({
  request: { method: 'GET', url: `http://127.0.0.1/${text}`, headers: { 'x-answer': text } },
  args: new RawJson(JSON.stringify({ text })),
  judgement: {
    mode: 'contains',
    reference: text,
    passed: true,
    reason: 'fine',
    failureCategory: 'n/a',
    votes: [],
  },
  unmet: ['status is 500'],
});

it('boundAccount leaves alone what is not too long', () => {
  expect(boundAccount(account('short'), cut)).toEqual(account('short'));
  expect(boundAccount({}, cut)).toEqual({});
});

it('boundAccount truncates what a placeholder has made too long', () => {
  const { args, request, judgement, unmet } = boundAccount(account('x'.repeat(300_000)), cut);
  expect(args).toBeUndefined();
  expect(request?.url).toHaveLength(8 * 1024 + 2);
  expect(request?.headers['x-answer']).toHaveLength(8 * 1024 + 2);
  expect(judgement?.reference).toHaveLength(64 * 1024 + 2);
  expect(judgement).toMatchObject({ passed: true, reason: 'fine' });
  expect(unmet).toEqual(['status is 500']);
});
