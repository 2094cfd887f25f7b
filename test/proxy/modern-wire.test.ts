import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modernRequest } from '../../testing/raw-requests.js';
import {
  type HttpServer,
  serverProgram,
  startFixture,
  stdioServer,
} from '../support/mcp-servers.js';
import { RunningProxy } from '../support/running-proxy.js';

const program = 'conformance-server.mjs';
const tasks = { extensions: { 'io.modelcontextprotocol/tasks': {} } };

let proxy: RunningProxy;
let http: HttpServer;
beforeAll(async () => {
  http = await startFixture(program);
  proxy = await RunningProxy.startShared({
    http: { url: http.url, enableAllTools: true },
    stdio: { ...stdioServer(serverProgram(program), '--stdio'), enableAllTools: true },
  });
});
afterAll(async () => {
  await proxy?.end();
  await http?.stop();
});

describe('statuses of HTTP', () => {
  const wrong = [
    ['a method that nobody knows', 404, -32601, 'no/such', {}, {}],
    ['another method in the header', 400, -32020, 'tools/list', {}, { 'mcp-method': 'x/y' }],
    [
      'another name in the header',
      400,
      -32020,
      'tools/call',
      { name: 'test_simple_text', arguments: {} },
      { 'mcp-name': 'other' },
    ],
    [
      'another version in the header',
      400,
      -32020,
      'tools/list',
      {},
      { 'mcp-protocol-version': '2025-11-25' },
    ],
    [
      'a capability that is missing',
      400,
      -32021,
      'tools/call',
      { name: 'failing_job', arguments: {} },
      {},
    ],
  ] as const;

  it.each(wrong)('%s: %i with %i', async (_what, status, code, method, params, headers) => {
    const options = { headers, id: 'seven' };
    const direct = await modernRequest(http.url, method, params, options);
    expect(direct).toMatchObject({ status, answer: { id: 'seven', error: { code } } });
    expect(await modernRequest(proxy.url('http'), method, params, options)).toEqual(direct);
    const overStdio = await modernRequest(proxy.url('stdio'), method, params, options);
    expect(overStdio).toMatchObject({ status, answer: { id: 'seven', error: { code } } });
  });
});

describe('tasks, by the extension', () => {
  it.each(['http', 'stdio'])('over %s', async (server) => {
    const ends: unknown[] = [];
    for (const url of [http.url, proxy.url(server)]) {
      const ask = async (method: string, params: Record<string, unknown>) =>
        (await modernRequest(url, method, params, { capabilities: tasks })).answer.result;
      const created = await ask('tools/call', {
        name: 'confirm_delete',
        arguments: { filename: 'a.txt' },
      });
      const { taskId } = created;
      const waiting = await ask('tasks/get', { taskId });
      const inputResponses = { confirm: { action: 'accept', content: { confirm: true } } };
      await ask('tasks/update', { taskId, inputResponses });
      const { status, result } = await ask('tasks/get', { taskId });
      ends.push([created.resultType, waiting.status, waiting.inputRequests, status, result]);
    }
    expect(ends[0]).toMatchObject([
      'task',
      'input_required',
      { confirm: {} },
      'completed',
      { content: [{ text: 'Deleted a.txt.' }] },
    ]);
    expect(ends[1]).toEqual(ends[0]);
  });
});
