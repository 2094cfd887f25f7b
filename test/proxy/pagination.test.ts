import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, connectV1 } from '../../testing/mcp-clients.js';
import {
  type HttpServer,
  serverProgram,
  startFixture,
  stdioServer,
} from '../support/mcp-servers.js';
import { RunningProxy } from '../support/running-proxy.js';

let proxy: RunningProxy;
let http: HttpServer;
beforeAll(async () => {
  http = await startFixture('plain-server.mjs');
  const stdio = stdioServer(serverProgram('plain-server.mjs'), '--stdio');
  proxy = await RunningProxy.startShared({
    http: { url: http.url, enableAllTools: true },
    stdio: { ...stdio, enableAllTools: true },
  });
});
afterAll(async () => {
  await proxy?.end();
  await http?.stop();
});

const tools = ['note', 'called', 'hang', 'fail', 'more'];

describe.each(['stdio', 'http'])('a list in pages, over %s', (server) => {
  it('is read page by page by the v1 client', async () => {
    const { client } = await connectV1({ url: proxy.url(server) });
    const pages: string[][] = [];
    let cursor: string | undefined;
    do {
      const page = await client.listTools(cursor === undefined ? {} : { cursor });
      pages.push(page.tools.map(({ name }) => name));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(pages).toEqual([tools.slice(0, 2), tools.slice(2, 4), tools.slice(4)]);
    await client.close();
  });

  it.each(['v2 legacy', 'v2 automatic'] as const)('is read to its end by %s', async (kind) => {
    const { client } = await connect(kind, { url: proxy.url(server) });
    const list = await client.listTools();
    expect(list.tools.map(({ name }) => name)).toEqual(tools);
    await client.close();
  });
});
