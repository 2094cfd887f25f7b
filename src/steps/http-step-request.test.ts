import type { RequestListener } from 'node:http';
import { expect, it } from 'vitest';
import { LoopbackServer } from '../testing/loopback-http.js';
import { stepContext } from '../testing/step-context.js';
import { runHttp } from './http-step.js';
import { PlaceholderValues } from './placeholder-values.js';
import type { StepContext } from './step.js';

/** Runs a step against a server that answers like this. */
async function run(answer: RequestListener, data: object = {}, changes: Partial<StepContext> = {}) {
  const server = await LoopbackServer.http(answer);
  const result = await runHttp({ url: server.url('/x'), ...data }, stepContext(changes));
  return { server, result };
}

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

it('asks nobody if a placeholder stands for nothing', async () => {
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
  const { account } = await runHttp(
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
