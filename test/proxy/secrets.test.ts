import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import {
  answerJson,
  event,
  type ReceivedRequest,
  ScriptedHttpServer,
  startStream,
} from '../../testing/scripted-http-server.js';
import { AgentSession } from '../support/agent-session.js';
import { type ProxyResult, RunningProxy, stdioServer } from '../support/running-proxy.js';

const secret = 'q7Zp/91xKw+33Lm-Vt08"aa5R-Yy21-Nn84-Jd63';
const env = { SERVICE_TOKEN: secret };

/** Neither the secret nor a piece of it that somebody could go on from. */
function expectNoTrace(text: string): void {
  const spellings = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)];
  for (const spelling of spellings) {
    for (let start = 0; start + 8 <= spelling.length; start++) {
      const part = spelling.slice(start, start + 8);
      const at = text.indexOf(part);
      if (at !== -1) throw new Error(`a part of the secret is in: ${text.slice(at - 80, at + 80)}`);
    }
  }
}

/** Ctrl-C, and a look at everything that is kept or shown. */
async function stop(proxy: RunningProxy): Promise<ProxyResult & { journal: string }> {
  const result = await proxy.stop();
  const journal = await readFile(proxy.journalFile, 'utf8');
  for (const text of [result.stdout, result.stderr, journal]) expectNoTrace(text);
  expectNoTrace(await readFile(proxy.configFile, 'utf8'));
  return { ...result, journal };
}

describe('a header for the server', () => {
  /** A proxy before a server that answers calls like this. */
  async function startProxy(call: (request: ReceivedRequest) => void) {
    const server = await ScriptedHttpServer.listen({ 'POST tools/call': call });
    const headers = { Authorization: 'Bearer ${SERVICE_TOKEN}', 'X-Plain': 'not a secret' };
    const http = { url: server.url, headers, enableAllTools: true };
    const proxy = await RunningProxy.start({ http }, { env });
    return { server, proxy, session: await AgentSession.open(proxy.url('http')) };
  }

  const authorizationOf = ({ headers }: ReceivedRequest) => String(headers.authorization);
  const textResult = (text: string) => ({ content: [{ type: 'text', text }] });

  it('reaches the server with every request, whatever the agent sends itself', async () => {
    const { server, proxy } = await startProxy(({ id, response }) =>
      answerJson(response, { jsonrpc: '2.0', id, result: textResult('fine') }),
    );
    const id = { 'mcp-session-id': 'session-1', authorization: 'Bearer of-the-agent' };
    const session = new AgentSession(proxy.url('http'), id);
    const { headers, body } = await session.call('echo');
    expectNoTrace(JSON.stringify(headers) + body);
    (await session.stream()).resume();
    await session.end();
    expect(server.names).toContain('DELETE');
    const sent = server.received.map((request) => authorizationOf(request));
    expect(new Set(sent)).toEqual(new Set([`Bearer ${secret}`]));
    const config = JSON.parse(await readFile(proxy.configFile, 'utf8'));
    expect(Object.keys(config.mcpServers.http)).toEqual(['type', 'url']);
    await stop(proxy);
  });

  it.each([
    ['in a result', (echo: string) => ({ result: textResult(`you sent ${echo}`) })],
    ['in an error', (echo: string) => ({ error: { code: 1, message: `bad token ${echo}` } })],
    ['in structured content', (echo: string) => ({ result: { structuredContent: { [echo]: 1 } } })],
    ['at the end of a long error', cutOff((message) => ({ error: { code: 1, message } }))],
    ['at the end of a long result', cutOff((text) => ({ result: textResult(text) }))],
  ])('is in no record when the server repeats it %s', async (_where, answer) => {
    const { proxy, session } = await startProxy((request) => {
      const { id, response } = request;
      answerJson(response, { jsonrpc: '2.0', id, ...answer(authorizationOf(request)) });
    });
    expect((await session.call('echo')).status).toBe(200);
    const { journal } = await stop(proxy);
    expect(journal).toContain('[redacted:SERVICE_TOKEN]');
  });

  it.each([
    ['at its beginning', ''],
    ['where it is cut', 'x'.repeat(470)],
    ['where a long one is cut', 'x'.repeat(3965)],
  ])('is in no record when a page of errors shows it %s', async (_where, before) => {
    const { proxy, session } = await startProxy((request) => {
      const page = `${before} ${authorizationOf(request)} is wrong`;
      request.response.writeHead(500, { 'content-type': 'text/html' }).end(page);
    });
    expect((await session.call('echo')).status).toBe(500);
    const { warnings } = await stop(proxy);
    expect(warnings[0]?.details).toContain('Bearer');
  });

  it('is in no record when a stream repeats it', async () => {
    const { proxy, session } = await startProxy((request) => {
      const params = { level: 'info', data: authorizationOf(request) };
      const note = event({ jsonrpc: '2.0', method: 'notifications/message', params });
      const { id, response } = request;
      const answer = event({ jsonrpc: '2.0', id, result: textResult('done') });
      startStream(response).end(note + answer);
    });
    expect(await session.text('echo')).toBe('done');
    await stop(proxy);
  });

  it.each([401, 403])('is not told to the agent by a refusal with HTTP %i', async (status) => {
    const { proxy, session } = await startProxy((request) => {
      const echo = authorizationOf(request);
      const headers = { 'www-authenticate': `Bearer error="${encodeURIComponent(echo)}"` };
      request.response.writeHead(status, headers).end(`${echo} is not valid`);
    });
    const { headers, body } = await session.call('echo');
    expectNoTrace(JSON.stringify(headers) + body);
    await stop(proxy);
  });

  it('does not follow a redirect to another server, and the agent does not see it', async () => {
    const elsewhere = await ScriptedHttpServer.listen({
      'POST tools/call': ({ id, response }) =>
        answerJson(response, { jsonrpc: '2.0', id, result: textResult('from elsewhere') }),
    });
    const { proxy, session } = await startProxy((request) => {
      const location = `${elsewhere.url}?token=${encodeURIComponent(authorizationOf(request))}`;
      request.response.writeHead(307, { location }).end();
    });
    const { headers, body } = await session.call('echo');
    expectNoTrace(JSON.stringify(headers) + body);
    const [request] = elsewhere.received;
    expect(request?.headers).not.toHaveProperty('authorization');
    expect(request?.headers).not.toHaveProperty('x-plain');
    await stop(proxy);
  });

  it('is in no record when the agent says it', async () => {
    const { proxy, session } = await startProxy(({ id, response }) =>
      answerJson(response, { jsonrpc: '2.0', id, result: textResult('fine') }),
    );
    await session.call(secret, { args: { [secret]: secret } });
    await session.call(`${'x'.repeat(40)}${secret}`);
    await session.request(`methods/${secret}`);
    await stop(proxy);
  });
});

describe('a variable for a stdio server', () => {
  function startProxy() {
    const settings = { env: { SERVICE: 'prefix ${SERVICE_TOKEN}', OTHER_KEY: secret } };
    const server = stdioServer('hostile-stdio-server.mjs', [], settings);
    return RunningProxy.start({ server }, { env });
  }

  it('reaches the server, and no record when the server says it', async () => {
    const proxy = await startProxy();
    const session = await AgentSession.open(proxy.url('server'));
    expect(await session.text('environment', { name: 'SERVICE' })).toBe(`prefix ${secret}`);
    expect((await stop(proxy)).journal).toContain('[redacted:SERVICE_TOKEN]');
  });

  it.each([
    ['in its last line', { last: `cannot log in with ${secret}` }],
    ['far out on a line', { last: `${'x'.repeat(180)} ${secret}` }],
    ['where the log is cut', { last: `${secret} ${'x'.repeat(3980)}` }],
    ['where the log is cut too', { last: `${secret} ${'x'.repeat(3967)}` }],
    ['before the last lines', { last: `${secret}\n${'line\n'.repeat(19)}` }],
  ])('is in no record when the server dies with it on stderr, %s', async (_where, args) => {
    const proxy = await startProxy();
    const session = await AgentSession.open(proxy.url('server'));
    const { headers, body } = await session.call('exit', { args });
    expectNoTrace(JSON.stringify(headers) + body);
    const late = await session.call('echo');
    expectNoTrace(JSON.stringify(late.headers) + late.body);
    const { warnings } = await stop(proxy);
    expect(warnings[0]?.details).toBeTruthy();
  });

  it.each([0, 3980, 3970])(
    'is in no record when it is noise, after %i characters',
    async (length) => {
      const proxy = await startProxy();
      const session = await AgentSession.open(proxy.url('server'));
      const text = `${'x'.repeat(length)}${secret}`;
      await session.call('noise', { args: { text } });
      const { warnings } = await stop(proxy);
      expect(warnings[0]?.code).toBe('server-output-not-json');
    },
  );
});

/** With the secret across the place where the terminal's line is cut. */
function cutOff(answer: (text: string) => object) {
  return (echo: string) => ({ ...answer(`${'x'.repeat(75)} ${echo}`) });
}
