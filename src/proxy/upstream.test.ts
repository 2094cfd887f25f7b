import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Upstream } from './upstream.js';

type Options = ConstructorParameters<typeof Upstream>[0];
type Request = Parameters<Upstream['send']>[0];

/** A server that says these bytes to every client, once it was asked for something. */
async function serverThat(answers: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => answers(socket));
    onTestFinished(() => void socket.destroy());
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** What becomes of a request: every call of it, until there is an end. */
async function outcomeOf(url: string, options: Partial<Options> = {}, more: Partial<Request> = {}) {
  const upstream = new Upstream({ url, environment: {}, connectTimeout: 10_000, ...options });
  onTestFinished(() => upstream.close());
  let isBack = false;
  const events: unknown[] = [];
  await new Promise<void>((resolve) => {
    upstream.send({
      method: 'POST',
      headers: {},
      body: '{}',
      sent: () => events.push('sent'),
      answered(response) {
        events.push(response.statusCode);
        void text(response).then(() => resolve());
      },
      failed(reason, code) {
        expect(isBack).toBe(true);
        events.push([reason, code]);
        resolve();
      },
      ...more,
    });
    isBack = true;
  });
  return events;
}

const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}';

describe('an answer', () => {
  it.each([
    [
      '101 with an upgrade',
      'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
      'answered with HTTP 101, which is a change of protocol that was not requested',
    ],
    [
      '101 without',
      'HTTP/1.1 101 Switching Protocols\r\n\r\n',
      'answered with HTTP 101, which is a change of protocol that was not requested',
    ],
    [
      '99',
      'HTTP/1.1 099 What\r\ncontent-length: 0\r\n\r\n',
      'answered with HTTP 99, which is no HTTP status',
    ],
    [
      '600',
      'HTTP/1.1 600 What\r\ncontent-length: 0\r\n\r\n',
      'answered with HTTP 600, which is no HTTP status',
    ],
    [
      'of something else',
      '220 mail.example ESMTP\r\n',
      'answered with something that is not HTTP (HPE_INVALID_CONSTANT)',
    ],
  ])('%s is no answer', async (_name, bytes, reason) => {
    const url = await serverThat((socket) => socket.write(bytes));
    expect(await outcomeOf(url)).toEqual(['sent', [reason, 'server-http-error']]);
  });

  it('comes after informational responses', async () => {
    const hints = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n';
    const url = await serverThat((socket) => socket.write(hints + ok));
    expect(await outcomeOf(url)).toEqual(['sent', 200]);
  });

  it.each([
    ['ends', (socket: Socket) => void socket.end()],
    ['breaks off', (socket: Socket) => void socket.destroy()],
    ['ends after information', (socket: Socket) => void socket.end('HTTP/1.1 103 Hm\r\n\r\n')],
  ])('never comes when the connection %s', async (_name, end) => {
    const failure = ['closed the connection without an answer', 'server-unreachable'];
    expect(await outcomeOf(await serverThat(end))).toEqual(['sent', failure]);
  });
});

describe('a header that HTTP cannot carry', () => {
  it.each([
    ['X-Team', 'secret\u20ac', 'the header "x-team" has a character that no header can carry'],
    ['X-Team', 'secret\r\nx: y', 'the header "x-team" has a character that no header can carry'],
    ['X Team', 'secret', '"x team" cannot be the name of a header'],
  ])('%s is reported without its value, and not at once', async (name, value, problem) => {
    const url = await serverThat(() => {});
    const failure = [`cannot be asked: ${problem}`, 'server-unreachable'];
    expect(await outcomeOf(url, { headers: { [name]: value } })).toEqual([failure]);
  });

  it('may be made of a user name in the address', async () => {
    const url = (await serverThat(() => {})).replace('127', 'secret%zz@127');
    const failure = ['cannot be asked: URIError', 'server-unreachable'];
    expect(await outcomeOf(url)).toEqual([failure]);
  });
});

describe('a redirect', () => {
  const secret = { authorization: 'Bearer a', Cookie: 'b', 'proxy-authorization': 'c' };
  const moved = (to: string) =>
    `HTTP/1.1 307 Moved\r\nlocation: ${to}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`;

  it('to another origin takes along no secret', async () => {
    let received = '';
    const other = createServer((socket) => {
      socket.on('data', (data) => {
        received += data;
        if (received.endsWith('{}')) socket.end(ok);
      });
    });
    onTestFinished(() => void other.close());
    await once(other.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
    const from = await serverThat((socket) => socket.end(moved(url)));
    const options = { headers: { 'X-Key': 'd' }, followsRedirects: true };
    const headers = { ...secret, accept: 'application/json' };
    expect(await outcomeOf(from, options, { headers })).toEqual(['sent', 200]);
    expect(received).toContain('accept: application/json');
    expect(received).not.toMatch(/^(authorization|cookie|proxy-authorization|x-key):/im);
  });

  it('is an answer like others unless it is to be followed', async () => {
    const from = await serverThat((socket) => socket.end(moved('http://127.0.0.1:9/')));
    expect(await outcomeOf(from)).toEqual(['sent', 307]);
  });
});

it('a cancelled request reports nothing more', async () => {
  const url = await serverThat(() => {});
  const upstream = new Upstream({
    url,
    environment: {},
    connectTimeout: 10_000,
    headers: { a: '\n' },
  });
  onTestFinished(() => upstream.close());
  const events: string[] = [];
  const failed = (reason: string) => void events.push(reason);
  upstream.send({ method: 'GET', headers: {}, answered: () => {}, failed }).destroy();
  await outcomeOf(url, { headers: { a: '\n' } });
  expect(events).toEqual([]);
});
