import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ClientKind, connect } from '../../testing/mcp-clients.js';
import { startModernServer } from '../fixtures/servers/bridge-modern-server.js';
import { AgentSession } from '../support/agent-session.js';
import { startHarness } from '../support/harness-run.js';
import { everythingProgram, startEverything } from '../support/mcp-servers.js';
import { startProxy } from '../support/recording-proxy.js';
import { stdioServer } from '../support/running-proxy.js';

/** Of the programs of the fixtures. */
const program = (name: string, more: object = {}) => stdioServer(name, [], more);

const everything = {
  command: process.execPath,
  args: [everythingProgram],
  enableAllTools: true,
};

describe('a step that calls a tool', () => {
  it.each(['task', 'run'] as const)(
    'works on the process of the agent (scope %s)',
    async (scope) => {
      const started = await startProxy();
      const run = startHarness('stdio', program('hostile-stdio-server.mjs', { scope }), started);
      const pid = await run.text('pid');
      const agent = await AgentSession.open(run.agentUrl);
      expect(await agent.text('pid')).toBe(pid);
      expect(await run.text('pid')).toBe(pid);
      await run.proxied.endAgent();
      expect(await run.text('pid')).toBe(pid);
      await run.close();

      const tools = run.calls.filter(({ kind }) => kind === 'tool');
      expect(tools.map(({ by }) => by)).toEqual(['harness', undefined, 'harness', 'harness']);
      const isAlive = () => process.kill(Number(pid), 0);
      if (scope === 'task') expect(isAlive).toThrow('ESRCH');
      else expect(isAlive()).toBe(true);
    },
  );

  it('shares a server of scope `run` with the steps of other task runs', async () => {
    const started = await startProxy();
    const data = program('hostile-stdio-server.mjs', { scope: 'run' });
    const first = startHarness('stdio', data, started, 'first');
    const second = startHarness('stdio', data, started, 'second');
    expect(await first.text('pid')).toBe(await second.text('pid'));
    await first.close();
    expect(await second.text('echo', { text: 'still there' })).toBe('still there');
  });

  it('has one process of its own where each session of the agent has one', async () => {
    const started = await startProxy();
    const data = program('hostile-stdio-server.mjs', { scope: 'session' });
    const run = startHarness('stdio', data, started);
    const pid = await run.text('pid');
    const agent = await AgentSession.open(run.agentUrl);
    expect(await agent.text('pid')).not.toBe(pid);
    await run.clients.close();
    // A session of its own again, on the same process.
    expect(await run.text('pid')).toBe(pid);
    await run.proxied.endAgent();
    expect(await run.text('pid')).toBe(pid);
    await run.close();
    expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH');
  });

  it.each(['streamableHttp', 'sse'] as const)('has a session of its own over %s', async (mode) => {
    const server = await startEverything(mode);
    onTestFinished(() => server.stop());
    const data = { url: server.url, enableAllTools: true };
    const started = await startProxy();
    const run = startHarness(mode === 'sse' ? 'sse' : 'http', data, started);
    expect(await run.text('echo', { message: 'before' })).toBe('Echo: before');
    const agent = await connect('v1', { url: run.agentUrl });
    await agent.callTool('echo', { message: 'agent' });
    await agent.client.close();
    await run.proxied.endAgent();
    expect(await run.text('echo', { message: 'after' })).toBe('Echo: after');
    await run.close();
    const tools = run.calls.filter(({ kind }) => kind === 'tool');
    expect(tools.map(({ by, session }) => [by, session])).toEqual([
      ['harness', 1],
      [undefined, 2],
      ['harness', 1],
    ]);
    expect(run.warnings).toEqual([]);
  });

  it('may call what the agent may not', async () => {
    const data = program('hostile-stdio-server.mjs', { enableAllTools: false, alwaysAllow: [] });
    const run = startHarness('stdio', data, await startProxy());
    expect(await run.text('echo', { text: 'done' })).toBe('done');
    const agent = await AgentSession.open(run.agentUrl);
    expect((await agent.call('echo')).answer?.result).toMatchObject({ isError: true });
    await run.close();
    const tools = run.calls.filter(({ kind }) => kind === 'tool');
    expect(tools.map(({ by, blocked }) => [by, blocked])).toEqual([
      ['harness', undefined],
      [undefined, true],
    ]);
  });

  it('is told from the agent in every line of the record, and has no numbers', async () => {
    const run = startHarness('stdio', program('telling-stdio-server.mjs'), await startProxy());
    await run.text('echo', { text: 'before' });
    const agent = await AgentSession.open(run.agentUrl);
    await agent.text('echo', { text: 'by the agent' });
    await run.proxied.endAgent();
    await run.text('echo', { text: 'after' });
    await run.close();
    const numbered = run.calls.filter(({ call }) => call !== undefined);
    expect(numbered.map(({ by, name, call }) => [by, name, call])).toEqual([
      [undefined, 'echo', 1],
    ]);
    for (const { by, session, taskRun } of [...run.calls, ...run.messages]) {
      expect(session).toBe(by === 'harness' ? 1 : 2);
      expect(taskRun).toBe('run');
    }
    const agents = run.messages.filter(({ by }) => by === undefined);
    expect(agents.map(({ message }) => message.text).join()).not.toMatch(/before|after/);
  });

  it('leaves a server that is told once who its client is fit for any agent', async () => {
    const run = startHarness('stdio', program('remembering-stdio-server.mjs'), await startProxy());
    await run.text('one');
    const agent = await AgentSession.open(run.agentUrl);
    await agent.text('two');
    const received = JSON.parse(await run.text('received')).map(JSON.parse);
    const methods = received.map(({ method }: { method: string }) => method);
    expect(methods).toEqual([
      'initialize',
      'notifications/initialized',
      ...['tools/call', 'tools/call', 'tools/call'],
    ]);
    expect(received[0].params).toMatchObject({
      protocolVersion: '2025-06-18',
      capabilities: { roots: {}, sampling: {}, elicitation: {} },
    });
  });

  it.each<ClientKind>(['v1', 'v2 legacy', 'v2 automatic'])(
    'does not change what an agent is offered after it (%s)',
    async (kind) => {
      const started = await startProxy();
      const after = startHarness('stdio', everything, started);
      const without = startHarness('stdio', everything, started, 'other');
      await after.text('echo', { message: 'first' });
      const lists: string[][] = [];
      for (const { agentUrl } of [after, without]) {
        const { client } = await connect(kind, { url: agentUrl });
        lists.push((await client.listTools()).tools.map(({ name }) => name));
        await client.close();
      }
      expect(lists[0]).toEqual(lists[1]);
      expect(lists[0]).toContain('get-roots-list');
    },
  );

  it.each<ClientKind>(['v1', 'v2 legacy', 'v2 automatic', 'v2 modern'])(
    'speaks the era in which the agent has begun (%s)',
    async (kind) => {
      const data = stdioServer('conformance-server.mjs', ['--stdio']);
      const run = startHarness('stdio', data, await startProxy());
      const { client, callTool } = await connect(kind, { url: run.agentUrl });
      await callTool('test_simple_text');
      await client.close();
      await run.proxied.endAgent();
      expect(await run.text('test_simple_text')).toContain('simple text');
    },
  );

  it.each<ClientKind>(['v1', 'v2 legacy', 'v2 automatic'])(
    'leaves a server of both eras to an agent that knows the stateful one (%s)',
    async (kind) => {
      const data = stdioServer('conformance-server.mjs', ['--stdio']);
      const run = startHarness('stdio', data, await startProxy());
      expect(await run.text('test_simple_text')).toContain('simple text');
      const { client, callTool } = await connect(kind, { url: run.agentUrl });
      await callTool('test_simple_text');
      await client.close();
    },
  );

  it('does not leave an agent waiting that can do less than a step says it can', async () => {
    const run = startHarness('stdio', everything, await startProxy());
    await run.text('echo', { message: 'first' });
    const agent = new Client({ name: 'bare', version: '1' });
    const transport = new StreamableHTTPClientTransport(new URL(run.agentUrl));
    await agent.connect(transport as Parameters<typeof agent.connect>[0]);
    const sampled = agent.callTool({
      name: 'trigger-sampling-request',
      arguments: { prompt: 'hello' },
    });
    expect(JSON.stringify(await sampled.catch(String))).toMatch(/not found|-32601/i);
    await agent.close();
  });
});

describe('a step with a server of the stateless era alone', () => {
  it('calls on stdio, on the process of the agent', async () => {
    const run = startHarness('stdio', program('modern-stdio-server.mjs'), await startProxy());
    expect(await run.text('count', { region: 'a' })).toBe('a 1');
    const { callTool, client } = await connect('v2 modern', { url: run.agentUrl });
    // It has to know from the list what goes into headers.
    await client.listTools();
    expect(await callTool('count', { region: 'b' })).toMatchObject({ content: [{ text: 'b 2' }] });
    await client.close();
    await run.proxied.endAgent();
    expect(await run.text('count', { region: 'c' })).toBe('c 3');
    await run.close();
    const tools = run.calls.filter(({ kind }) => kind === 'tool');
    expect(tools.map(({ by }) => by)).toEqual(['harness', undefined, 'harness']);
  });

  it('has one process of its own where the agent has another', async () => {
    const data = program('modern-stdio-server.mjs', { scope: 'session' });
    const run = startHarness('stdio', data, await startProxy());
    expect(await run.text('count', { region: 'a' })).toBe('a 1');
    expect(await run.text('count', { region: 'b' })).toBe('b 2');
  });

  it('calls over HTTP, with the headers that the server wants', async () => {
    const server = await startModernServer();
    onTestFinished(() => server.close());
    const data = { url: server.url, enableAllTools: true };
    const run = startHarness('http', data, await startProxy());
    expect(JSON.parse(await run.text('query', { region: 'eu' }))).toEqual({ region: 'eu' });
    expect(server.headers.at(-1)).toMatchObject({ 'mcp-param-region': 'eu' });
  });
});

describe('a server that asks its client', () => {
  const data = program('asking-stdio-server.mjs');

  it('is answered while a step waits for its call', async () => {
    const run = startHarness('stdio', data, await startProxy());
    expect(await run.text('ask-now')).toBe('[{"roots":[]}]');
    await run.close();
    const asked = run.messages.filter(({ message }) => message.text.includes('"roots"'));
    expect(asked.map(({ by, direction }) => [by, direction])).toContainEqual([
      'harness',
      'to-server',
    ]);
  });

  it('is answered between two calls of steps, so that an agent does not wait for it', async () => {
    const run = startHarness('stdio', data, await startProxy());
    await run.text('ask');
    const isAnswered = () =>
      run.messages.some(({ message }) => message.text.includes('"roots":[]'));
    while (!isAnswered()) await new Promise(setImmediate);
    const agent = await AgentSession.open(run.agentUrl);
    expect(await agent.text('asked')).toBe('[{"roots":[]}]');
  });

  it('is answered when the agent is gone', async () => {
    const run = startHarness('stdio', data, await startProxy());
    await run.text('ask-now');
    await AgentSession.open(run.agentUrl);
    await run.proxied.endAgent();
    await run.text('ask');
    expect(await run.text('asked')).toBe('[{"roots":[]}]');
    expect(run.warnings).toEqual([]);
  });

  it('asks the agent as soon as there is one', async () => {
    const run = startHarness('stdio', data, await startProxy());
    await run.text('ask-now');
    const agent = await AgentSession.open(run.agentUrl);
    await agent.text('ask');
    const reply = agent.call('asked', { id: 50 });
    await agent.post({ jsonrpc: '2.0', id: 'roots', result: { roots: ['of the agent'] } });
    expect((await reply).answer?.result?.content?.[0]?.text).toBe('[{"roots":["of the agent"]}]');
  });
});

it('does not hear what is for the agent, and does not warn of what nobody reads', async () => {
  const run = startHarness('stdio', program('hostile-stdio-server.mjs'), await startProxy());
  await run.text('flood-later', { count: 1500 });
  // All of it, and more than is kept for an agent.
  while (run.messages.length < 1500) await new Promise(setImmediate);
  const agent = await AgentSession.open(run.agentUrl);
  const before = run.messages.length;
  await agent.call('flood', { args: { count: 20 } });
  await agent.end();
  const heard = run.messages.slice(before).filter(({ by }) => by === 'harness');
  expect(heard).toEqual([]);
  expect(run.warnings).toEqual([]);
});
