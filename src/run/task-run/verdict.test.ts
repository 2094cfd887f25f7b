import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Failure } from '../../journal/task-run-events.js';
import type { PhaseResult } from './step-phase.js';
import { decideVerdict, type Findings } from './verdict.js';

const step = (outcome: 'failed' | 'error', seq: number, type = 'script') => ({
  seq,
  type,
  outcome,
  message: outcome,
});
const good: PhaseResult = { outcome: 'passed', steps: 1, failed: [] };
const bad: PhaseResult = {
  outcome: 'failed',
  steps: 2,
  failed: [step('error', 7), step('failed', 8)],
};
const unjudged: PhaseResult = { outcome: 'error', steps: 1, failed: [step('error', 9)] };
const held = { checked: 1, failed: [] };
const broken = { checked: 2, failed: [{ seq: 10, name: 'maxToolCalls', reason: 'too many' }] };
const server: Failure = { category: 'server-exited', message: 'gone', evidence: 3 };
const agent: Failure = { category: 'agent-failed', message: 'crashed', evidence: 4 };
const stop = (why: 'timeout' | 'cancelled') => ({ why, message: why, evidence: 5 });

/** Outcome, category and evidence of a verdict. */
function summary(findings: Findings) {
  const { outcome, failure } = decideVerdict(findings, 99);
  return [outcome, failure?.category, failure?.evidence];
}

describe('verdictOf', () => {
  it.each<[string, Findings, unknown[]]>([
    ['passes what was verified', { verify: good }, ['passed', undefined, undefined]],
    ['passes what was only asserted', { assertions: held }, ['passed', undefined, undefined]],
    [
      'lets a failed step count before one that could not be judged',
      { verify: bad, assertions: broken },
      ['failed', 'verification-failed', 8],
    ],
    ['is an error if no step could be judged', { verify: unjudged }, ['error', 'step-error', 9]],
    [
      'knows a judge that gave no verdict',
      { verify: { ...unjudged, failed: [step('error', 9, 'llmJudge')] } },
      ['error', 'judge-error', 9],
    ],
    [
      'fails by a step beside a judge that gave no verdict',
      { verify: { ...bad, failed: [step('error', 9, 'llmJudge'), step('failed', 10)] } },
      ['failed', 'verification-failed', 10],
    ],
    [
      'fails by an assertion',
      { verify: good, assertions: broken },
      ['failed', 'assertion-failed', 10],
    ],
    [
      'blames the server before the agent',
      { serverFailure: server, agentFailure: agent },
      ['error', 'server-exited', 3],
    ],
    [
      'blames the agent before what it left',
      { agentFailure: agent, verify: bad },
      ['error', 'agent-failed', 4],
    ],
    [
      'blames setup before everything after it',
      { setup: bad, serverFailure: server },
      ['error', 'setup-failed', 7],
    ],
    [
      'knows that time was up',
      { stopped: stop('timeout'), verify: bad },
      ['timeout', 'timeout', 5],
    ],
    [
      'knows that it was interrupted',
      { stopped: stop('cancelled'), serverFailure: server },
      ['cancelled', 'cancelled', 5],
    ],
    ['never passes what nothing was checked of', {}, ['error', 'internal-error', 99]],
    [
      'never passes an empty verification and no assertion',
      {
        verify: { outcome: 'passed', steps: 0, failed: [] },
        assertions: { checked: 0, failed: [] },
      },
      ['error', 'internal-error', 99],
    ],
  ])('%s', (_, findings, expected) => {
    expect(summary(findings)).toEqual(expected);
  });

  it('does not call verified what was cut off', () => {
    expect(decideVerdict({ stopped: stop('timeout'), verify: good }, 1).verified).toBeNull();
  });

  it('passes only if something was checked and nothing was found', () => {
    const phase = fc.constantFrom(good, bad, unjudged);
    const findings = fc.record(
      {
        stopped: fc.constantFrom(stop('timeout'), stop('cancelled')),
        setup: phase,
        serverFailure: fc.constant(server),
        agentFailure: fc.constant(agent),
        verify: phase,
        assertions: fc.constantFrom(held, broken, { checked: 0, failed: [] }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(findings, (found) => {
        const { outcome, failure, verified, assertionsHeld } = decideVerdict(found, 1);
        const isClean =
          !found.stopped &&
          !found.serverFailure &&
          !found.agentFailure &&
          (found.setup ?? good) === good &&
          verified !== false &&
          assertionsHeld !== false;
        const wasChecked = verified !== null || assertionsHeld !== null;
        expect(outcome === 'passed').toBe(isClean && wasChecked);
        expect(failure === undefined).toBe(outcome === 'passed');
      }),
    );
  });
});
