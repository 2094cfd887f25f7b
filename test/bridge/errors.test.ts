import { describe, expect, it } from 'vitest';
import { answerJson, echo, secretToken } from '../../testing/scripted-http-server.js';
import { BridgeProcess } from '../support/bridge-process.js';
import { bridgeTo, call, initialize, initialized } from '../support/scripted-bridge.js';

function errorOf(id: unknown, message: string, code = -32000) {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

describe('a server that is not there', () => {
  it('is an error to every request until the client is gone', async () => {
    const { server, bridge } = await bridgeTo({});
    server.close();
    const reason = `cannot reach ${server.origin}: connect ECONNREFUSED ${server.origin.slice(7)}`;
    bridge.send(initialize, initialized, { ...call, id: 'two' });
    expect(await bridge.message()).toEqual(errorOf(0, reason));
    expect(await bridge.message()).toEqual(errorOf('two', reason));
    expect(await bridge.end()).toEqual({ exitCode: 0, signal: null });
    expect(bridge.stderr).toBe(
      `proctor bridge: notifications/initialized was not delivered: ${reason}\n`,
    );
  });

  it('is told when its name or its certificate is wrong', async () => {
    const nowhere = new BridgeProcess(`https://nowhere.invalid/${secretToken}`);
    nowhere.send(call);
    expect((await nowhere.message()).error.message).toMatch(
      /^cannot reach https:\/\/nowhere\.invalid: getaddrinfo \w+ nowhere\.invalid$/,
    );
    const { server } = await bridgeTo({});
    const noTls = new BridgeProcess(server.url.replace('http:', 'https:'));
    noTls.send(call);
    const { message } = (await noTls.message()).error;
    expect(message).toMatch(/^cannot reach https:\/\/127\.0\.0\.1:\d+: .*SSL/s);
    expect(message + noTls.stderr).not.toContain(secretToken);
  });
});

describe('an HTTP error', () => {
  it('is told with the beginning of what the server says, without the secret path', async () => {
    const { server, bridge } = await bridgeTo({
      'POST tools/call': ({ response }) => {
        const page = `<pre>Cannot POST /${secretToken}/server</pre>\n<p>${'long '.repeat(100)}`;
        response.writeHead(500, { 'content-type': 'text/html' }).end(page);
      },
    });
    bridge.send(call);
    const { id, error } = await bridge.message();
    expect(id).toBe(1);
    expect(error.message).toMatch(
      /^HTTP 500 from http:\/\/127\.0\.0\.1:\d+: <pre>Cannot POST \.\./,
    );
    expect(error.message).not.toContain(secretToken);
    expect(error.message.length).toBe(`HTTP 500 from ${server.origin}: `.length + 200);
  });

  it('with a JSON-RPC error is that error, unchanged but for an id that is missing', async () => {
    const same = '{"error":{"message":"of 1", "code":-32601,"data":1e400},"id":1,"jsonrpc":"2.0"}';
    const bodies: Record<string, string> = {
      1: same,
      '12345678901234567890': '{ "jsonrpc":"2.0","id":null,"error":{"code":-32020,"message":"a"}}',
      '"no"': '{"jsonrpc":"2.0","error":{"code":-32000,"message":"b"}}',
      2: '{"jsonrpc":"2.0","id":99,"error":{"code":-32000,"message":"of another"}}',
    };
    const { server, bridge } = await bridgeTo({
      'POST x': ({ body, response }) => {
        answerJson(response, bodies[/"id":(.*?),/.exec(body)?.[1] ?? ''], 400);
      },
    });
    const ask = async (id: string) => {
      bridge.send(`{"jsonrpc":"2.0","id":${id},"method":"x"}`);
      return bridge.line();
    };
    expect(await ask('1')).toBe(same);
    expect(await ask('12345678901234567890')).toBe(
      '{ "jsonrpc":"2.0","id":12345678901234567890,"error":{"code":-32020,"message":"a"}}',
    );
    expect(await ask('"no"')).toBe(
      '{"id":"no","jsonrpc":"2.0","error":{"code":-32000,"message":"b"}}',
    );
    expect(JSON.parse(await ask('2'))).toEqual(
      errorOf(2, `HTTP 400 from ${server.origin}: ${bodies[2]}`),
    );
  });

  it.each([
    '{"error":"invalid_token","error_description":"Missing Authorization header"}',
    '{"error":{"message":"no key","type":"auth"}}',
  ])('with an error that is none of JSON-RPC says so: %s', async (body) => {
    const { server, bridge } = await bridgeTo({
      'POST initialize': ({ response }) => answerJson(response, body, 401),
    });
    bridge.send(initialize);
    expect(await bridge.message()).toEqual(errorOf(0, `HTTP 401 from ${server.origin}: ${body}`));
  });

  it('404 to a session that is gone is an error, and nothing is initialised again', async () => {
    const { server, bridge } = await bridgeTo({});
    bridge.send(initialize, initialized, call);
    await bridge.message();
    const message = `HTTP 404 from ${server.origin} (the session is gone)`;
    expect(await bridge.message()).toEqual(errorOf(1, message));
    expect(server.names.filter((name) => name === 'POST initialize')).toHaveLength(1);
    // That is for the client to do.
    bridge.send({ ...initialize, id: 2 });
    expect((await bridge.message()).id).toBe(2);
    expect((await server.request('POST initialize', 2)).headers).not.toHaveProperty(
      'mcp-session-id',
    );
  });

  it('that is a redirect says what to do', async () => {
    const { server, bridge } = await bridgeTo({
      others: ({ response }) => response.writeHead(307, { location: '/elsewhere' }).end(),
    });
    bridge.send(call);
    const message = `HTTP 307 from ${server.origin} (give the URL that it leads to)`;
    expect(await bridge.message()).toEqual(errorOf(1, message));
  });

  it('to a notification is told on stderr', async () => {
    const { server, bridge } = await bridgeTo({
      'POST notifications/x': ({ response }) => response.writeHead(400).end('no \u001b[2J'),
    });
    bridge.send({ jsonrpc: '2.0', method: 'notifications/x' });
    await bridge.stderrWith('\n');
    expect(bridge.stderr).toBe(
      `proctor bridge: notifications/x was not delivered: HTTP 400 from ${server.origin}: no \u241b[2J\n`,
    );
  });
});

describe('an answer that is none', () => {
  it.each([
    ['text/html', '<h1>Welcome</h1>'],
    ['application/json', '{"status":"ok"}'],
    ['application/json', '{"jsonrpc":'],
  ])('%s %s is an error to the request', async (type, body) => {
    const { server, bridge } = await bridgeTo({
      others: ({ response }) => response.writeHead(200, { 'content-type': type }).end(body),
    });
    // To the notification it means nothing.
    bridge.send({ jsonrpc: '2.0', method: 'notifications/x' }, call);
    const message = `${server.origin} answered with ${type}, not with a JSON-RPC message: ${body}`;
    expect(await bridge.message()).toEqual(errorOf(1, message));
    await bridge.end();
    expect(bridge.stderr).toBe('');
  });

  it.each([
    ['HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x', 'HTTP 101'],
    ['HTTP/1.1 099 Nearly', 'HTTP 99, which is no HTTP status'],
    ['220 mail.example ESMTP', 'something that is not HTTP'],
  ])('%j is an error to the request', async (head, told) => {
    const { server, bridge } = await bridgeTo({
      'POST tools/call': ({ response }) =>
        response.socket?.write(`${head}\r\ncontent-length: 0\r\n\r\n`),
    });
    bridge.send(call);
    const { id, error } = await bridge.message();
    expect(id).toBe(1);
    expect(error.message).toContain(`${server.origin} answered with ${told}`);
  });

  it('is told when it breaks off', async () => {
    const { bridge } = await bridgeTo({
      'POST tools/call': ({ response }) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
        response.write('{"jsonrpc"', () => response.destroy());
      },
    });
    bridge.send(call);
    expect(await bridge.message()).toEqual(errorOf(1, 'the answer broke off: aborted'));
  });
});

describe('what the client writes', () => {
  it('is a parse error where it is not JSON; blank lines are nothing', async () => {
    const { server, bridge } = await bridgeTo({ others: echo });
    bridge.send('', '   ', '{"jsonrpc":', call);
    expect(await bridge.message()).toMatchObject({ id: null, error: { code: -32700 } });
    expect(await bridge.message()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    await bridge.end();
    expect(server.received).toHaveLength(1);
    expect(bridge.stderr).toContain('proctor bridge: a line of the client is not JSON: ');
  });

  it('arrives as it is, and so does the answer but for its line breaks', async () => {
    const request =
      '{"z":1, "method":"x","id":1.0,"params":{"n":12345678901234567890,"n":1e400},"a":"\\u00e9"}';
    const { server, bridge } = await bridgeTo({
      'POST x': ({ response }) => {
        answerJson(
          response,
          '\n{\r\n  "result": {"b": 9007199254740993,\n\n"a":"é\\n"},\n  "id": 1.0\n}\n',
        );
      },
    });
    bridge.send(request);
    expect(await bridge.line()).toBe(
      '{    "result": {"b": 9007199254740993,  "a":"é\\n"},   "id": 1.0 }',
    );
    expect(server.received[0]?.body).toBe(request);
  });

  it('may be a batch (revision 2025-03-26)', async () => {
    const batch = '[{"jsonrpc":"2.0","id":1,"method":"x"},{"jsonrpc":"2.0","id":2,"method":"y"}]';
    const answer = '[{"jsonrpc":"2.0","id":2,"result":{}},{"jsonrpc":"2.0","id":1,"result":{}}]';
    let isBroken = false;
    const { server, bridge } = await bridgeTo({
      POST: ({ response }) => {
        if (isBroken) response.writeHead(503).end();
        else answerJson(response, answer);
      },
    });
    bridge.send(batch);
    expect(await bridge.line()).toBe(answer);
    expect(server.received[0]?.body).toBe(batch);
    isBroken = true;
    bridge.send(batch);
    const message = `HTTP 503 from ${server.origin}`;
    expect([await bridge.message(), await bridge.message()]).toEqual([
      errorOf(1, message),
      errorOf(2, message),
    ]);
  });
});
