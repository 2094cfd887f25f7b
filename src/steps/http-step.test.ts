import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { LoopbackServer } from '../../testing/loopback-http.js';
import { stepContext } from '../../testing/step-context.js';
import { runHttpStep } from './http-step.js';
import { PlaceholderValues } from './placeholder-values.js';
import type { StepContext } from './step.js';

/** Runs a step against a server that answers like this. */
async function run(answer: RequestListener, data: object = {}, changes: Partial<StepContext> = {}) {
  const server = await LoopbackServer.http(answer);
  const result = await runHttpStep({ url: server.url('/x'), ...data }, stepContext(changes));
  return { server, result };
}

const text =
  (body: string | Buffer, type = 'text/plain', status = 200): RequestListener =>
  (_, response) => {
    response.writeHead(status, { 'content-type': type }).end(body);
  };

it('an http step passes with what it expects, and records its request', async () => {
  const { server, result } = await run(text('{"a":[{"id":"web"}]}\n', 'application/json', 201), {
    method: 'post',
    headers: { 'X-One': 'yes', Authorization: 'Bearer secret', cookie: 'a=b' },
    body: { json: { name: 'web' } },
    expect: {
      status: 201,
      body: { match: 'web', fields: [{ path: 'a[0].id', equals: 'web' }] },
    },
  });
  expect(result).toEqual({
    outcome: 'passed',
    outputs: { status: '201', body: '{"a":[{"id":"web"}]}' },
    account: {
      request: {
        method: 'POST',
        url: server.url('/x'),
        headers: {
          'content-type': 'application/json',
          'X-One': 'yes',
          Authorization: '[redacted:authorization]',
          cookie: '[redacted:cookie]',
        },
        body: '{"name":"web"}',
      },
      response: {
        status: 201,
        headers: expect.objectContaining({ 'content-type': 'application/json' }),
        bytes: 21,
      },
    },
  });
});

it.each([
  [200, undefined, 'passed'],
  [204, undefined, 'passed'],
  [299, undefined, 'passed'],
  [300, undefined, 'failed'],
  [304, undefined, 'failed'],
  [404, undefined, 'failed'],
  [500, undefined, 'failed'],
  [404, 404, 'passed'],
  [200, 404, 'failed'],
  [201, 200, 'failed'],
])('with status %i where %s is expected has %s', async (status, expected, outcome) => {
  const { result } = await run(text('', 'text/plain', status), { expect: { status: expected } });
  expect(result.outcome).toBe(outcome);
  if (outcome === 'passed') return;
  const sentence = `status: expected ${expected ?? '2xx'}, found ${status}`;
  expect(result).toMatchObject({ message: sentence, account: { unmet: [sentence] } });
});

it('does not pass with a body as expected if the status is none of 2xx', async () => {
  const { result } = await run(text('ok', 'text/plain', 503), {
    expect: { body: { match: 'ok' } },
  });
  expect(result).toMatchObject({ outcome: 'failed', message: 'status: expected 2xx, found 503' });
});

it('an http step reports every expectation that is not met, with what was found', async () => {
  const fields = [
    { path: 'a', equals: 1 },
    { path: 'b', type: 'string' },
    { path: 'c' },
    { path: 'd', equals: 'right' },
  ];
  const { result } = await run(text('{"a":2,"b":true,"d":"right"}', 'application/json', 500), {
    expect: { status: 200, body: { match: 'ready', fields } },
  });
  const unmet = [
    'status: expected 200, found 500',
    'body: expected a match of "ready", found "{\\"a\\":2,\\"b\\":true,\\"d\\":\\"right\\"}"',
    'a: expected 1, found 2',
    'b: expected the type string, found true (boolean)',
    'c: expected that it is there, found no such field',
  ];
  expect(result).toMatchObject({
    outcome: 'failed',
    message: `${unmet.slice(0, 3).join('; ')}; and 2 more`,
    account: { unmet },
    outputs: { status: '500' },
  });
});

it('follows redirects, and judges what comes in the end', async () => {
  const answer: RequestListener = ({ url }, response) => {
    if (url === '/x') response.writeHead(302, { location: '/y' }).end();
    else response.end('there');
  };
  const followed = await run(answer, { expect: { body: { match: 'there' } } });
  expect(followed.result).toMatchObject({
    outcome: 'passed',
    account: { response: { status: 200, redirects: [followed.server.url('/y')] } },
  });
  const stayed = await run(answer, { expect: { status: 302 } });
  expect(stayed.result).toMatchObject({
    outcome: 'passed',
    outputs: { status: '302' },
    account: { response: { headers: { location: '/y' } } },
  });
  expect((await run(answer, { expect: { status: 301 } })).result.outcome).toBe('failed');
});

it.each([
  ['text/html', '<h1>Oops</h1>', 'body: expected JSON, found "<h1>Oops</h1>" (text/html)'],
  ['application/json', '{"a":', 'body: expected JSON, found "{\\"a\\":" (application/json)'],
  ['', '', 'body: expected JSON, found nothing (no content type)'],
])('says what comes in place of JSON: %s %s', async (type, body, sentence) => {
  const answer: RequestListener = (_, response) => {
    if (type) response.setHeader('content-type', type);
    response.end(body);
  };
  const { result } = await run(answer, { expect: { body: { fields: [{ path: 'a' }] } } });
  expect(result).toMatchObject({ outcome: 'failed', account: { unmet: [sentence] } });
});

it.each([
  ['text/plain; charset=latin1', Buffer.from('Grüße', 'latin1'), 'Grüße'],
  ['text/plain; charset="UTF-16LE"', Buffer.from('Grüße', 'utf16le'), 'Grüße'],
  ['text/plain; charset=nonsense', Buffer.from('Grüße'), 'Grüße'],
  ['application/json', Buffer.from('\ufeff{"a":1}'), '{"a":1}'],
  ['application/octet-stream', Buffer.of(0x61, 0xff, 0x62), 'a\ufffdb'],
])('makes text of a body that is %s', async (type, bytes, expected) => {
  const { result } = await run(text(bytes, type), {
    expect: { body: { match: `^${expected.replace(/[{}]/g, '\\$&')}$` } },
  });
  expect(result).toMatchObject({ outcome: 'passed', outputs: { body: expected } });
});

it('keeps the beginning and the end of a long body, and the whole beside it', async () => {
  const body = `start ${'x'.repeat(2_000_000)} end`;
  const { result } = await run(text(body), { expect: { body: { match: '^start x+ end$' } } });
  expect(result).toMatchObject({ outcome: 'passed', truncated: ['body'] });
  expect(result.outputs.body?.length).toBeLessThan(1_000_000);
  expect(readFileSync(result.spilled?.body ?? '', 'utf8')).toBe(body);
});

it.each([
  ['as it is', (bytes: Buffer) => bytes, {}],
  ['when it is decoded', gzipSync, { 'content-encoding': 'gzip' }],
])('does not judge a body that is too long %s', async (_, encode, headers) => {
  const bytes = encode(Buffer.alloc(17 * 1024 * 1024));
  const { result } = await run((_request, response) => {
    response.writeHead(200, headers).end(bytes);
  });
  expect(result).toMatchObject({
    outcome: 'error',
    message: 'the body is longer than 16777216 bytes',
  });
});

it('an http step fails if no server listens', async () => {
  const { result } = await run((request) => request.socket.destroy());
  expect(result).toMatchObject({
    outcome: 'failed',
    message: expect.stringContaining('closed the connection before its answer was complete'),
    outputs: {},
    account: { request: { method: 'GET' } },
  });
  const gone = await runHttpStep({ url: 'http://no-such-host.invalid/' }, stepContext());
  expect(gone).toMatchObject({
    outcome: 'failed',
    message: 'the host of no-such-host.invalid cannot be found',
  });
});

it.each([
  [{ url: 'not an address' }, {}, '"not an address" is not an address'],
  [
    { headers: { 'X-One': 'a\nb' } },
    {},
    'the header "X-One" has a character that no header can carry',
  ],
  [{ method: 'G E T' }, {}, '"G E T" cannot be the method of a request'],
  [
    { url: 'http://server.test/' },
    { HTTP_PROXY: 'socks5://x' },
    'HTTP_PROXY is not the address of an http or https proxy',
  ],
])('is an error if it cannot ask: %j', async (data, environment, message) => {
  const { result } = await run(() => expect.unreachable(), data, { environment });
  expect(result).toMatchObject({ outcome: 'error', message });
});

it('is stopped while it waits', async () => {
  const stop = new AbortController();
  const { result, server } = await run(() => stop.abort(), {}, { signal: stop.signal });
  expect(result).toMatchObject({ outcome: 'stopped', outputs: {} });
  await server.idle();
});

it('an http step takes JSON that is nested deeper than recursion can go', async () => {
  const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
  const fields = [{ path: 'a', type: 'array' }];
  const { result } = await run(text(`{"a":${deep}}`), { expect: { body: { fields } } });
  expect(result.outcome).toBe('passed');
});

it.each([
  [{ raw: 'a=b' }, {}, 'a=b', undefined],
  [{ raw: 'a=b' }, { 'Content-Type': 'x/y' }, 'a=b', 'x/y'],
  [{ json: { a: [1, null] } }, {}, '{"a":[1,null]}', 'application/json'],
  [{ json: null }, {}, 'null', 'application/json'],
  [{ json: 'text' }, { 'Content-Type': 'x/y' }, '"text"', 'x/y'],
])('sends the body %j', async (body, headers, sent, type) => {
  const seen: unknown[] = [];
  await run(
    (request, response) => {
      request.on('data', (bytes) => seen.push(String(bytes), request.headers['content-type']));
      request.on('end', () => response.end());
    },
    { method: 'POST', body, headers },
  );
  expect(seen).toEqual([sent, type]);
});

it('replaces placeholders in every text', async () => {
  const values = new PlaceholderValues({
    taskName: 'task',
    random: { id: 'ab12', port: 4711 },
    environment: { METHOD: 'PUT' },
  });
  values.agentAnswered('a.c');
  const { result, server } = await run(
    (request, response) => {
      request.on('data', (bytes) => {
        const { method, url, headers } = request;
        response.end(JSON.stringify({ ab12: [method, url, headers['x-id'], String(bytes)] }));
      });
    },
    {
      method: '{env.METHOD}',
      headers: { 'X-Id': '{random.id}' },
      body: { json: [{ answer: '{agent.output}' }] },
      expect: {
        body: {
          match: '{agent.output}',
          fields: [
            {
              path: '{random.id}',
              equals: ['{env.METHOD}', '/x', '{random.id}', '[{"answer":"{agent.output}"}]'],
            },
            { path: '{random.id}[3]', match: '"{agent.output}"' },
          ],
        },
      },
    },
    { resolve: (text, quote) => values.resolve(text, quote) },
  );
  expect(result).toMatchObject({ outcome: 'passed' });
  await server.idle();
});

it('an http step makes no request if a placeholder has no value', async () => {
  const values = new PlaceholderValues({
    taskName: 'task',
    random: { id: 'ab12', port: 4711 },
    environment: {},
  });
  const resolve: StepContext['resolve'] = (text, quote) => values.resolve(text, quote);
  for (const data of [
    { url: 'http://localhost/{env.GONE}' },
    { method: '{env.GONE}' },
    { headers: { a: '{env.GONE}' } },
    { body: { raw: '{env.GONE}' } },
    { body: { json: [{ a: '{env.GONE}' }] } },
    { expect: { body: { match: '{env.GONE}' } } },
    { expect: { body: { fields: [{ path: '{env.GONE}' }] } } },
    { expect: { body: { fields: [{ path: 'a', equals: ['{env.GONE}'] }] } } },
    { expect: { body: { fields: [{ path: 'a', match: '{env.GONE}' }] } } },
  ]) {
    await expect(run(() => expect.unreachable(), data, { resolve })).rejects.toThrow(
      '{env.GONE} cannot be resolved',
    );
  }
});

it('records no credentials of the address, and not all of a long body', async () => {
  const answer: RequestListener = (request, response) => {
    request
      .resume()
      .on('end', () => response.setHeader('set-cookie', 'a=secret').writeHead(200).end());
  };
  const server = await LoopbackServer.http(answer);
  const { account } = await runHttpStep(
    {
      url: server.url('/x').replace('//', '//me:secret@'),
      method: 'POST',
      body: { raw: 'word '.repeat(10_000) },
    },
    stepContext(),
  );
  expect(account?.request?.url).toBe(server.url('/x').replace('//', '//[redacted:credentials]@'));
  expect(account?.request?.body).toMatch(/^word[\w ]{16000,16380} …$/);
  expect(account?.response?.headers['set-cookie']).toBe('[redacted:set-cookie]');
  expect(JSON.stringify(account)).not.toContain('secret');
});
