import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { McpClient } from '../../src/mcp/mcp-client.js';
import { failureOf } from '../support/mcp-failure.js';
import {
  everythingProgram,
  type HttpServer,
  serverProgram,
  startEverything,
  startFixture,
  stdioServer,
} from '../support/mcp-servers.js';
import { RunningProxy } from '../support/running-proxy.js';

const me = { name: 'proctor-test' };

let proxy: RunningProxy;
let everything: HttpServer;
let conformance: HttpServer;
let urls: Record<string, string>;
beforeAll(async () => {
  everything = await startEverything('streamableHttp');
  conformance = await startFixture('conformance-server.mjs');
  const stdio = (...args: string[]) => ({ ...stdioServer(...args), enableAllTools: true });
  proxy = await RunningProxy.startShared({
    'everything-stdio': stdio(everythingProgram),
    'everything-http': { url: everything.url, enableAllTools: true },
    'conformance-stdio': stdio(serverProgram('conformance-server.mjs'), '--stdio'),
    'conformance-http': { url: conformance.url, enableAllTools: true },
    paged: stdio(serverProgram('plain-server.mjs'), '--stdio'),
    hostile: stdio(serverProgram('hostile-stdio-server.mjs')),
    strict: stdio(serverProgram('strict-stdio-server.mjs')),
    gone: stdio(serverProgram('hostile-stdio-server.mjs'), 'exits-at-once'),
  });
  urls = {
    'everything over stdio through the proxy': proxy.url('everything-stdio'),
    'everything over HTTP through the proxy': proxy.url('everything-http'),
    'everything over HTTP': everything.url,
    'the conformance server over stdio through the proxy': proxy.url('conformance-stdio'),
    'the conformance server over HTTP through the proxy': proxy.url('conformance-http'),
    'the conformance server over HTTP': conformance.url,
  };
});
afterAll(async () => {
  await proxy?.end();
  await everything?.stop();
  await conformance?.stop();
});

describe.each([
  'everything over stdio through the proxy',
  'everything over HTTP through the proxy',
  'everything over HTTP',
])('a client of a server of the stateful era: %s', (which) => {
  it('lists everything, calls, reads and gets prompts', async () => {
    const client = await McpClient.connect(urls[which] ?? '', me);
    expect(client.protocolVersion).toBe('2025-11-25');
    expect(client.serverInfo).toMatchObject({ name: 'mcp-servers/everything' });
    const tools = await client.listTools();
    expect(tools).toContainEqual(
      expect.objectContaining({ name: 'echo', inputSchema: expect.anything() }),
    );
    expect(await client.listResources()).toHaveLength(7);
    expect(await client.listResourceTemplates()).toHaveLength(2);
    expect(await client.listPrompts()).toHaveLength(4);
    const args = { message: 'quotes " ` $(id) \n emoji 🎉' };
    expect(await client.callTool('echo', args)).toMatchObject({
      isError: false,
      text: `Echo: ${args.message}`,
      result: { content: [{ type: 'text' }] },
    });
    const { text } = await client.readResource('demo://resource/static/document/features.md');
    expect(text).toContain('# ');
    const prompt = await client.getPrompt('args-prompt', { city: 'Wien' });
    expect(prompt.text).toContain('Wien');
    await client.close();
  });
});

it('gets more tools when it says that it can do more', async () => {
  const capabilities = { roots: {}, sampling: {}, elicitation: {} };
  const client = await McpClient.connect(everything.url, { ...me, capabilities });
  const names = (await client.listTools()).map(({ name }) => name);
  expect(names).toContain('trigger-sampling-request');
  await client.close();
});

describe.each([
  'the conformance server over stdio through the proxy',
  'the conformance server over HTTP through the proxy',
  'the conformance server over HTTP',
])('a client of a server of the stateless era: %s', (which) => {
  it('lists everything, calls, reads and gets prompts', async () => {
    const client = await McpClient.connect(urls[which] ?? '', me);
    expect(client.protocolVersion).toBe('2026-07-28');
    expect(client.serverInfo).toMatchObject({ name: 'conformance-fixture' });
    expect(await client.listResources()).toHaveLength(3);
    expect(await client.listResourceTemplates()).toHaveLength(1);
    expect(await client.listPrompts()).toHaveLength(5);
    expect(await client.callTool('test_simple_text', {})).toMatchObject({
      isError: false,
      text: 'This is a simple text response for testing.',
    });
    expect(await client.callTool('test_error_handling', {})).toMatchObject({
      isError: true,
      text: expect.stringContaining('error'),
      result: { isError: true },
    });
    expect(await client.callTool('test_tool_with_progress', {})).toMatchObject({ isError: false });
    expect(await client.readResource('test://template/7/data')).toMatchObject({ isError: false });
    const args = { arg1: 'é', arg2: '2' };
    const prompt = await client.getPrompt('test_prompt_with_arguments', args);
    expect(prompt.text).toContain("'é'");
    await client.close();
  });

  it('repeats arguments in headers where the list of tools asks for it', async () => {
    const client = await McpClient.connect(urls[which] ?? '', me);
    expect(client.needsToolList).toBe(true);
    await client.listTools();
    const args = { region: 'Zürich' };
    const outcome = await client.callTool('test_header_parameter', args);
    expect(outcome).toMatchObject({ isError: false, text: expect.stringContaining('Zürich') });
    await client.close();
  });

  it('tells errors of the protocol as outcomes', async () => {
    const client = await McpClient.connect(urls[which] ?? '', me);
    const outcomes = [
      await client.callTool('no-such-tool', {}),
      await client.readResource('test://nothing'),
      await client.getPrompt('no-such-prompt', undefined),
    ];
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ isError: true, error: { code: expect.any(Number) } });
      expect(outcome.text).toBe(outcome.error?.message);
    }
    await client.close();
  });

  it('has no roots to give, and says honestly that it cannot give what a user would', async () => {
    const client = await McpClient.connect(urls[which] ?? '', {
      ...me,
      capabilities: { elicitation: {}, roots: {} },
    });
    const roots = await client.callTool('test_input_required_result_list_roots', {});
    expect(roots).toMatchObject({ isError: false, text: 'Roots: ' });
    const outcome = await client.callTool('test_input_required_result_elicitation', {});
    expect(outcome).toMatchObject({
      isError: true,
      text: 'The server asks for input that cannot be given here (elicitation/create).',
    });
    await client.close();
  });
});

it('reads all pages of a list', async () => {
  const client = await McpClient.connect(proxy.url('paged'), me);
  const names = (await client.listTools()).map(({ name }) => name);
  expect(names).toEqual(['note', 'called', 'hang', 'fail', 'more']);
  await client.close();
});

it('asks for nothing that was not asked for', async () => {
  const own = await RunningProxy.start({
    server: { ...stdioServer(everythingProgram), enableAllTools: true },
  });
  const client = await McpClient.connect(own.url('server'), me);
  expect(client.needsToolList).toBe(false);
  await client.callTool('echo', { message: 'hi' });
  await client.close();
  const { calls, messages } = await own.stop();
  expect(calls.filter(({ kind }) => kind !== 'other')).toMatchObject([
    { kind: 'tool', name: 'echo', isError: false },
  ]);
  const sent = messages.filter(({ direction }) => direction === 'to-server');
  expect(sent.map(({ message }) => message.value)).toMatchObject([
    { method: 'server/discover' },
    { method: 'initialize' },
    { method: 'notifications/initialized' },
    { method: 'tools/call' },
  ]);
});

describe('a server on stdio that misbehaves, behind the proxy', () => {
  it('may leave unanswered what it does not know', async () => {
    const client = await McpClient.connect(proxy.url('hostile'), { ...me, probeLimitMs: 100 });
    const outcome = await client.callTool('echo', { text: 'hi' });
    expect(outcome).toMatchObject({ isError: false, text: 'hi' });
    await client.close();
  });

  it('may end when something comes before initialize', async () => {
    const client = await McpClient.connect(proxy.url('strict'), me);
    const outcome = await client.callTool('echo', { text: 'hi' });
    expect(outcome).toMatchObject({ isError: false, text: 'hi' });
    await client.close();
  });

  it('may not even start', async () => {
    const error = await failureOf(McpClient.connect(proxy.url('gone'), me));
    expect(error.code).toBe('refused');
    expect(error.message).toContain('The server answered initialize with an error');
    expect(error.rpcError?.message).toContain('exited with code 3');
  });

  it('may end in the middle of a call', async () => {
    const client = await McpClient.connect(proxy.url('hostile'), { ...me, probeLimitMs: 100 });
    const outcome = await client.callTool('exit', {});
    expect(outcome).toMatchObject({ isError: true, error: { code: -32000 } });
    expect(outcome.text).toContain('exited with code 4');
    await client.close();
  });

  it('may be called off', async () => {
    const client = await McpClient.connect(proxy.url('hostile'), { ...me, probeLimitMs: 100 });
    const controller = new AbortController();
    const hanging = failureOf(client.callTool('never', {}, { signal: controller.signal }));
    while ((await client.callTool('unanswered', {})).text !== '1');
    controller.abort();
    expect(await hanging).toMatchObject({ code: 'aborted' });
    expect(await client.callTool('echo', { text: 'on' })).toMatchObject({ text: 'on' });
    await client.close();
  });

  it('may send a large number, or a result 30,000 levels deep', async () => {
    const client = await McpClient.connect(proxy.url('hostile'), { ...me, probeLimitMs: 100 });
    const say = (result: string) =>
      client.callTool('say', { line: `{"jsonrpc":"2.0","id":<ID>,"result":${result}}` });
    const large = await say('{"content":[],"structuredContent":{"id":12345678901234567890}}');
    expect(large.answerText).toContain('12345678901234567890');
    const deep = `${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}`;
    expect(await say(`{"content":[],"structuredContent":${deep}}`)).toMatchObject({
      isError: false,
      text: '[a value that is nested too deeply]',
    });
    await client.close();
  });
});
