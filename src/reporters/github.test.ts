import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  anyTaskRun,
  hostileText,
  resultsOf,
  taskRunRecord,
} from '../../testing/task-run-records.js';
import type { AssertionRecord, TaskRunRecord } from '../results/task-run-record.js';
import { appendJobSummary, makeAnnotations } from './github.js';
import { formatWorkflowCommand } from './workflow-commands.js';

const places = { evalFolder: '/repo/evals', workspace: '/repo' };

const assertionAt = (file: string): AssertionRecord => ({
  name: 'toolsUsed',
  passed: false,
  reason: '100% wrong: a,b',
  details: [],
  at: { file, line: 12 },
  calls: [],
});

function failed(more: Partial<TaskRunRecord> = {}): TaskRunRecord {
  const failure = { category: 'assertion-failed', message: 'no', evidence: 1 } as const;
  return taskRunRecord({ outcome: 'failed', failure, ...more });
}

describe('annotations', () => {
  it('stand at the assertion, from the root of the repository', async () => {
    const results = resultsOf([failed({ assertions: [assertionAt('eval.yaml')] })]);
    expect(await makeAnnotations(results, places)).toEqual([
      '::error file=evals/eval.yaml,line=12,title=feed%3A toolsUsed::100%25 wrong: a,b\n',
      '::notice title=Proctor::0 of 1 task runs passed, 1 did not\n',
    ]);
  });

  it('stand at the step that failed, or at the task', async () => {
    const step = {
      ...{ seq: 1, step: 2, kind: 'script', passed: false, outcome: 'failed' as const },
      ...{
        message: 'exit code 1',
        outputs: {},
        durationMs: 1,
        at: { file: 'tasks/a.yaml', line: 9 },
      },
    };
    const verify = { outcome: 'failed' as const, durationMs: 1, steps: [step] };
    const phases = { setup: null, agent: null, verify, cleanup: null };
    const [atStep] = await makeAnnotations(resultsOf([failed({ phases })]), places);
    expect(atStep).toBe(
      '::error file=evals/tasks/a.yaml,line=9,title=feed%3A verify step 2 (script)::exit code 1\n',
    );
    const [atTask] = await makeAnnotations(resultsOf([failed()]), places);
    expect(atTask).toMatch(/^::error file=evals\/tasks\/feed\.yaml,line=1,/);
  });

  it('say what was planned and not done', async () => {
    const results = resultsOf([taskRunRecord({})]);
    const planned = { ...results, header: { ...results.header, planned: 3, finished: false } };
    expect(await makeAnnotations(planned, places)).toEqual([
      '::warning title=Proctor::1 of 1 task runs passed, 2 more were planned and not done\n',
    ]);
  });

  it('name a place outside of the repository in the text', async () => {
    const results = resultsOf([failed({ assertions: [assertionAt('../../other/eval.yaml')] })]);
    const [line] = await makeAnnotations(results, places);
    expect(line).toBe(
      '::error title=feed%3A toolsUsed::100%25 wrong: a,b%0A../../other/eval.yaml:12\n',
    );
  });

  it('are ten errors at most, what always fails first, then a summary', async () => {
    const flaky = failed({ task: 'flaky', runs: 2 });
    const broken = taskRunRecord({
      task: 'broken',
      outcome: 'error',
      failure: { category: 'server-exited', message: 'it ended', evidence: 1 },
    });
    const always = Array.from({ length: 12 }, (_, index) => failed({ task: `task-${index}` }));
    const lines = await makeAnnotations(resultsOf([broken, flaky, ...always]), places);
    expect(lines).toHaveLength(11);
    expect(lines.slice(0, 10).every((line) => line.includes('title=task-'))).toBe(true);
    expect(lines.at(-1)).toBe(
      '::notice title=Proctor::0 of 14 task runs passed, 13 did not, 1 could not be judged, 4 more problems are in the results\n',
    );
  });

  it('name the variant of a task', async () => {
    const runs = ['a', 'b'].map((variant) => failed({ variant, runs: 2 }));
    const lines = await makeAnnotations(resultsOf(runs), places);
    expect(lines.slice(0, 2).map((line) => read(line))).toMatchObject([
      { title: expect.stringMatching(/^feed \[a\]: /), message: expect.stringContaining('1 of 2') },
      { title: expect.stringMatching(/^feed \[b\]: /), message: expect.stringContaining('1 of 2') },
    ]);
  });

  it('warn when nothing was judged', async () => {
    expect(await makeAnnotations(resultsOf([]), places)).toEqual([
      '::warning title=Proctor::0 of 0 task runs passed\n',
    ]);
  });

  it('are one line each that begins with a command, whatever the results hold', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyTaskRun), async (taskRuns) => {
        for (const line of await makeAnnotations(resultsOf(taskRuns), places)) {
          expect(line).toMatch(/^::(error|notice|warning) [^\r\n]*\n$/);
        }
      }),
    );
  });
});

/** As GitHub's runner reads it. */
function read(line: string) {
  const [, level, properties = '', data = ''] = /^::(\w+) (.*?)::(.*)\n$/su.exec(line) ?? [];
  const text = (escaped: string) =>
    escaped.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%');
  const value = (escaped: string) => text(escaped.replaceAll('%3A', ':').replaceAll('%2C', ','));
  const pairs = properties.split(',').map((pair) => pair.split(/=(.*)/s));
  return {
    level,
    message: text(data),
    ...Object.fromEntries(pairs.map(([key, escaped = '']) => [key, value(escaped)])),
  };
}

describe('workflowCommand', () => {
  it('is read by GitHub as it was meant', () => {
    const plain = hostileText.map((text) =>
      text.replace(/(?![\r\n])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu, ''),
    );
    fc.assert(
      fc.property(plain, plain, plain, (title, message, file) => {
        const line = formatWorkflowCommand({
          level: 'error',
          title,
          message,
          at: { file, line: 3 },
        });
        expect(read(line)).toEqual({ level: 'error', title, message, file, line: '3' });
      }),
    );
  });
});

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'proctor-summary-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const oneMiB = 1024 * 1024;

describe('appendJobSummary', () => {
  it('keeps what others wrote', async () => {
    const file = join(folder, 'summary.md');
    await appendJobSummary(file, 'one');
    await appendJobSummary(file, 'two');
    expect(await readFile(file, 'utf8')).toBe('one\ntwo\n');
  });

  it('cuts at the end of a line what is more than GitHub takes', async () => {
    const file = join(folder, 'summary.md');
    await writeFile(file, 'before\n');
    await appendJobSummary(file, 'ünïcödé line\n'.repeat(100_000));
    const text = await readFile(file, 'utf8');
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(oneMiB);
    expect(Buffer.byteLength(text)).toBeGreaterThan(oneMiB - 200);
    expect(text).toMatch(
      /ünïcödé line\n\n_\[\.\.\. the rest is left out: GitHub takes 1 MiB \.\.\.\]_\n$/,
    );
  });

  it('writes nothing where there is no room', async () => {
    const file = join(folder, 'summary.md');
    await writeFile(file, 'x'.repeat(oneMiB));
    await appendJobSummary(file, 'more');
    expect((await readFile(file)).length).toBe(oneMiB);
  });
});
