import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentServer } from '../../src/agents/agent.js';
import { answerJson, ScriptedHttpServer } from '../../testing/scripted-http-server.js';
import { providers, runLlmAgent, secretKey } from '../support/llm-agent-run.js';
import { everythingProgram } from '../support/mcp-servers.js';
import { RunningProxy, stdioServer } from '../support/running-proxy.js';

const mcpServers = {
  everything: { command: process.execPath, args: [everythingProgram], enableAllTools: true },
  plain: stdioServer('plain-server.mjs', ['--stdio']),
};

let proxy: RunningProxy;
beforeAll(async () => {
  proxy = await RunningProxy.startShared(mcpServers);
});
afterAll(() => proxy.end());

const serversOf = (from: RunningProxy): AgentServer[] => [
  { name: 'everything', url: from.url('everything'), allowedTools: ['echo', 'get-sum'] },
  { name: 'plain', url: from.url('plain'), allowedTools: ['note', 'fail'] },
];

const runs = providers.flatMap((provider) =>
  [false, true].map((stream) => ({ provider, name: provider.name, stream })),
);

describe.each(runs)('$name, streaming: $stream', ({ provider, stream }) => {
  const params = { stream };

  it('calls tools until the model has its answer', async () => {
    const { result, steps, model } = await runLlmAgent(
      provider,
      [
        {
          text: 'I add.',
          toolCalls: [{ tool: 'get-sum', args: { a: 2, b: 3 } }],
          usage: { input: 100, output: 20, cached: 30 },
        },
        {
          toolCalls: [{ tool: 'echo', args: { message: 'é "x" \n $(id)' } }],
          usage: { input: 200, output: 10, cached: 70 },
        },
        { text: 'It is 5.', usage: { input: 300, output: 5 } },
      ],
      { servers: serversOf(proxy), params },
    );

    expect(result).toMatchObject({
      end: 'finished',
      output: 'It is 5.',
      // Google does not say which model answered.
      ...(provider.name !== 'google' && { model: 'm-1' }),
      usage: { inputTokens: 600, outputTokens: 35, cachedInputTokens: 100 },
    });
    expect(steps).toMatchObject([
      ...(provider.name === 'anthropic' ? [{ kind: 'log' }] : []),
      { kind: 'message', text: 'I add.' },
      { kind: 'tool-call', tool: 'get-sum', args: { text: '{"a":2,"b":3}' } },
      { kind: 'tool-result', isError: false, text: 'The sum of 2 and 3 is 5.' },
      { kind: 'tool-call', tool: 'echo' },
      { kind: 'tool-result', isError: false, text: 'Echo: é "x" \n $(id)' },
      { kind: 'message', text: 'It is 5.' },
    ]);
    const [first, , last] = model.requests;
    expect(model.requests.map(({ api, isStream }) => ({ api, isStream }))).toEqual(
      Array.from({ length: 3 }, () => ({ api: provider.api, isStream: stream })),
    );
    expect(first?.tools.map(({ name }) => name)).toEqual([
      'echo',
      'get-sum',
      'note',
      'fail',
      'read_resource',
      'get_prompt',
    ]);
    expect(last?.toolResults.map(({ text }) => text)).toEqual([
      expect.stringContaining('The sum of 2 and 3 is 5.'),
      expect.stringContaining('Echo: é'),
    ]);
  });

  it('makes all calls of one answer', async () => {
    const { result, model } = await runLlmAgent(
      provider,
      [
        { toolCalls: [1, 2, 3].map((a) => ({ tool: 'get-sum', args: { a, b: 0 } })) },
        { text: 'Done.' },
      ],
      { servers: serversOf(proxy), params },
    );
    expect(result.end).toBe('finished');
    expect(model.requests[1]?.toolResults.map(({ text }) => text)).toEqual(
      [1, 2, 3].map((a) => expect.stringContaining(`The sum of ${a} and 0 is ${a}.`)),
    );
  });

  it('tells the model about its mistakes, and goes on', async () => {
    const { result, steps, model } = await runLlmAgent(
      provider,
      [
        {
          toolCalls: [
            { tool: 'fail', args: { why: 'because' } },
            { name: 'fly', args: {} },
            { tool: 'echo', args: { wrong: 1 } },
          ],
        },
        { text: 'Sorry.' },
      ],
      { servers: serversOf(proxy), params },
    );
    expect(result).toMatchObject({ end: 'finished', output: 'Sorry.' });
    const results = steps.filter(({ kind }) => kind === 'tool-result');
    expect(results).toHaveLength(3);
    expect(results.every((step) => 'isError' in step && step.isError)).toBe(true);
    const told = model.requests[1]?.toolResults ?? [];
    expect(told.map(({ text }) => text)).toEqual([
      expect.stringContaining('because'),
      expect.stringMatching(/there is no tool .*fly.*; there are: echo, get-sum/),
      expect.stringContaining('message'),
    ]);
    if (provider.api === 'anthropic') expect(told.every(({ isError }) => isError)).toBe(true);
  });

  it('reports thoughts apart from messages', async () => {
    const { result, steps } = await runLlmAgent(
      provider,
      () => ({ thinking: 'Let me think.', text: 'Yes.', usage: { output: 9, reasoning: 4 } }),
      { params },
    );
    expect(result).toMatchObject({ end: 'finished', output: 'Yes.' });
    expect(steps).toContainEqual({ kind: 'message', text: 'Yes.' });
    // OpenAI keeps the thoughts of its models to itself.
    if (provider.name === 'openai') return;
    expect(steps).toContainEqual({ kind: 'thinking', text: 'Let me think.' });
  });

  it('hands over the prompt unchanged, whatever it contains', async () => {
    const hostile = `"'\`$(touch x)\`\\ \n\r\t\u0000 {{ .Prompt }} ${'🦄é'.repeat(60_000)} end`;
    const { model } = await runLlmAgent(provider, () => ({ text: 'ok' }), {
      prompt: hostile,
      params: { ...params, system: 'Be "brief".', temperature: 0.5 },
    });
    const [request] = model.requests;
    expect(Buffer.byteLength(hostile)).toBeGreaterThan(200_000);
    expect(request?.prompt === hostile).toBe(true);
    expect(request?.messages[0]).toEqual({ role: 'system', text: 'Be "brief".' });
    expect(request?.body).toMatch(/"temperature":0\.5/);
  });
});

describe.each(providers)('$name', (provider) => {
  it('sends the key to the model, and shows it to nobody', async () => {
    const { result, steps, model } = await runLlmAgent(provider, () => ({ status: 401 }));
    const { headers = {}, path = '' } = model.requests[0] ?? {};
    const isSent = JSON.stringify([headers, path]).includes(secretKey);
    expect(isSent).toBe(provider.name !== 'openai-compatible');
    expect(JSON.stringify([result, steps])).not.toContain(secretKey);
  });
});

const [openai] = providers;
if (!openai) throw new Error('there are no providers');

describe('the calls of an LLM agent', () => {
  it('are in the record, with resources and prompts', async () => {
    const own = await RunningProxy.start({ everything: mcpServers.everything });
    const servers = [{ name: 'everything', url: own.url('everything'), allowedTools: ['echo'] }];
    const uri = 'demo://resource/static/document/features.md';
    const { result, steps } = await runLlmAgent(
      openai,
      [
        { toolCalls: [{ tool: 'read_resource', args: { uri } }] },
        { toolCalls: [{ tool: 'get_prompt', args: { name: 'simple-prompt' } }] },
        { toolCalls: [{ tool: 'echo', rawArgs: '{"message": "x", "big": 12345678901234567890}' }] },
        { text: 'Done.' },
      ],
      { servers },
    );
    expect(result.end).toBe('finished');
    expect(steps.filter((step) => 'isError' in step && step.isError)).toEqual([]);
    const record = await own.stop();
    const calls = record.calls.filter(({ kind }) => kind !== 'other');
    expect(calls.map(({ kind, name }) => ({ kind, name }))).toEqual([
      { kind: 'resource', name: uri },
      { kind: 'prompt', name: 'simple-prompt' },
      { kind: 'tool', name: 'echo' },
    ]);
    expect(calls[2]?.args?.text).toContain('12345678901234567890');
  });

  it('have names of their own where two servers have the same tool', async () => {
    const url = proxy.url('plain');
    const servers = ['one', 'two'].map((name) => ({ name, url, allowedTools: ['note'] }));
    const { result, model } = await runLlmAgent(
      openai,
      [{ toolCalls: [{ name: 'two__note', args: { a: 1 } }] }, { text: 'Done.' }],
      { servers },
    );
    expect(result.end).toBe('finished');
    expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(['one__note', 'two__note']);
    expect(model.requests[1]?.toolResults[0]?.text).toBe('{"a":1}');
  });

  it('may be broken JSON, too deep, or no object, which the model is told', async () => {
    const deep = `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`;
    const { result, model } = await runLlmAgent(
      openai,
      [
        { toolCalls: ['{"mess', deep, '[1]', ''].map((rawArgs) => ({ tool: 'note', rawArgs })) },
        { text: 'Done.' },
      ],
      { servers: serversOf(proxy) },
    );
    expect(result.end).toBe('finished');
    expect(model.requests[1]?.toolResults.map(({ text }) => text)).toEqual([
      'the arguments are not valid JSON: {"mess',
      'the arguments are nested too deeply',
      'the arguments have to be a JSON object',
      '{}',
    ]);
  });

  it('are a hundred at once, and not more', async () => {
    const toolCalls = Array.from({ length: 102 }, () => ({ tool: 'note' }));
    const turns = [{ toolCalls }, { text: 'Done.' }];
    const { steps } = await runLlmAgent(openai, turns, { servers: serversOf(proxy) });
    const results = steps.filter((step) => step.kind === 'tool-result');
    expect(results).toHaveLength(102);
    expect(results.filter(({ isError }) => isError).map(({ text }) => text)).toEqual([
      'only 100 calls are made at once',
      'only 100 calls are made at once',
    ]);
  });

  it('of resources and prompts need names', async () => {
    const wrong = [
      { tool: 'read_resource', args: { uri: 1 } },
      { tool: 'get_prompt', args: { name: 'simple-prompt', arguments: { city: 1 } } },
    ];
    const { steps } = await runLlmAgent(openai, [{ toolCalls: wrong }, { text: 'Done.' }], {
      servers: serversOf(proxy),
    });
    expect(steps.filter(({ kind }) => kind === 'tool-result')).toMatchObject([
      { isError: true, text: 'uri has to be a text' },
      { isError: true, text: 'name has to be a text, and arguments an object of texts' },
    ]);
  });

  it('may be of a tool with a schema that no API would take', async () => {
    const deep = `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`;
    const tools = `[{"name":"deep","inputSchema":${deep}},{"name":"odd","inputSchema":[]}]`;
    const result = '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}}}';
    const mcp = await ScriptedHttpServer.listen({
      'POST initialize': ({ id, response }) =>
        answerJson(response, `{"jsonrpc":"2.0","id":${id},"result":${result}}`),
      'POST tools/list': ({ id, response }) =>
        answerJson(response, `{"jsonrpc":"2.0","id":${id},"result":{"tools":${tools}}}`),
      'POST tools/call': ({ id, response }) =>
        answerJson(response, {
          jsonrpc: '2.0',
          id,
          result: { content: [{ type: 'image', data: 'AA', mimeType: 'image/png' }] },
        }),
    });
    const turns = [{ toolCalls: [{ tool: 'deep', args: { a: 1 } }] }, { text: 'Done.' }];
    const { result: end, model } = await runLlmAgent(openai, turns, {
      servers: [{ name: 'odd', url: mcp.url, allowedTools: ['deep', 'odd'] }],
    });
    expect(end.end).toBe('finished');
    expect(model.requests[0]?.tools.map(({ schema }) => schema)).toEqual([
      { type: 'object' },
      { type: 'object' },
    ]);
    expect(model.requests[1]?.toolResults[0]?.text).toBe('[image image/png]');
  });
});
