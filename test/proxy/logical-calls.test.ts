import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectV1, connectV2 } from '../../testing/mcp-clients.js';
import { modernMessage, modernRequest } from '../../testing/raw-requests.js';
import { AgentSession } from '../support/agent-session.js';
import {
  everythingProgram,
  type HttpServer,
  serverProgram,
  startFixture,
  stdioServer,
} from '../support/mcp-servers.js';
import { messageText, recorded } from '../support/recorded.js';

let conformance: HttpServer;
let plain: HttpServer;
beforeAll(async () => {
  conformance = await startFixture('conformance-server.mjs');
  plain = await startFixture('plain-server.mjs');
});
afterAll(async () => {
  await conformance?.stop();
  await plain?.stop();
});

const open = { enableAllTools: true };
const fixture = (name: string) => ({ ...stdioServer(serverProgram(name), '--stdio'), ...open });

describe('one call that takes several requests', () => {
  const targets = () => ({
    stdio: fixture('conformance-server.mjs'),
    http: { url: conformance.url, ...open },
  });

  it.each(['stdio', 'http'] as const)('because it needs input, over %s', async (name) => {
    const { named, events, messages } = await recorded(
      { [name]: targets()[name] },
      async (proxy) => {
        const tested = await connectV2('v2 modern', { url: proxy.url(name) });
        // With a state to hand back, and without one.
        await tested.callTool('test_input_required_result_multi_round', {});
        await tested.callTool('test_input_required_result_elicitation', {});
        await tested.client.close();
      },
    );
    expect(named).toMatchObject([
      { name: 'test_input_required_result_multi_round', retries: 2, isError: false },
      { name: 'test_input_required_result_elicitation', retries: 1, isError: false },
    ]);
    const [rounds, elicitation] = named;
    expect(rounds?.result?.text).toContain('Ada likes teal.');
    expect(elicitation?.result?.text).toContain('Hello, Ada!');
    expect(rounds).not.toHaveProperty('session');
    const sent = messages.filter(({ message }) => message.text.includes('multi_round'));
    expect(sent).toHaveLength(3);
    expect(sent[0]?.seq).toBe(rounds?.request);
    expect(messageText(events, rounds?.response)).toContain('Ada likes teal.');
    expect(rounds?.bytes.request).toBe(sent.reduce((sum, { bytes }) => sum + bytes, 0));
  });

  it.each(['stdio', 'http'] as const)('because it is a task, over %s', async (name) => {
    const capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
    let taskId: unknown;
    const { named } = await recorded({ [name]: targets()[name] }, async (proxy) => {
      const ask = async (method: string, params: Record<string, unknown>) =>
        (await modernRequest(proxy.url(name), method, params, { capabilities })).answer.result;
      const start = (tool: string, args: object) =>
        ask('tools/call', { name: tool, arguments: args });
      ({ taskId } = await start('slow_compute', { seconds: 0, label: 'all' }));
      while ((await ask('tasks/get', { taskId })).status === 'working');
      const broken = await start('protocol_error_job', {});
      await ask('tasks/get', { taskId: broken.taskId });
      const cancelled = await start('slow_compute', { seconds: 600 });
      await ask('tasks/cancel', { taskId: cancelled.taskId });
      await ask('tasks/get', { taskId: cancelled.taskId });
      await start('slow_compute', { seconds: 600 });
    });
    expect(named).toMatchObject([
      { task: taskId, isError: false, args: { text: '{"seconds":0,"label":"all"}' } },
      { name: 'protocol_error_job', isError: true },
      { cancelled: true, isError: false },
      { unfinished: true },
    ]);
    const [computed, broken, , left] = named;
    expect(computed?.result?.value).toMatchObject({ content: [{ text: 'Computed all in 0 s.' }] });
    expect(broken?.error?.value).toMatchObject({ message: 'The job broke.' });
    expect(left?.result?.value).toMatchObject({ resultType: 'task' });
  });

  it('because its stream ends and the answer comes on another one', async () => {
    const { named, messages } = await recorded({ http: targets().http }, async (proxy) => {
      const tested = await connectV1({ url: proxy.url('http') });
      expect(await tested.callTool('test_reconnection')).toMatchObject({
        content: [{ text: 'Answered after the stream was closed.' }],
      });
      await tested.client.close();
    });
    expect(named).toMatchObject([{ name: 'test_reconnection', isError: false, session: 1 }]);
    expect(named[0]).not.toHaveProperty('unfinished');
    const answers = messages.filter(({ message }) => message.text.includes('Answered after'));
    expect(answers.map(({ seq }) => seq)).toEqual([named[0]?.response]);
  });
});

describe('calls without an answer', () => {
  const targets = () => ({
    stdio: fixture('plain-server.mjs'),
    http: { url: plain.url, ...open },
  });

  it.each(['stdio', 'http'] as const)('are cancelled or unfinished, over %s', async (name) => {
    const { named, messages, stderr } = await recorded(
      { [name]: targets()[name] },
      async (proxy) => {
        const session = await AgentSession.open(proxy.url(name));
        const isCalled = async (times: number) => {
          while ((await session.text('called')).split('hang').length <= times);
        };
        // What never gets an answer ends with the proxy.
        session.call('hang', { id: 101 }).catch(() => {});
        await isCalled(1);
        await session.call('note', { id: 102 });
        await session.notify('notifications/cancelled', { requestId: 101 });
        // Too late: it changes nothing.
        await session.notify('notifications/cancelled', { requestId: 102 });
        session.call('hang', { id: 103 }).catch(() => {});
        await isCalled(2);
      },
    );
    const [cancelled, left] = named.filter((call) => call.name === 'hang');
    const note = named.find((call) => call.name === 'note');
    expect(cancelled).toMatchObject({ cancelled: true, isError: false });
    expect(cancelled).not.toHaveProperty('result');
    expect(note).toMatchObject({ isError: false, result: {} });
    expect(note).not.toHaveProperty('cancelled');
    expect(left).toMatchObject({ unfinished: true, isError: false });
    expect(left).not.toHaveProperty('response');
    const told = messages
      .map(({ message }) => message.value as { method?: string; params: { requestId: number } })
      .filter(({ method }) => method === 'notifications/cancelled');
    const ids = told.map(({ params }) => params.requestId);
    // A stdio server is also told of the one that the end of the proxy calls off.
    expect(ids).toEqual(name === 'stdio' ? [101, 102, 103] : [101, 102]);
    expect(stderr).toContain('unfinished');
  });

  it('may get one when nobody waits any more, which is no reason to warn', async () => {
    const { named, events } = await recorded({ stdio: targets().stdio }, async (proxy) => {
      const url = proxy.url('stdio');
      const call = (name: string) => modernRequest(url, 'tools/call', { name, arguments: {} });
      const controller = new AbortController();
      const message = modernMessage('tools/call', { name: 'hang', arguments: {} });
      const hanging = fetch(url, { method: 'POST', ...message, signal: controller.signal });
      while (!(await call('called')).text.includes('hang'));
      controller.abort();
      await expect(hanging).rejects.toThrow('aborted');
      await proxy.shown('cancelled');
      await call('wake');
    });
    expect(named.find(({ name }) => name === 'hang')).toMatchObject({ cancelled: true });
    expect(events.filter(({ type }) => type === 'warning')).toEqual([]);
  });

  it('are not what a server on a shared process asks about later', async () => {
    const { named } = await recorded(
      { local: { ...stdioServer(everythingProgram), ...open } },
      async (proxy) => {
        // The first is the one that the server knows by its initialize.
        const first = await connectV1({ url: proxy.url('local') });
        const second = await connectV1({ url: proxy.url('local') });
        first.client.removeRequestHandler('sampling/createMessage');
        const controller = new AbortController();
        const args = { duration: 600, steps: 6000 };
        const options = { signal: controller.signal, onprogress: () => controller.abort() };
        await expect(
          first.callTool('trigger-long-running-operation', args, options),
        ).rejects.toThrow();
        const sampling = await second.callTool('trigger-sampling-request', { prompt: 'x' });
        expect(JSON.stringify(sampling)).toContain('sampled by the test');
        await first.client.close();
        await second.client.close();
      },
    );
    expect(named).toMatchObject([
      { cancelled: true, session: 1 },
      { isError: false, session: 2 },
    ]);
  });
});
