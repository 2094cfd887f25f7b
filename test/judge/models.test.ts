import { describe, expect, it } from 'vitest';
import { fencedText, question } from '../../testing/judging.js';
import { providers } from '../support/llm-agent-run.js';
import { startModelJudge, submitting } from '../support/model-judge.js';

const never = new AbortController().signal;
const passing = { passed: true, reason: 'It says three.' };
const failing = {
  passed: false,
  reason: 'It says four.',
  failureCategory: 'semantic_mismatch',
};

describe.each(providers)('a judge of $name', (provider) => {
  it('passes an answer with one request, which shows the texts as data', async () => {
    const { judge, model } = await startModelJudge(provider, [submitting(passing)]);

    const judgement = await judge.ask(question, never);

    expect(judgement).toMatchObject({
      passed: true,
      reason: 'It says three.',
      failureCategory: 'n/a',
      model: expect.stringMatching(/m-1$/),
      usage: { inputTokens: 10, outputTokens: 5 },
      votes: [{ passed: true, attempts: 1 }],
    });
    expect(model.requests).toHaveLength(1);
    const [request] = model.requests;
    expect(request?.tools).toMatchObject([{ name: 'submit_judgement' }]);
    expect(request?.messages).toMatchObject([{ role: 'user' }]);
    const prompt = request?.prompt ?? '';
    expect(fencedText(prompt, 'TASK').text).toBe('How many pods run?');
    expect(fencedText(prompt, 'ANSWER').text).toBe('Three pods run.');
    expect(fencedText(prompt, 'REFERENCE').text).toBe('3 pods');
  });

  it('fails an answer', async () => {
    const { judge, model } = await startModelJudge(provider, [submitting(failing)]);

    const judgement = await judge.ask({ ...question, mode: 'exact' }, never);

    expect(judgement).toMatchObject({ ...failing, votes: [{ passed: false, attempts: 1 }] });
    expect(model.requests).toHaveLength(1);
  });

  it.each([
    ['says its verdict in text', { text: '{"passed": true, "reason": "x"}' }, 'did not call'],
    ['submits what is no verdict', submitting({ passed: 'true', reason: 'x' }), 'passed has to be'],
    ['contradicts itself', submitting(passing, failing), 'contradict'],
    ['corrects itself at once', submitting({ passed: 1 }, passing), 'passed has to be'],
  ])('that %s gives no verdict after three attempts', async (_, turn, error) => {
    const { judge, model } = await startModelJudge(provider, ({ round }) =>
      round === 0 ? turn : undefined,
    );

    const judgement = await judge.ask(question, never);

    expect(judgement).toMatchObject({
      passed: null,
      reason: expect.stringContaining(error),
      votes: [{ passed: null, attempts: 3 }],
    });
    expect(model.requests.filter(({ round }) => round === 0)).toHaveLength(3);
    expect(judgement.usage?.inputTokens).toBe(10 * model.requests.length);
  });

  it('does better in its second attempt', async () => {
    let asked = 0;
    const { judge } = await startModelJudge(provider, () => {
      asked += 1;
      return asked === 1 ? { text: 'It passes.' } : submitting(failing);
    });

    expect(await judge.ask(question, never)).toMatchObject({
      passed: false,
      usage: { inputTokens: 20, outputTokens: 10 },
      votes: [{ attempts: 2 }],
    });
  });

  it('whose API fails gives no verdict', async () => {
    const broken = { status: 500, headers: { 'retry-after': '0' } };
    const { judge } = await startModelJudge(provider, () => broken);

    expect(await judge.ask(question, never)).toMatchObject({
      passed: null,
      reason: expect.stringContaining('HTTP 500'),
    });
  });

  it('whose API never answers is stopped', async () => {
    const stop = new AbortController();
    const { judge, model } = await startModelJudge(provider, () => ({ hang: true }));

    const asked = judge.ask({ ...question, votes: 2 }, stop.signal);
    await model.request(2);
    stop.abort();

    expect(await asked).toMatchObject({
      passed: null,
      reason: expect.stringContaining('stopped'),
      votes: [{ passed: null }, { passed: null }],
    });
    for (const { ended } of model.requests) expect(await ended).toBe('broken');
    expect(model.requests).toHaveLength(2);
  });
});

it('a call whose arguments are no JSON is invalid, although it never comes to the tool', async () => {
  const [openai] = providers;
  if (!openai) throw new Error('there are no providers');
  const toolCalls = [{ tool: 'submit_judgement', rawArgs: '{"passed": true, "reason": "x"' }];
  const { judge } = await startModelJudge(openai, ({ round }) =>
    round === 0 ? { toolCalls } : submitting(passing),
  );

  expect(await judge.ask(question, never)).toMatchObject({
    passed: null,
    reason: expect.stringContaining('the call came to an error'),
  });
});

it('a judge without a key is not asked again', async () => {
  const [openai] = providers;
  if (!openai) throw new Error('there are no providers');
  const keyless = {
    ...openai,
    agent: (url: string) => ({ ...openai.agent(url), environment: {} }),
  };
  const { judge, model } = await startModelJudge(keyless, []);

  expect(await judge.ask(question, never)).toMatchObject({
    passed: null,
    reason: expect.stringContaining('OPENAI_API_KEY'),
    votes: [{ attempts: 1 }],
  });
  expect(model.requests).toEqual([]);
});
