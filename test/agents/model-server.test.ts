import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import {
  dynamicTool,
  generateText,
  jsonSchema,
  type LanguageModel,
  stepCountIs,
  streamText,
} from 'ai';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ApiName } from '../support/model-server/model-api.js';
import { ModelServer } from '../support/model-server/model-server.js';
import type { Script } from '../support/model-server/turn.js';

const apiKey = 'key';

const models: Record<ApiName, (url: string) => LanguageModel> = {
  'openai-chat': (url) => createOpenAI({ apiKey, baseURL: `${url}/v1` }).chat('m'),
  'openai-responses': (url) => createOpenAI({ apiKey, baseURL: `${url}/v1` }).responses('m'),
  anthropic: (url) => createAnthropic({ apiKey, baseURL: `${url}/v1` })('m'),
  google: (url) => createGoogleGenerativeAI({ apiKey, baseURL: `${url}/v1beta` })('m'),
};

const tools = {
  mcp__everything__get_sum: dynamicTool({
    description: 'Adds',
    inputSchema: jsonSchema({ type: 'object' }),
    execute: async (args) => `got ${JSON.stringify(args)}`,
  }),
};

async function start(script: Script): Promise<ModelServer> {
  const server = await ModelServer.start(script);
  onTestFinished(() => server.close());
  return server;
}

describe.each(Object.entries(models))('the scripted model server as %s', (api, model) => {
  test.each([false, true])('is understood by the SDK, streaming: %s', async (isStream) => {
    const call = (a: number) => ({ tool: 'get-sum', args: { a, b: 'é"\\' } });
    const server = await start([
      { text: 'Let me see.', thinking: 'Hm.', toolCalls: [call(1), call(2)] },
      { text: 'All done.', usage: { input: 30, output: 20, cached: 7, reasoning: 0 } },
    ]);
    const options = {
      model: model(server.url),
      system: 'Be kind.',
      prompt: 'Add them.',
      tools,
      stopWhen: stepCountIs(5),
    };
    const result = isStream ? streamText(options) : await generateText(options);
    const [first, last] = await result.steps;

    expect(first?.text).toBe('Let me see.');
    expect(first?.toolResults.map(({ output }) => output)).toEqual(
      [1, 2].map((a) => `got ${JSON.stringify({ a, b: 'é"\\' })}`),
    );
    expect(last?.text).toBe('All done.');
    expect(await result.totalUsage).toMatchObject({ inputTokens: 40, outputTokens: 25 });
    expect(last?.usage.inputTokenDetails.cacheReadTokens).toBe(7);
    expect(server.requests.map(({ api, round }) => ({ api, round }))).toEqual([
      { api, round: 0 },
      { api, round: 1 },
    ]);
    const [question, second] = server.requests;
    expect(question).toMatchObject({ model: 'm', isStream, prompt: 'Add them.' });
    expect(question?.messages[0]).toEqual({ role: 'system', text: 'Be kind.' });
    expect(question?.tools.map(({ name }) => name)).toEqual(['mcp__everything__get_sum']);
    expect(second?.toolResults).toHaveLength(2);
    expect(second?.toolResults[1]?.text).toContain('got');
  });
});

test('a request that offers no tools does not advance the script', async () => {
  const server = await start([{ text: 'first' }]);
  const model = models['openai-chat'](server.url);
  const title = await generateText({ model, prompt: 'A title, please.' });
  const answer = await generateText({ model, prompt: 'Work.', tools });
  expect([title.text, answer.text]).toEqual(['Done.', 'first']);
});

test('a fault is used up by one request, and the conversation goes on', async () => {
  const server = await start([{ status: 500 }, { cut: true }, { text: 'at last' }]);
  const model = models['openai-chat'](server.url);
  const ask = () => generateText({ model, prompt: 'Work.', tools, maxRetries: 0 });
  await expect(ask()).rejects.toThrow('scripted 500');
  await expect(ask()).rejects.toThrow();
  expect((await ask()).text).toBe('at last');
});

test('a tool that is not offered is a mistake of the script, and said', async () => {
  const server = await start([{ toolCalls: [{ tool: 'fly' }] }]);
  const model = models['openai-chat'](server.url);
  const answer = generateText({ model, prompt: 'Work.', tools });
  await expect(answer).rejects.toThrow('offered are: mcp__everything__get_sum');
});
