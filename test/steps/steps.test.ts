import { describe, expect, onTestFinished } from 'vitest';
import type { TaskRunResult } from '../../src/results/schema/task-run-schema.js';
import { LoopbackServer } from '../../testing/loopback-http.js';
import { ModelServer } from '../support/model-server/model-server.js';
import { it } from '../support/scratch-suite.js';
import {
  caseExtensions,
  caseJudge,
  caseRequires,
  caseServers,
  judgeCases,
  type StepCase,
  stepCases,
} from '../support/step-cases.js';
import { type SuiteParts, script } from '../support/suite-parts.js';

type Phase = 'setup' | 'verify' | 'cleanup';

const passing = script('true');
const inParallel = ['-p', '8'];

async function startServer(): Promise<string> {
  const server = await LoopbackServer.http(({ url }, response) => {
    if (url === '/json') {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"count":2}');
    } else if (url === '/broken') response.writeHead(500).end('out of paper');
  });
  return server.url('');
}

/** A suite whose tasks can have steps of the cases. */
async function casesSuite(specs: Record<string, object>): Promise<SuiteParts> {
  const model = await ModelServer.start(caseJudge);
  onTestFinished(() => model.close());
  const builtin = {
    type: 'llm-agent',
    model: 'openai-compatible:m-1',
    baseUrl: `${model.url}/v1`,
  };
  const judge = { kind: 'Agent', metadata: { name: 'judge' }, builtin };
  const tasks = Object.entries(specs).map(([name, spec]) => [
    name,
    { parallel: true, spec: { requires: caseRequires, ...spec } },
  ]);
  return {
    tasks: Object.fromEntries(tasks),
    servers: caseServers,
    config: {
      extensions: caseExtensions,
      llmJudge: { ref: { type: 'file', path: 'judge.yaml' } },
    },
    files: { 'judge.yaml': JSON.stringify(judge) },
  };
}

/** What became of a task run, in short. */
function digest({ outcome, failure, verified, cleanupFailed, phases }: TaskRunResult) {
  const ends = (phase: Phase) => phases[phase]?.steps.map((step) => step.outcome) ?? null;
  return {
    outcome,
    category: failure?.category ?? null,
    verified,
    cleanupFailed,
    setup: ends('setup'),
    agent: phases.agent?.outcome ?? null,
    verify: ends('verify'),
    cleanup: ends('cleanup'),
  };
}

const allPassed = {
  outcome: 'passed',
  category: null,
  verified: true,
  cleanupFailed: false,
  setup: null as string[] | null,
  agent: 'passed',
  verify: ['passed'],
  cleanup: ['passed'],
};

/** What has to become of a task run with this step in this phase, and one that passes after it. */
function expectedDigest(row: StepCase, phase: Phase, continueOnError: boolean) {
  const { outcome, name, notForgiven } = row;
  const both = [outcome, 'passed'];
  if (outcome === 'passed') return { ...allPassed, [phase]: both };
  if (phase === 'cleanup') return { ...allPassed, cleanupFailed: true, cleanup: both };
  if (phase === 'setup') {
    const verdict = notForgiven && { outcome: 'error', category: notForgiven };
    if (continueOnError) return { ...allPassed, ...verdict, setup: both };
    const notRun = { verified: null, agent: null, verify: null };
    return {
      ...allPassed,
      ...notRun,
      outcome: 'error',
      category: 'setup-failed',
      setup: [outcome],
    };
  }
  const ofError = name.startsWith('judge') ? 'judge-error' : 'step-error';
  const verdict =
    outcome === 'error'
      ? { outcome: 'error', category: ofError }
      : { outcome: 'failed', category: 'verification-failed' };
  return { ...allPassed, ...verdict, verified: false, verify: both };
}

describe('a step', () => {
  it('of any type, in any phase, ends as it should, and so does its task', async ({
    makeSuite,
  }) => {
    const cases = stepCases(await startServer());
    const everywhere = (['setup', 'verify', 'cleanup'] as const).flatMap((phase) =>
      cases.map((each) => ({ phase, ...each })),
    );
    const inVerify = judgeCases.map((each) => ({ phase: 'verify' as const, ...each }));
    const rows = [...everywhere, ...inVerify].flatMap((each) =>
      [false, true].map((continueOnError) => ({
        ...each,
        continueOnError,
        task: `${each.name}-in-${each.phase}${continueOnError ? '-and-goes-on' : ''}`,
      })),
    );
    const specs = rows.map(({ task, step, phase, continueOnError }) => [
      task,
      {
        verify: [passing],
        cleanup: [passing],
        [phase]: [{ ...step, id: 'case', ...(continueOnError && { continueOnError }) }, passing],
      },
    ]);
    const suite = await makeSuite(await casesSuite(Object.fromEntries(specs)));

    const { taskRuns, stderr } = await suite.check(inParallel);

    expect(taskRuns, stderr).toHaveLength(rows.length);
    for (const row of rows) {
      const { task, phase, outcome, told, continueOnError } = row;
      const taskRun = taskRuns.find((each) => each.task === task);
      if (!taskRun) throw new Error(`${task} did not run`);
      expect.soft(digest(taskRun), task).toEqual(expectedDigest(row, phase, continueOnError));
      const [step] = taskRun.phases[phase]?.steps ?? [];
      const passed = outcome === 'passed';
      expect.soft(step, task).toMatchObject({ step: 1, id: 'case', outcome, passed, ...told });
    }
    expect(await suite.leftovers()).toEqual([]);
  });

  it('that did not pass keeps none of verify and cleanup from running', async ({ makeSuite }) => {
    const cases = stepCases(await startServer());
    const steps = (some: StepCase[]) => some.map(({ step }) => step);
    const outcomes = (some: StepCase[]) => some.map(({ outcome }) => outcome);
    const bad = [...judgeCases, ...cases].filter(({ outcome }) => outcome !== 'passed');
    const errors = bad.filter(({ outcome }) => outcome === 'error');
    const withoutJudge = errors.filter(({ name }) => !name.startsWith('judge'));
    const silentJudge = errors.filter(({ name }) => name === 'judge-says-nothing');
    const specs = {
      'all-but-pass': { verify: steps(bad), cleanup: steps(cases) },
      errors: { verify: [...steps(errors), passing], cleanup: [passing] },
      'other-errors': { verify: steps(withoutJudge), cleanup: [passing] },
      'judge-beside-failure': {
        verify: [...steps(silentJudge), script('exit 3', { id: 'last' })],
        cleanup: [passing],
      },
      'setup-fails': { setup: [script('exit 1')], verify: [passing], cleanup: steps(cases) },
    };
    const suite = await makeSuite(await casesSuite(specs));

    const { taskRuns, exitCode } = await suite.check(inParallel);

    expect(exitCode).toBe(1);
    const of = (task: keyof typeof specs) => taskRuns.find((each) => each.task === task);
    const digests = Object.fromEntries(taskRuns.map((each) => [each.task, digest(each)]));
    const unverified = { ...allPassed, verified: false };
    const failed = { ...unverified, outcome: 'failed', category: 'verification-failed' };
    const cleaned = { cleanupFailed: true, cleanup: outcomes(cases) };
    expect(digests).toEqual({
      'all-but-pass': { ...failed, verify: outcomes(bad), ...cleaned },
      errors: {
        ...unverified,
        outcome: 'error',
        category: 'judge-error',
        verify: [...outcomes(errors), 'passed'],
      },
      'other-errors': {
        ...unverified,
        outcome: 'error',
        category: 'step-error',
        verify: outcomes(withoutJudge),
      },
      'judge-beside-failure': { ...failed, verify: ['error', 'failed'] },
      'setup-fails': {
        ...allPassed,
        outcome: 'error',
        category: 'setup-failed',
        verified: null,
        setup: ['failed'],
        agent: null,
        verify: null,
        ...cleaned,
      },
    });
    // What failed explains the verdict, and not what could not be judged.
    expect(of('judge-beside-failure')?.failure).toEqual({
      category: 'verification-failed',
      message: 'verify, last (script): the script exited with code 3',
      evidence: of('judge-beside-failure')?.phases.verify?.steps[1]?.seq,
    });
    expect(of('setup-fails')).toMatchObject({ prompt: null, output: '', calls: [] });
    expect(await suite.leftovers()).toEqual([]);
  });
});
