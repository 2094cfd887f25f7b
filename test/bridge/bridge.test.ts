import { Client as ModernClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startModernServer } from '../fixtures/servers/bridge-modern-server.js';
import { bridgeCommand } from '../support/bridge-process.js';
import { proctor } from '../support/cli.js';
import { type HttpServer, startEverything } from '../support/mcp-servers.js';

const info = { name: 'bridge-test', version: '1' };

describe('a wrong call', () => {
  it.each([
    [[], "missing required argument 'url'"],
    [['ftp://127.0.0.1/mcp'], 'such as http://127.0.0.1:3001/mcp'],
    [['not a url'], 'expected the URL of an MCP server, with http:// or https://'],
    [['http://127.0.0.1:1/mcp', 'more'], 'too many arguments'],
  ])('proctor bridge %j is refused with exit code 2', async (args, message) => {
    const { exitCode, stdout, stderr } = await proctor(['bridge', ...args]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});

describe('server-everything over HTTP, and a client of the v1 SDK on stdio', () => {
  let server: HttpServer;
  beforeAll(async () => {
    server = await startEverything('streamableHttp');
  });
  afterAll(() => server.stop());

  async function connect(client: Client): Promise<StdioClientTransport> {
    onTestFinished(() => client.close());
    const transport = new StdioClientTransport(bridgeCommand(server.url));
    await client.connect(transport);
    return transport;
  }

  it('lists tools, calls them and reports progress', async () => {
    const client = new Client(info);
    const progress = progressOn(await connect(client));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('echo');
    const echo = { name: 'echo', arguments: { message: 'two\nlines \u2028 and \u{1f600}' } };
    expect(await client.callTool(echo)).toMatchObject({
      content: [{ text: 'Echo: two\nlines \u2028 and \u{1f600}' }],
    });
    const long = { name: 'trigger-long-running-operation', arguments: { duration: 0.1, steps: 3 } };
    await client.callTool(long, undefined, { onprogress: () => {} });
    expect(progress).toEqual([1, 2, 3]);
  });

  it('answers while a long call goes on, and passes its cancellation on', async () => {
    const client = new Client(info);
    await connect(client);
    const controller = new AbortController();
    const long = { name: 'trigger-long-running-operation', arguments: { duration: 600, steps: 1 } };
    const call = client.callTool(long, undefined, { signal: controller.signal });
    const echo = { name: 'echo', arguments: { message: 'meanwhile' } };
    expect(await client.callTool(echo)).toMatchObject({ content: [{ text: 'Echo: meanwhile' }] });
    controller.abort('enough');
    await expect(call).rejects.toThrow('enough');
    await client.ping();
  });

  it('passes sampling and elicitation back to the client', async () => {
    const capabilities = { sampling: {}, elicitation: {} };
    const client = new Client(info, { capabilities });
    client.setRequestHandler(CreateMessageRequestSchema, () => ({
      role: 'assistant',
      model: 'none',
      content: { type: 'text', text: 'sampled by the test' },
    }));
    client.setRequestHandler(ElicitRequestSchema, () => ({
      action: 'accept',
      content: { name: 'Ada of the test' },
    }));
    await connect(client);
    const sampling = { name: 'trigger-sampling-request', arguments: { prompt: 'x' } };
    expect(JSON.stringify(await client.callTool(sampling))).toContain('sampled by the test');
    const elicitation = { name: 'trigger-elicitation-request', arguments: {} };
    expect(JSON.stringify(await client.callTool(elicitation))).toContain('Ada of the test');
  });

  it('passes what the server says of its own accord: a request for roots, and logging', async () => {
    const client = new Client(info, { capabilities: { roots: {} } });
    client.setRequestHandler(ListRootsRequestSchema, () => ({
      roots: [{ uri: 'file:///one' }, { uri: 'file:///two' }],
    }));
    const logged = new Promise((resolve) => {
      client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) =>
        resolve(params.data),
      );
    });
    await connect(client);
    expect(await logged).toBe('Roots updated: 2 root(s) received from client');
  });

  it('lets a client of both eras find out that this is the stateful one', async () => {
    const client = new ModernClient(info, { versionNegotiation: { mode: 'auto' } });
    onTestFinished(() => client.close());
    await client.connect(new ModernTransport(bridgeCommand(server.url)));
    expect(client.getServerVersion()?.name).toBe('mcp-servers/everything');
    expect((await client.listTools()).tools.length).toBeGreaterThan(5);
  });
});

describe('a stateless server, and a client of the v2 SDK on stdio', () => {
  async function connect() {
    const server = await startModernServer();
    onTestFinished(() => server.close());
    const client = new ModernClient(info, {
      versionNegotiation: { mode: { pin: '2026-07-28' } },
    });
    onTestFinished(() => client.close());
    const transport = new ModernTransport(bridgeCommand(server.url));
    await client.connect(transport);
    return { server, client, transport };
  }

  it('gets parameters as headers, as it asked for', async () => {
    const { server, client } = await connect();
    await client.listTools();
    const args = { region: 'Zürich', limit: 7, options: { dry: true } };
    const result = await client.callTool({ name: 'query', arguments: args });
    expect(result).toMatchObject({ content: [{ type: 'text', text: JSON.stringify(args) }] });
    expect(server.headers.at(-1)).toMatchObject({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'query',
      'mcp-param-region': `=?base64?${Buffer.from('Zürich').toString('base64')}?=`,
      'mcp-param-limit': '7',
      'mcp-param-dry': 'true',
    });
  });

  it('sends progress and changes of what the client listens to', async () => {
    const { server, client, transport } = await connect();
    const progress = progressOn(transport);
    await client.callTool({ name: 'count', arguments: {} }, { onprogress: () => {} });
    expect(progress).toEqual([1, 2]);
    const changed = new Promise<void>((resolve) => {
      client.setNotificationHandler('notifications/tools/list_changed', () => resolve());
    });
    await client.listen({ toolsListChanged: true });
    server.changeTools();
    await changed;
  });
});

/**
 * The progress that arrives: the SDKs forget to report what comes right before the answer, as they
 * tell a notification later than an answer that is read together with it.
 */
function progressOn(transport: StdioClientTransport | ModernTransport): unknown[] {
  const progress: unknown[] = [];
  const { onmessage } = transport;
  transport.onmessage = (message: object) => {
    if ('method' in message && message.method === 'notifications/progress') {
      progress.push((message as { params?: { progress?: unknown } }).params?.progress);
    }
    onmessage?.(message as never);
  };
  return progress;
}
