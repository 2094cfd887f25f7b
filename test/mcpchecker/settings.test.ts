import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { fixtures } from '../support/cli.js';
import { submitting } from '../support/model-judge.js';
import { ModelServer } from '../support/model-server/model-server.js';
import type { Script } from '../support/model-server/turn.js';
import { it } from '../support/scratch-suite.js';
import { callTelling, scripted } from '../support/suite-parts.js';

const passing = { passed: true, reason: 'It says done.' };
const judged = { spec: { verify: [{ llmJudge: { contains: 'done' } }] } };

async function startModel(script: Script): Promise<ModelServer> {
  const model = await ModelServer.start(script);
  onTestFinished(() => model.close());
  return model;
}

describe('the judge whose kind a variable holds', () => {
  const variables = {
    baseUrlKey: 'JUDGE_URL',
    apiKeyKey: 'JUDGE_KEY',
    modelNameKey: 'JUDGE_MODEL',
  };
  const config = { llmJudge: { env: { typeKey: 'JUDGE_TYPE', ...variables } } };

  it.for([undefined, 'openai'])('is a model if it holds %s', async (type, { makeSuite }) => {
    const suite = await makeSuite({ tasks: { a: judged }, config });
    const model = await startModel([submitting(passing)]);
    const { exitCode, stdout, stderr, results } = await suite.check([], {
      ...(type !== undefined && { JUDGE_TYPE: type }),
      ...{ JUDGE_URL: `${model.url}/v1`, JUDGE_KEY: 'key', JUDGE_MODEL: 'judge-1' },
    });
    expect(exitCode, stdout + stderr).toBe(0);
    expect(results).toMatchObject({ judge: { type: 'openai-agent', model: 'judge-1' } });
    expect(model.requests).toMatchObject([{ api: 'openai-chat', model: 'judge-1' }]);
  });

  it('is Claude Code if it holds claude, and needs no other variable', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks: { a: judged },
      config: { llmJudge: { env: { typeKey: 'JUDGE_TYPE' } } },
    });
    const play = [{ call: 'judge/submit_judgement', args: passing }, { say: 'passed' }];
    await writeFile(suite.path('plays.json'), JSON.stringify({ done: play }));
    const programs = path.join(fixtures, 'agents/players/bin');
    const { exitCode, stdout, stderr, results } = await suite.check([], {
      PATH: `${programs}:${process.env.PATH}`,
      PLAY: suite.path('plays.json'),
      JUDGE_TYPE: 'claude',
    });
    expect(exitCode, stdout + stderr).toBe(0);
    expect(results).toMatchObject({ judge: { type: 'claude-code' } });
  });

  it('is refused before anything runs if it holds something else', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks: { a: judged }, config });
    const { exitCode, stdout, stderr } = await suite.check([], { JUDGE_TYPE: 'oracle' });
    expect(exitCode).toBe(2);
    expect(stdout + stderr).toContain(
      'the variable JUDGE_TYPE holds "oracle": expected openai or claude',
    );
  });

  it('needs the variables of a model if it holds none', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks: { a: judged },
      config: { llmJudge: { env: { typeKey: 'JUDGE_TYPE', apiKeyKey: 'JUDGE_KEY' } } },
    });
    const { exitCode, stdout, stderr } = await suite.check([], { JUDGE_KEY: 'key' });
    expect(exitCode).toBe(2);
    expect(stdout + stderr).toContain('baseUrlKey is required for a judge of type openai');
    expect(stdout + stderr).toContain('modelNameKey is required for a judge of type openai');
  });
});

describe('an eval', () => {
  const calls: Script = [
    { toolCalls: [{ tool: 'echo', args: { text: 'hello' } }] },
    { text: 'done' },
  ];

  it.for([
    ['chat', undefined, 'gpt-5-mini', 'openai-chat'],
    ['Responses', true, 'gpt-5-mini', 'openai-responses'],
    ['Responses, for a model that needs it,', undefined, 'gpt-5.6-terra', 'openai-responses'],
    ['Responses, for a later one,', undefined, 'gpt-6-luna', 'openai-responses'],
    ['chat, as it says so,', false, 'gpt-5.6', 'openai-chat'],
  ] as const)(
    'names its agent without a prefix, and asks its model over the %s API',
    async ([, useResponsesAPI, id, api], { makeSuite }) => {
      const agent = { type: 'llm-agent', model: `openai:${id}`, useResponsesAPI };
      const suite = await makeSuite({ tasks: { a: {} }, config: { agent } });
      const model = await startModel(calls);
      const { exitCode, stdout, stderr, taskRuns } = await suite.check([], {
        OPENAI_API_KEY: 'key',
        OPENAI_BASE_URL: `${model.url}/v1`,
      });
      expect(exitCode, stdout + stderr).toBe(0);
      expect(taskRuns).toMatchObject([{ output: 'done', calls: [{ name: 'echo' }] }]);
      expect(model.requests.map((request) => request.api)).toEqual([api, api]);
      // The second question has the first call in it: nothing is left with the API.
      expect(model.requests[1]?.body).toContain('hello');
      expect(model.requests[1]?.body).not.toContain('item_reference');
    },
  );

  it('has a judge that is asked over the Responses API', async ({ makeSuite }) => {
    const ref = { type: 'openai-agent', model: 'judge-1', useResponsesAPI: true };
    const suite = await makeSuite({
      tasks: { a: judged },
      agent: scripted(callTelling('pid'), { say: 'done' }),
      config: { llmJudge: { ref } },
    });
    const model = await startModel([submitting(passing)]);
    const { exitCode, stdout, stderr } = await suite.check([], {
      MODEL_KEY: 'key',
      MODEL_BASE_URL: `${model.url}/v1`,
    });
    expect(exitCode, stdout + stderr).toBe(0);
    expect(model.requests).toMatchObject([{ api: 'openai-responses', model: 'judge-1' }]);
  });
});
