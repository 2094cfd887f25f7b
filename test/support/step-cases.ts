import path from 'node:path';
import { expect } from 'vitest';
import type { StepEnded } from '../../src/journal/step-events.js';
import type { FailureCategory } from '../../src/journal/task-run-events.js';
import { fixtures } from './cli.js';
import { submitting } from './model-judge.js';
import type { Script } from './model-server/turn.js';
import { script, tellingServer } from './suite-parts.js';

/** A step, how it ends, and what is told of it. */
export interface StepCase {
  name: string;
  step: object;
  outcome: StepEnded['outcome'];
  told: object;
  /** Category of a task run that does not pass although setup went on. */
  notForgiven?: FailureCategory;
}

const program = (name: string) => ({ package: path.join(fixtures, 'extensions', name) });

/** What the cases need in a suite. */
export const caseServers = {
  telling: tellingServer([], { scope: 'run' }),
  dying: tellingServer(),
};
export const caseExtensions = { good: program('good.mjs'), misfit: program('misfit.mjs') };
export const caseRequires = [{ extension: 'good' }, { extension: 'misfit', as: 'odd' }];

/** A judge of the cases: its reference decides. */
export const caseJudge: Script = ({ prompt }) => {
  if (prompt.includes('the-judge-passes')) {
    return submitting({ passed: true, reason: 'It fits.' });
  }
  if (prompt.includes('the-judge-fails')) {
    const failureCategory = 'missing_information';
    return submitting({ passed: false, reason: 'It is thin.', failureCategory });
  }
  return prompt.includes('the-judge-hangs') ? { hang: true } : { text: 'Well done!' };
};

const hanging = { timeout: '500ms' };
const late = 'the step took longer than its limit of 0.5 s';
const submitted = { model: expect.stringMatching(/m-1$/), usage: { inputTokens: 10 } };

const ofScripts: StepCase[] = [
  {
    name: 'script-passes',
    step: script('echo made'),
    outcome: 'passed',
    told: { outputs: { stdout: 'made', stderr: '', exitCode: '0' } },
  },
  {
    name: 'script-fails',
    step: script('echo made; echo why >&2; exit 3'),
    outcome: 'failed',
    told: {
      message: 'the script exited with code 3',
      outputs: { stdout: 'made', stderr: 'why', exitCode: '3' },
    },
  },
  {
    name: 'script-is-missing',
    step: { script: { file: '{task.name}.sh' } },
    outcome: 'error',
    told: { message: expect.stringMatching(/^the script \S+\.sh cannot be read/), outputs: {} },
  },
  {
    name: 'script-hangs',
    step: script('echo made; sleep 1000', hanging),
    outcome: 'timeout',
    told: { message: late },
  },
];

/** Of a server with the paths /json, /broken and /never. */
const ofRequests = (url: string): StepCase[] => [
  {
    name: 'request-passes',
    step: {
      http: { url: `${url}/json`, expect: { body: { fields: [{ path: 'count', equals: 2 }] } } },
    },
    outcome: 'passed',
    told: {
      outputs: { status: '200', body: '{"count":2}' },
      request: { method: 'GET', url: `${url}/json`, headers: {} },
      response: { status: 200, bytes: 11, headers: { 'content-type': 'application/json' } },
    },
  },
  {
    name: 'request-fails',
    step: { http: { url: `${url}/broken`, expect: { body: { match: '^fine' } } } },
    outcome: 'failed',
    told: {
      message: expect.stringContaining('status: expected 2xx, found 500; body'),
      outputs: { status: '500', body: 'out of paper' },
      response: { status: 500 },
      unmet: ['status: expected 2xx, found 500', expect.stringContaining('out of paper')],
    },
  },
  {
    name: 'request-is-none',
    step: { http: { url: '{task.name}://nowhere/' } },
    outcome: 'error',
    told: {
      message: expect.stringContaining('is not an http or https address'),
      outputs: {},
      request: { method: 'GET', url: expect.stringMatching(/^request-is-none/) },
    },
  },
  {
    name: 'request-hangs',
    step: { http: { url: `${url}/never`, method: 'POST', body: { raw: 'hello' } }, ...hanging },
    outcome: 'timeout',
    told: { message: late, outputs: {}, request: { method: 'POST', body: 'hello' } },
  },
];

const ofTools: StepCase[] = [
  {
    name: 'tool-passes',
    step: {
      'telling.echo': { args: { text: 'hello' }, expect: { content: { match: '^hello$' } } },
    },
    outcome: 'passed',
    told: { outputs: { content: 'hello', isError: 'false' }, args: { text: 'hello' } },
  },
  {
    name: 'tool-fails',
    step: {
      'telling.echo': {
        args: { text: '{"count":2}' },
        expect: { isError: true, content: { fields: [{ path: 'count', equals: 3 }] } },
      },
    },
    outcome: 'failed',
    told: {
      message: expect.stringMatching(/^isError: expected true, found false; .*count/),
      outputs: { content: '{"count":2}', isError: 'false' },
      args: { text: '{"count":2}' },
      unmet: ['isError: expected true, found false', expect.stringContaining('count')],
    },
  },
  {
    name: 'tool-dies',
    step: { 'dying.exit': { expect: { isError: true } } },
    outcome: 'error',
    told: { message: 'the server "dying" exited with code 4', outputs: {}, args: {} },
    notForgiven: 'server-exited',
  },
  {
    name: 'tool-hangs',
    step: { 'telling.never': { args: { for: 'ever' } }, ...hanging },
    outcome: 'timeout',
    told: { message: late, outputs: {}, args: { for: 'ever' } },
  },
];

const ofExtensions: StepCase[] = [
  {
    name: 'operation-passes',
    step: { 'good.echo': { text: 'hello' } },
    outcome: 'passed',
    told: { outputs: { text: 'hello' }, args: { text: 'hello' } },
  },
  {
    name: 'operation-logs',
    step: { 'good.log': { lines: 2 } },
    outcome: 'passed',
    told: {
      args: { lines: 2 },
      // No line says which operation it is of: those of others that run just then are there too.
      log: expect.arrayContaining([
        { level: 'debug', message: expect.stringContaining('line 1') },
        { level: 'debug', message: expect.stringContaining('line 2') },
      ]),
    },
  },
  {
    name: 'operation-fails',
    step: { 'good.fail': {} },
    outcome: 'failed',
    told: { message: 'the pod is not there', outputs: {}, args: {} },
  },
  {
    name: 'operation-is-refused',
    step: { 'odd.refuse': { pod: 'web' } },
    outcome: 'error',
    told: { message: expect.stringContaining('no such pod'), outputs: {}, args: { pod: 'web' } },
  },
  {
    name: 'operation-hangs',
    step: { 'odd.hang': {}, ...hanging },
    outcome: 'error',
    told: { message: late, outputs: {}, args: {} },
  },
];

export const stepCases = (url: string): StepCase[] => [
  ...ofScripts,
  ...ofRequests(url),
  ...ofTools,
  ...ofExtensions,
];

/** They can only verify. */
export const judgeCases: StepCase[] = [
  {
    name: 'judge-passes',
    step: { llmJudge: { contains: 'the-judge-passes' } },
    outcome: 'passed',
    told: {
      outputs: {},
      judgement: { mode: 'contains', passed: true, reason: 'It fits.', ...submitted },
    },
  },
  {
    name: 'judge-fails',
    step: { llmJudge: { exact: 'the-judge-fails', votes: 3 } },
    outcome: 'failed',
    told: {
      message: 'the judge says (missing_information): It is thin.',
      judgement: {
        mode: 'exact',
        passed: false,
        failureCategory: 'missing_information',
        votes: [{ passed: false }, { passed: false }, { passed: false }],
      },
    },
  },
  {
    name: 'judge-says-nothing',
    step: { llmJudge: { rubric: 'the-judge-says-nothing' } },
    outcome: 'error',
    told: {
      message: expect.stringContaining('did not call submit_judgement'),
      judgement: { mode: 'rubric', passed: null, votes: [{ passed: null, attempts: 3 }] },
    },
  },
  {
    name: 'judge-hangs',
    step: { llmJudge: { contains: 'the-judge-hangs' }, ...hanging },
    outcome: 'error',
    told: { message: late, judgement: { passed: null } },
  },
];
