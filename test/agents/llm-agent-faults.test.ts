import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentServer } from '../../src/agents/agent.js';
import { answerJson, ScriptedHttpServer } from '../../testing/scripted-http-server.js';
import { providers, runLlmAgent, secretKey } from '../support/llm-agent-run.js';
import { RunningProxy, stdioServer } from '../support/running-proxy.js';

let proxy: RunningProxy;
beforeAll(async () => {
  proxy = await RunningProxy.startShared({ plain: stdioServer('plain-server.mjs', ['--stdio']) });
});
afterAll(() => proxy.end());

const plain = (): AgentServer[] => [
  { name: 'plain', url: proxy.url('plain'), allowedTools: ['note'] },
];

/** Without waiting. */
const now = { 'retry-after': '0' };

const runs = providers.flatMap((provider) =>
  [false, true].map((stream) => ({ provider, name: provider.name, params: { stream } })),
);

describe.each(runs)('$name with $params', ({ provider, params }) => {
  it('asks again when the API has had enough, as it says', async () => {
    const { result, steps, model } = await runLlmAgent(
      provider,
      [{ status: 429, headers: now }, { status: 503, headers: now }, { text: 'At last.' }],
      { servers: plain(), params },
    );
    expect(result).toMatchObject({ end: 'finished', output: 'At last.' });
    expect(model.requests).toHaveLength(3);
    expect(steps.filter(({ kind }) => kind === 'log').length).toBeGreaterThanOrEqual(2);
  });

  it('gives up an API that fails five times', async () => {
    const { result, model } = await runLlmAgent(provider, () => ({ status: 500, headers: now }), {
      params,
    });
    const { host } = new URL(model.url);
    expect(result).toMatchObject({
      end: 'failed',
      failure: {
        code: 'failed',
        message: `the model API at ${host} failed (HTTP 500), 5 times`,
        details: expect.stringContaining('scripted 500'),
      },
    });
    expect(model.requests).toHaveLength(5);
  });

  it.each([400, 401, 403, 404, 422])('asks only once when it gets %i', async (status) => {
    const { result, model } = await runLlmAgent(provider, () => ({ status }), { params });
    expect(result.end).toBe('failed');
    expect(result.failure?.message).toContain(`HTTP ${status}`);
    expect(model.requests).toHaveLength(1);
  });

  it.each([
    { what: 'is no JSON', turn: { body: 'Bad gateway <html>' } },
    { what: 'is JSON of something else', turn: { body: '{"hello": 1}' } },
    { what: 'is empty', turn: { body: '' } },
    { what: 'breaks off', turn: { text: 'The answer is', cut: true as const } },
    { what: 'ends too early', turn: { text: 'The answer is', cut: 'clean' as const } },
  ])('asks three times for an answer that $what', async ({ turn }) => {
    const broken = await runLlmAgent(provider, () => turn, { params });
    expect(broken.result).toMatchObject({
      end: 'failed',
      output: '',
      failure: { message: 'the answer of the model m-1 could not be understood, 3 times' },
    });
    expect(broken.model.requests).toHaveLength(3);

    const script = [turn, turn, { text: 'Now.' }];
    const mended = await runLlmAgent(provider, script, { servers: plain(), params });
    expect(mended.result).toMatchObject({ end: 'finished', output: 'Now.' });
  });

  it('runs no tool of an answer that breaks off', async () => {
    const calls = ['first', 'second'].map((text) => ({ tool: 'note', args: { text } }));
    const { result, steps } = await runLlmAgent(
      provider,
      [{ toolCalls: calls, cut: true }, { text: 'Never mind.' }],
      { servers: plain(), params },
    );
    expect(result.end).toBe('finished');
    expect(steps.filter(({ kind }) => kind === 'tool-call')).toEqual([]);
  });

  it.each([true, 'midway'] as const)('stops while the model hangs: %s', async (hang) => {
    const stop = new AbortController();
    const { result, model } = await runLlmAgent(provider, () => ({ text: 'Wait', hang }), {
      params,
      signal: stop.signal,
      onModel: (server) => server.request(1).then(() => stop.abort()),
    });
    expect(result).toMatchObject({ end: 'stopped', output: '' });
    // Midway, it depends on the moment whether the model had begun to answer.
    if (hang === true) expect(result.failure?.message).toContain('did not answer in time');
    expect(await model.requests[0]?.ended).toBe('broken');
  });

  it('stops while a tool hangs, and keeps what it has', async () => {
    const stop = new AbortController();
    const tools = [{ name: 'hang', inputSchema: { type: 'object' } }];
    const protocolVersion = '2025-11-25';
    const mcp = await ScriptedHttpServer.listen({
      'POST initialize': ({ id, response }) =>
        answerJson(response, {
          jsonrpc: '2.0',
          id,
          result: { protocolVersion, capabilities: { tools: {} } },
        }),
      'POST tools/list': ({ id, response }) =>
        answerJson(response, { jsonrpc: '2.0', id, result: { tools } }),
      'POST tools/call': () => stop.abort(),
    });
    const { result, model } = await runLlmAgent(
      provider,
      [{ text: 'I wait.', toolCalls: [{ tool: 'hang' }], usage: { input: 7, output: 3 } }],
      {
        servers: [{ name: 'slow', url: mcp.url, allowedTools: ['hang'] }],
        params,
        signal: stop.signal,
      },
    );
    expect(result).toMatchObject({
      end: 'stopped',
      output: 'I wait.',
      usage: { inputTokens: 7, outputTokens: 3 },
    });
    expect(model.requests).toHaveLength(1);
  });
});

const [openai] = providers;
if (!openai) throw new Error('there are no providers');

it('stops while it waits for its next attempt', async () => {
  const stop = new AbortController();
  const headers = { 'retry-after': '100' };
  const { result, steps } = await runLlmAgent(openai, () => ({ status: 429, headers }), {
    signal: stop.signal,
    onStep: () => stop.abort(),
  });
  expect(result.end).toBe('stopped');
  expect(steps).toMatchObject([{ kind: 'log', text: expect.stringContaining('in 100000 ms') }]);
});

it('does not begin when it is stopped already', async () => {
  const { result, model } = await runLlmAgent(openai, [], {
    servers: plain(),
    signal: AbortSignal.abort(),
  });
  expect(result).toEqual({ end: 'stopped', output: '' });
  expect(model.requests).toEqual([]);
});

it('does not wait longer than a task can', async () => {
  const headers = { 'retry-after': '3600' };
  const { result, model } = await runLlmAgent(openai, () => ({ status: 429, headers }));
  expect(result.failure?.message).toContain('asks to wait 3600 s');
  expect(model.requests).toHaveLength(1);
});

it('does not wait for an account without money', async () => {
  const body = '{"error":{"message":"pay","code":"insufficient_quota"}}';
  const turn = { status: 429, body, headers: now };
  const { model } = await runLlmAgent(openai, () => turn);
  expect(model.requests).toHaveLength(1);
});

it('names the variable of a key that is not accepted, and never the key', async () => {
  const body = `{"error":{"message":"Incorrect API key provided: ${secretKey}"}}`;
  const { result } = await runLlmAgent(openai, () => ({ status: 401, body }));
  expect(result.failure?.message).toContain('did not accept the key in OPENAI_API_KEY');
  expect(result.failure?.details).toContain('provided: [redacted:OPENAI_API_KEY]');
});

it('follows no redirect, which would take the key along', async () => {
  const headers = { location: 'http://127.0.0.1:9/v1/chat/completions' };
  const { result, model } = await runLlmAgent(openai, () => ({ status: 307, headers }));
  expect(result.failure?.message).toContain('HTTP 307');
  expect(model.requests).toHaveLength(1);
});

it('fails when the model calls tools without an end', async () => {
  const { result, model } = await runLlmAgent(
    openai,
    ({ round }) => ({ text: `step ${round}`, toolCalls: [{ tool: 'note' }] }),
    { servers: plain(), params: { maxSteps: 3 } },
  );
  expect(result).toMatchObject({
    end: 'failed',
    output: 'step 2',
    usage: { inputTokens: 30, outputTokens: 15 },
    failure: { message: expect.stringContaining('the limit of 3 steps') },
  });
  expect(model.requests).toHaveLength(3);
});

it('fails when the model says nothing at all', async () => {
  const { result } = await runLlmAgent(openai, () => ({ text: '' }));
  expect(result.failure?.message).toBe('the model gave no answer and called no tool');
});

it('finishes when the model has worked and says nothing', async () => {
  const turns = [{ text: 'I note.', toolCalls: [{ tool: 'note' }] }, { text: '' }];
  const { result } = await runLlmAgent(openai, turns, { servers: plain() });
  expect(result).toMatchObject({ end: 'finished', output: 'I note.' });
});

it.each([
  { finish: 'length', message: 'the model ran out of output tokens before it had answered' },
  { finish: 'content_filter', message: "a content filter stopped the model's answer" },
])('fails when the answer ends with $finish', async ({ finish, message }) => {
  const choice = { index: 0, message: { content: 'So' }, finish_reason: finish };
  const { result } = await runLlmAgent(openai, () => ({
    body: JSON.stringify({ choices: [choice] }),
  }));
  expect(result).toMatchObject({ end: 'failed', output: 'So', failure: { message } });
});

it('asks no model when a server cannot be used', async () => {
  const url = 'http://127.0.0.1:9/mcp';
  const { result, model } = await runLlmAgent(openai, [], {
    servers: [...plain(), { name: 'dead', url, allowedTools: ['x'] }],
  });
  expect(result).toMatchObject({
    end: 'failed',
    failure: { code: 'not-started', message: expect.stringContaining('MCP server dead') },
    unusableServers: [{ name: 'dead' }],
  });
  expect(model.requests).toEqual([]);
});

it('says that a server was of no use when the connection broke in a call', async () => {
  const mcp = await ScriptedHttpServer.listen({
    'POST initialize': ({ id, response }) => {
      const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} } };
      answerJson(response, { jsonrpc: '2.0', id, result });
    },
    'POST tools/list': ({ id, response }) => {
      const tools = [{ name: 'break', inputSchema: { type: 'object' } }];
      answerJson(response, { jsonrpc: '2.0', id, result: { tools } });
    },
    'POST tools/call': ({ response }) => void response.destroy(),
  });
  const { result } = await runLlmAgent(
    openai,
    [{ toolCalls: [{ tool: 'break' }, { tool: 'break' }] }, { text: 'Done.' }],
    { servers: [{ name: 'frail', url: mcp.url, allowedTools: ['break'] }] },
  );
  expect(result).toMatchObject({ end: 'finished', output: 'Done.' });
  expect(result.unusableServers).toEqual([
    { name: 'frail', status: expect.stringContaining('The connection to the server failed') },
  ]);
});
