import { expect, it } from 'vitest';
import { mcpCall, numbered, startedOn, taskRunStarted } from '../../../../testing/check-events.js';
import { RawJson } from '../../../base/json-text.js';
import type { EventBody } from '../../../journal/event.js';
import type { Judgement, StepEnded } from '../../../journal/step-events.js';
import { ProgressState } from './progress-state.js';
import { formatVerbose } from './verbose-lines.js';

const redact = (text: string) => text.replaceAll('hunter2', '[redacted:PW]');

/** What --verbose prints of the last of the events. */
function verbose(body: EventBody): string[] {
  const tasks = [{ name: 'a', task: 'a', runs: 1, labels: {}, parallel: false }];
  const state = new ProgressState({ tasks, taskRuns: 1, parallel: 1 }, redact, () => 0);
  return numbered([taskRunStarted('a'), body]).flatMap((event, index) => {
    state.apply(event);
    return index === 0 ? [] : formatVerbose(event, state, (_format, text) => text, redact);
  });
}

function step(over: Partial<StepEnded>): string[] {
  return verbose({
    type: 'step-ended',
    taskRun: 'a#1',
    phase: 'verify',
    step: 1,
    kind: 'script',
    source: { file: 'task.yaml', line: 7 },
    passed: true,
    outcome: 'passed',
    outputs: {},
    durationMs: 5,
    ...over,
  });
}

const judgement: Judgement = {
  mode: 'contains',
  reference: 'tea',
  passed: true,
  reason: 'There is\ntea \u001bhunter2.',
  failureCategory: 'n/a',
  votes: [],
  model: 'small-1',
};

it('--verbose shows which task run began', () => {
  expect(verbose(taskRunStarted('a'))).toEqual(['a  started']);
  expect(verbose(startedOn('gpu-1\n', 'a'))).toEqual(['a  started on gpu-1␊']);
});

it('--verbose shows why a step did not pass, in one line', () => {
  const failed = { passed: false, outcome: 'failed', message: 'no\ntea' } as const;
  expect(step({ id: 'look', ...failed })).toEqual([
    'a  verify step 1 (script look) failed, 5.0 ms: no tea',
  ]);
});

it('--verbose shows the reason of a judge once, and its model', () => {
  expect(step({ kind: 'llmJudge', judgement })).toEqual([
    'a  verify step 1 (llmJudge) passed, 5.0 ms',
    'a    judge small-1: There is tea ␛[redacted:PW].',
  ]);
  const failed = { passed: false, outcome: 'failed' } as const;
  const message = `the judge says: ${judgement.reason}`;
  expect(step({ kind: 'llmJudge', judgement, ...failed, message })).toEqual([
    'a  verify step 1 (llmJudge) failed, 5.0 ms: the judge says: There is tea ␛[redacted:PW].',
    'a    judge small-1',
  ]);
});

it('--verbose shows the request of an HTTP step', () => {
  const request = { method: 'POST', url: 'http://localhost/?key=hunter2', headers: {} };
  const response = { status: 201, headers: {}, bytes: 2 };
  expect(step({ kind: 'http', request, response })).toContain(
    'a    POST http://localhost/?key=[redacted:PW]: 201',
  );
});

it('--verbose shows the beginning of the arguments', () => {
  const args = new RawJson(JSON.stringify({ pw: 'hunter2', text: 'x'.repeat(1000) }));
  const [, line = ''] = step({ kind: 'memory.add', args });
  expect(line).toMatch(/^a {4}with \{"pw":"\[redacted:PW\]","text":"x+\.\.\.$/);
  expect(line.length).toBeLessThan(250);
});

it('--verbose shows the end of what an extension logged', () => {
  const log = Array.from({ length: 25 }, (_, index) => ({
    level: 'info',
    message: `hunter2\n${index}`,
  }));
  const lines = step({ kind: 'k8s.check', log });
  expect(lines.slice(1, 4)).toEqual([
    'a    (30 more lines of the log are in the journal)',
    'a    | info: [redacted:PW]',
    'a    | 15',
  ]);
  expect(lines.at(-1)).toBe('a    | 24');
});

it('--verbose marks calls of steps', () => {
  expect(verbose(mcpCall('a', { by: 'harness' }))).toEqual([
    expect.stringMatching(/ {2}\(step\)$/),
  ]);
  expect(verbose(mcpCall('a'))).toEqual([expect.stringMatching(/ open {2}#1$/)]);
});

it('--verbose shows waits, and how long they were', () => {
  const wait = { taskRun: 'a#1', for: 'agent' } as const;
  expect(verbose({ type: 'wait-started', ...wait })).toEqual([
    'a  waits for another agent to finish',
  ]);
  expect(verbose({ type: 'wait-ended', ...wait, durationMs: 2_000 })).toEqual([
    'a  continues after 2.0 s',
  ]);
});
