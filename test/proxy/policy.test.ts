import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectV1 } from '../../testing/mcp-clients.js';
import { AgentSession } from '../support/agent-session.js';
import {
  type HttpServer,
  serverProgram,
  startFixture,
  stdioServer,
} from '../support/mcp-servers.js';
import { recorded } from '../support/recorded.js';

let plain: HttpServer;
beforeAll(async () => {
  plain = await startFixture('plain-server.mjs');
});
afterAll(() => plain?.stop());

describe('calls that the MCP config does not allow', () => {
  const policy = { enableAllTools: false, alwaysAllow: ['note', 'called'] };
  const targets = () => ({
    stdio: { ...stdioServer(serverProgram('plain-server.mjs'), '--stdio'), ...policy },
    http: { url: plain.url, ...policy },
  });

  it.each(['stdio', 'http'] as const)('are answered without the server, over %s', async (name) => {
    const { named } = await recorded({ [name]: targets()[name] }, async (proxy) => {
      const { client, callTool } = await connectV1({ url: proxy.url(name) });
      const { tools } = await client.listTools();
      expect(tools.map((tool) => tool.name)).toEqual(['note', 'called']);
      expect(await callTool('fail', { a: 1 })).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('"fail" is not allowed here') }],
      });
      const { content } = (await callTool('called')) as { content: { text: string }[] };
      expect(content[0]?.text).not.toContain('fail');
      await client.close();
    });
    expect(named).toMatchObject([
      { name: 'fail', args: { text: '{"a":1}' }, isError: true, blocked: true, session: 1 },
      { name: 'called', isError: false },
    ]);
    expect(named[1]).not.toHaveProperty('blocked');
  });

  it.each(['stdio', 'http'] as const)('within a batch, over %s', async (name) => {
    const call = (id: number, tool: string) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: tool, arguments: { id } },
    });
    const { named } = await recorded({ [name]: targets()[name] }, async (proxy) => {
      const session = await AgentSession.open(proxy.url(name));
      const batch = [call(11, 'note'), call(12, 'fail'), call(13, 'called')];
      const { status, body } = await session.post(batch);
      expect(status).toBe(200);
      const answers: { id: number; result: object }[] = JSON.parse(body.toString());
      answers.sort((one, other) => one.id - other.id);
      expect(answers).toMatchObject([
        { id: 11, result: { content: [{ text: '{"id":11}' }] } },
        { id: 12, result: { isError: true } },
        { id: 13, result: { content: [{ text: expect.not.stringContaining('fail') }] } },
      ]);
      const none = await session.post([call(21, 'fail'), call(22, 'more')]);
      expect(JSON.parse(none.body.toString())).toMatchObject([{ id: 21 }, { id: 22 }]);
    });
    expect(named.map((each) => [each.name, each.args?.text, each.blocked])).toEqual([
      ['note', '{"id":11}', undefined],
      ['fail', '{"id":12}', true],
      ['called', '{"id":13}', undefined],
      ['fail', '{"id":21}', true],
      ['more', '{"id":22}', true],
    ]);
  });
});
