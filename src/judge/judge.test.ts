import { describe, expect, it } from 'vitest';
import {
  type Behaviour,
  callJudgeTool,
  failing,
  finished,
  judgeOf,
  passing,
  question,
  submits,
  takingTurns,
} from '../../testing/judging.js';
import { sendRequest } from '../../testing/raw-requests.js';
import type { AgentFailure, AgentResult } from '../agents/agent.js';
import type { Vote } from '../journal/step-events.js';
import { decideMajority } from './judge.js';

const never = new AbortController().signal;
describe('a judge', () => {
  it('passes an answer by calling the tool', async () => {
    const { agent, tasks } = takingTurns(submits(passing));
    const judge = await judgeOf(agent, { environment: { KEY: 'value' } });

    expect(await judge.ask(question, never)).toEqual({
      mode: 'contains',
      reference: '3 pods',
      passed: true,
      reason: 'It fits.',
      failureCategory: 'n/a',
      votes: [{ passed: true, reason: 'It fits.', failureCategory: 'n/a', attempts: 1 }],
      model: 'model of the file',
    });
    expect(judge.identity).toBe(agent.identity);
    expect(tasks).toMatchObject([
      {
        environment: { KEY: 'value' },
        servers: [{ name: 'judge', allowedTools: ['submit_judgement'] }],
      },
    ]);
  });

  it('fails an answer by calling the tool', async () => {
    const judge = await judgeOf(takingTurns(submits(failing)).agent);

    expect(await judge.ask(question, never)).toMatchObject({
      passed: false,
      reason: 'One is missing.',
      failureCategory: 'missing_information',
    });
  });

  it('may say the same twice: the first counts', async () => {
    const again = '{"passed":true,"reason":"As I said."}';
    const judge = await judgeOf(takingTurns(submits(passing, again)).agent);

    expect(await judge.ask(question, never)).toMatchObject({ passed: true, reason: 'It fits.' });
  });

  it('may try other tools, which are not there', async () => {
    const { agent } = takingTurns(async (task) => {
      expect(await callJudgeTool(task, failing, 'submit_judgment')).toMatchObject({
        isError: true,
        text: expect.stringContaining('only the tool submit_judgement'),
      });
      await callJudgeTool(task, passing);
      return { ...finished, permissionDenials: [{ tool: 'Bash' }] };
    });

    expect(await (await judgeOf(agent)).ask(question, never)).toMatchObject({ passed: true });
  });

  const denial = [{ tool: 'mcp__judge__submit_judgement' }];
  const failure: AgentFailure = {
    code: 'failed',
    message: 'the model is gone',
    details: 'HTTP 529: overloaded',
  };
  const brokenStep: Behaviour = async (task) => {
    task.report({ kind: 'tool-call', tool: 'mcp__judge__submit_judgement', id: '1' });
    task.report({ kind: 'tool-result', id: '1', isError: true, text: 'not JSON' });
    return submits(passing)(task);
  };
  const then =
    (result: AgentResult): Behaviour =>
    async (task) => {
      await callJudgeTool(task, passing);
      return result;
    };

  it.each<[string, Behaviour, string]>([
    ['calls nothing', async () => finished, 'did not call submit_judgement'],
    [
      'says it in words',
      async () => ({ ...finished, output: passing }),
      `it did not call submit_judgement; it said: "${passing}"`,
    ],
    ['calls it with nonsense', submits('{"passed":"true","reason":"x"}'), 'passed has to be'],
    ['calls it with nonsense, then well', submits('[]', passing), 'have to be an object'],
    ['calls it well, then with nonsense', submits(passing, 'null'), 'have to be an object'],
    ['contradicts itself', submits(passing, failing, passing), 'contradict each other'],
    ['is stopped', then({ end: 'stopped', output: '' }), 'it was stopped'],
    [
      'fails',
      then({ end: 'failed', failure, output: '' }),
      'the model is gone; its log ends with: HTTP 529: overloaded',
    ],
    [
      'cannot use the server',
      then({ ...finished, unusableServers: [{ name: 'judge', status: 'lost' }] }),
      'could not use the tool submit_judgement: lost',
    ],
    ['may not use the tool', then({ ...finished, permissionDenials: denial }), 'was not allowed'],
    ['refuses a malformed call of its own', brokenStep, 'the call came to an error'],
    ['breaks', () => Promise.reject(new Error('a bug')), 'it could not be asked: a bug'],
  ])('that %s gives no verdict, also when asked again', async (_, behaviour, error) => {
    const { agent, tasks } = takingTurns(behaviour);

    const judgement = await (await judgeOf(agent)).ask(question, never);

    expect(judgement).toMatchObject({
      passed: null,
      reason: expect.stringContaining(error),
      failureCategory: 'n/a',
      votes: [{ passed: null, error: expect.stringContaining(error), attempts: 3 }],
    });
    expect(tasks).toHaveLength(3);
  });

  it('is asked again, at another address, until there is a verdict', async () => {
    const { agent, tasks } = takingTurns(submits(), submits('{}'), submits(failing));

    const judgement = await (await judgeOf(agent)).ask(question, never);

    expect(judgement).toMatchObject({ passed: false, votes: [{ passed: false, attempts: 3 }] });
    const urls = tasks.map(({ servers: [server] }) => server?.url);
    expect(new Set(urls).size).toBe(3);
  });

  it('that could not be started is not asked again', async () => {
    const failure = { code: 'not-started', message: 'there is no key' } as const;
    const { agent, tasks } = takingTurns(async () => ({ end: 'failed', failure, output: '' }));

    const judgement = await (await judgeOf(agent)).ask(question, never);

    expect(judgement).toMatchObject({
      passed: null,
      reason: 'there is no key',
      votes: [{ attempts: 1 }],
    });
    expect(tasks).toHaveLength(1);
  });

  it('that calls late calls for nothing', async () => {
    const { agent, tasks } = takingTurns(submits());
    const judge = await judgeOf(agent, { attempts: 1 });
    await judge.ask(question, never);

    const [server] = tasks[0]?.servers ?? [];
    expect(await sendRequest(server?.url ?? '', { body: '{}' })).toMatchObject({ status: 404 });
  });

  it('isDone is true after the first valid call', async () => {
    const answers: unknown[] = [];
    const { agent } = takingTurns(async (task) => {
      answers.push(task.isDone?.());
      await callJudgeTool(task, passing);
      answers.push(task.isDone?.());
      return finished;
    });

    await (await judgeOf(agent)).ask(question, never);

    expect(answers).toEqual([false, true]);
  });

  it('is given fresh folders for each attempt, which are removed', async () => {
    const removed: string[] = [];
    let made = 0;
    const { agent, tasks } = takingTurns(submits(), () => Promise.reject(new Error('a bug')));
    const judge = await judgeOf(agent, {
      attempts: 2,
      async makeFolders() {
        made += 1;
        const folder = `/nowhere/${made}`;
        const remove = async () => {
          removed.push(folder);
          throw new Error('it is not empty');
        };
        return { workdir: folder, privateFolder: folder, remove };
      },
    });

    await judge.ask(question, never);

    expect(tasks.map(({ workdir }) => workdir)).toEqual(['/nowhere/1', '/nowhere/2']);
    expect(removed).toEqual(['/nowhere/1', '/nowhere/2']);
  });

  it('without room for folders gives no verdict', async () => {
    const { agent, tasks } = takingTurns(submits(passing));
    const makeFolders = () => Promise.reject(new Error('the disk is full'));

    const judgement = await (await judgeOf(agent, { makeFolders })).ask(question, never);

    expect(judgement).toMatchObject({
      passed: null,
      reason: expect.stringContaining('the disk is full'),
    });
    expect(tasks).toEqual([]);
  });

  it('reports what all attempts took, and the model that answered', async () => {
    const spent = { usage: { inputTokens: 100, outputTokens: 10 }, cost: 0.5 };
    const { agent } = takingTurns(
      async () => ({ ...finished, ...spent, model: 'the real one' }),
      async (task) => ({
        ...(await submits(passing)(task)),
        usage: { inputTokens: 1, outputTokens: 2, cachedInputTokens: 1, reasoningTokens: 2 },
        cost: 0.25,
      }),
    );

    const judgement = await (await judgeOf(agent)).ask(question, never);

    expect(judgement).toMatchObject({
      passed: true,
      model: 'the real one',
      cost: 0.75,
      usage: { inputTokens: 101, outputTokens: 12, cachedInputTokens: 1, reasoningTokens: 2 },
    });
  });

  it('has no cost if that of one attempt is unknown, as the rest would look like the whole', async () => {
    const usage = { inputTokens: 100, outputTokens: 10 };
    const { agent } = takingTurns(
      async () => ({ ...finished, usage, cost: 0.5 }),
      async () => ({ ...finished, usage }),
      async (task) => ({ ...(await submits(passing)(task)), usage, cost: 0.5 }),
    );

    const judgement = await (await judgeOf(agent)).ask(question, never);

    expect(judgement).toMatchObject({ passed: true, usage: { inputTokens: 300 } });
    expect(judgement).not.toHaveProperty('cost');
    expect(judgement).not.toHaveProperty('costSource');
  });

  it('that gives a long reason is cut short', async () => {
    const long = JSON.stringify({ passed: false, reason: 'much '.repeat(5000) });

    const judgement = await (await judgeOf(takingTurns(submits(long)).agent)).ask(question, never);

    expect(judgement.reason.length).toBeLessThan(8200);
    expect(judgement.reason).toMatch(/ …$/);
  });
});

const passed = (reason = 'fits'): Vote => ({
  passed: true,
  reason,
  failureCategory: 'n/a',
  attempts: 1,
});
const failed = (reason = 'differs'): Vote => ({
  passed: false,
  reason,
  failureCategory: 'semantic_mismatch',
  attempts: 1,
});
const silent = (error = 'it broke'): Vote => ({ passed: null, error, attempts: 3 });

describe('majorityOf', () => {
  it('takes the reason of the first vote on the side that decides', () => {
    expect(decideMajority([failed(), passed('one'), passed('two')])).toEqual({
      passed: true,
      reason: 'one',
      failureCategory: 'n/a',
    });
    expect(decideMajority([passed(), failed('one'), failed('two')])).toEqual({
      passed: false,
      reason: 'one',
      failureCategory: 'semantic_mismatch',
    });
  });

  it('needs more than half of all votes, not of those that came', () => {
    expect(decideMajority([passed(), silent()]).passed).toBe(null);
    expect(decideMajority([passed(), passed(), silent(), silent()]).passed).toBe(null);
    expect(decideMajority([failed(), silent()]).passed).toBe(null);
    expect(decideMajority([passed(), passed(), silent()]).passed).toBe(true);
    expect(decideMajority([]).passed).toBe(null);
  });

  it.each([
    [[silent('it broke')], 'it broke'],
    [[silent('one'), silent('two')], 'one'],
    [[passed(), failed()], 'the votes are split: 1 passed, 1 failed'],
    [
      [passed(), silent('it broke'), failed()],
      'the votes are split: 1 passed, 1 failed, 1 gave no verdict (it broke)',
    ],
  ])('says why there is no verdict in %j', (votes, reason) => {
    expect(decideMajority(votes)).toEqual({ passed: null, reason, failureCategory: 'n/a' });
  });
});
