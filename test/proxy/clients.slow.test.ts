import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ClientKind,
  connect,
  connectV1,
  outcomeOf,
  type Target,
  type TestClient,
} from '../../testing/mcp-clients.js';
import {
  everythingProgram,
  type HttpServer,
  startEverything,
  stdioServer,
} from '../support/mcp-servers.js';
import { RunningProxy } from '../support/running-proxy.js';

const serverKinds = ['stdio', 'http', 'sse'] as const;
type ServerKind = (typeof serverKinds)[number];

/** server-everything speaks the stateful revisions only: what is modern alone is told below. */
const clientKinds: ClientKind[] = ['v1', 'v2 legacy', 'v2 automatic'];

interface Check {
  what: string;
  run(client: TestClient): Promise<unknown>;
  /** Part of what `run` must see, so that two failures do not count as agreement. */
  sees: unknown;
}

const document = 'demo://resource/static/document/architecture.md';
const watched = 'demo://resource/dynamic/text/1';
const unwatched = 'demo://resource/dynamic/text/2';

const checks: Check[] = [
  {
    what: 'what the server says of itself, and all its lists',
    run: async ({ client }) => ({
      version: client.getServerVersion(),
      capabilities: client.getServerCapabilities(),
      instructions: client.getInstructions(),
      tools: await client.listTools(),
      resources: await client.listResources(),
      templates: await client.listResourceTemplates(),
      prompts: await client.listPrompts(),
    }),
    sees: { tools: { tools: expect.arrayContaining([{ name: 'echo' }].map(containing)) } },
  },
  {
    what: 'results of tools, and their errors',
    run: async ({ callTool }) =>
      Promise.all([
        callTool('echo', { message: 'two\nlines \u2028 and \u{1f600}' }),
        callTool('get-tiny-image'),
        callTool('get-structured-content', { location: 'Chicago' }),
        callTool('get-annotated-message', { messageType: 'error', includeImage: true }),
        outcomeOf(callTool('get-sum', { a: 'one' })),
        outcomeOf(callTool('no-such-tool')),
      ]),
    sees: expect.arrayContaining([
      containing({ content: [{ type: 'text', text: 'Echo: two\nlines \u2028 and \u{1f600}' }] }),
    ]),
  },
  {
    what: 'reading a resource and a prompt',
    run: async ({ client }) => [
      await client.readResource({ uri: document }),
      await outcomeOf(client.readResource({ uri: 'demo://nothing' })),
      await client.getPrompt({ name: 'args-prompt', arguments: { city: 'Zürich' } }),
      await outcomeOf(client.getPrompt({ name: 'args-prompt' })),
    ],
    sees: expect.arrayContaining([
      containing({
        messages: [{ role: 'user', content: { type: 'text', text: "What's weather in Zürich?" } }],
      }),
    ]),
  },
  {
    what: 'completion',
    run: ({ client }) =>
      client.complete({
        ref: { type: 'ref/prompt', name: 'completable-prompt' },
        argument: { name: 'department', value: 'S' },
      }),
    sees: { completion: { values: ['Sales', 'Support'] } },
  },
  {
    what: 'sampling',
    run: ({ callTool }) => callTool('trigger-sampling-request', { prompt: 'x', maxTokens: 9 }),
    sees: { content: [{ text: expect.stringContaining('sampled by the test') }] },
  },
  {
    what: 'elicitation',
    run: ({ callTool }) => callTool('trigger-elicitation-request'),
    sees: { content: [{}, { text: expect.stringContaining('Name: Ada') }, {}] },
  },
  {
    what: 'roots, and that they have changed',
    run: async (tested) => {
      tested.notifications.length = 0;
      await tested.client.sendRootsListChanged();
      const { params } = await tested.told('notifications/message', 'Roots updated');
      return [params?.data, await tested.callTool('get-roots-list')];
    },
    sees: [
      'Roots updated: 2 root(s) received from client',
      { content: [{ text: expect.stringContaining('file:///two') }] },
    ],
  },
  {
    what: 'progress, in its order',
    run: async ({ callTool }) => {
      const seen: number[] = [];
      const result = await callTool(
        'trigger-long-running-operation',
        { duration: 0.2, steps: 4 },
        { onprogress: ({ progress }) => seen.push(progress) },
      );
      // The SDKs drop progress that arrives in one piece with the answer: the last may be missing.
      return { result, hasProgress: seen.length > 0, isInOrder: seen.every(isPlace) };
    },
    sees: { result: { content: [{}] }, hasProgress: true, isInOrder: true },
  },
  {
    what: 'logging, with the level that the client sets',
    run: async ({ client, told, notifications }) => {
      notifications.length = 0;
      await client.setLoggingLevel('error');
      await client.subscribeResource({ uri: unwatched });
      await client.setLoggingLevel('debug');
      await client.subscribeResource({ uri: watched });
      await told('notifications/message', `Subscribe Resource request for URI: ${watched}`);
      await client.unsubscribeResource({ uri: unwatched });
      const texts = notifications.map(({ params }) => String(params?.data));
      return texts.filter((text) => text.includes('Received Subscribe Resource')).length;
    },
    sees: 1,
  },
  {
    what: 'updates of a resource, while it is subscribed to',
    run: async ({ client, callTool, told, notifications }) => {
      await callTool('toggle-subscriber-updates');
      const update = await told('notifications/resources/updated');
      await client.unsubscribeResource({ uri: watched });
      await callTool('toggle-subscriber-updates');
      return { update, last: notifications.findLast(({ method }) => /updated/.test(method)) };
    },
    sees: { update: { params: { uri: watched } } },
  },
  {
    what: 'a list that changes, and what was added',
    run: async ({ client, callTool, told }) => {
      // The server has one list of these for all its sessions: each client takes another name.
      const name = `${randomUUID()}.gz`;
      await callTool('gzip-file-as-resource', { name, data: 'data:text/plain,hello' });
      const changed = await told('notifications/resources/list_changed');
      const read = await client.readResource({ uri: `demo://resource/session/${name}` });
      return [changed, JSON.parse(JSON.stringify(read).replaceAll(name, 'NAME'))];
    },
    sees: [{}, { contents: [{ mimeType: 'application/gzip' }] }],
  },
  {
    what: 'cancellation, and that the server works on',
    run: async ({ client, callTool }) => {
      const controller = new AbortController();
      const long = outcomeOf(
        callTool(
          'trigger-long-running-operation',
          { duration: 600, steps: 1 },
          { signal: controller.signal },
        ),
      );
      await client.ping();
      controller.abort('enough');
      return [await long, await callTool('echo', { message: 'still here' })];
    },
    sees: [{ failed: {} }, { content: [{ text: 'Echo: still here' }] }],
  },
];

let proxy: RunningProxy;
const servers = new Map<ServerKind, HttpServer>();

beforeAll(async () => {
  servers.set('http', await startEverything('streamableHttp'));
  servers.set('sse', await startEverything('sse'));
  // One for each client, as each task run would have: they do not share a process.
  const entries = serverKinds.flatMap((server) =>
    [...clientKinds, 'v2 modern', 'tasks'].map((client) => [`${server} ${client}`, config(server)]),
  );
  proxy = await RunningProxy.startShared(Object.fromEntries(entries));
});
afterAll(async () => {
  await proxy?.end();
  for (const server of servers.values()) await server.stop();
});

function config(server: ServerKind) {
  if (server === 'stdio') return { ...stdioServer(everythingProgram), enableAllTools: true };
  return { type: server, url: servers.get(server)?.url, enableAllTools: true };
}

function directly(server: ServerKind): Target {
  if (server === 'stdio') return stdioServer(everythingProgram);
  return { url: servers.get(server)?.url ?? '', isSse: server === 'sse' };
}

function isPlace(progress: number, index: number): boolean {
  return progress === index + 1;
}

function containing(part: object): unknown {
  return expect.objectContaining(part);
}

describe.each(serverKinds)('server-everything over %s', (server) => {
  describe.each(clientKinds)('and the official client %s', (kind) => {
    let direct: TestClient;
    let proxied: TestClient;
    beforeAll(async () => {
      [direct, proxied] = await Promise.all([
        connect(kind, directly(server)),
        connect(kind, { url: proxy.url(`${server} ${kind}`) }),
      ]);
      // From then on there is a stream for what the server says on its own.
      await Promise.all([direct, proxied].map((each) => each.told('notifications/message')));
    });
    afterAll(() => Promise.all([direct?.client.close(), proxied?.client.close()]));

    it.each(checks.map((check) => [check.what, check] as const))('%s', async (_what, check) => {
      const { run, sees } = check;
      const [seenDirectly, seen] = await Promise.all([run(direct), run(proxied)]);
      expect({ seen: seenDirectly }).toMatchObject({ seen: sees });
      expect(seen).toEqual(seenDirectly);
    });
  });

  it('cannot be reached by a client that is modern only, and the reason is the same', async () => {
    const [direct, proxied] = await Promise.all([
      outcomeOf(connect('v2 modern', directly(server))),
      outcomeOf(connect('v2 modern', { url: proxy.url(`${server} v2 modern`) })),
    ]);
    expect(direct).toMatchObject({ failed: { code: 'ERA_NEGOTIATION_FAILED' } });
    expect(proxied).toEqual(direct);
  });
});

describe('tasks of revision 2025-11-25, which only the v1 client has', () => {
  it.concurrent.each(serverKinds)('over %s', async (server) => {
    const research = async (target: Target) => {
      const tested = await connectV1(target);
      const { tasks } = tested.client.experimental;
      const seen: unknown[] = [];
      const query = { topic: 'python', ambiguous: true };
      const stream = tasks.callToolStream(
        { name: 'simulate-research-query', arguments: query },
        undefined,
        { task: {} },
      );
      for await (const message of stream) {
        if (message.type === 'taskStatus') continue;
        seen.push(message.type === 'result' ? message.result.content : message.type);
      }
      seen.push((await tasks.listTasks()).tasks.map(({ status }) => status));
      await tested.client.close();
      return seen;
    };
    const [direct, proxied] = await Promise.all([
      research(directly(server)),
      research({ url: proxy.url(`${server} tasks`) }),
    ]);
    expect(direct).toMatchObject(['taskCreated', [{ type: 'text' }], ['completed']]);
    expect(proxied).toEqual(direct);
  });
});

describe('the record of all this', () => {
  it('has the question that the automatic client asks first, and its fallback', async () => {
    const { calls } = await proxy.stop();
    for (const server of serverKinds) {
      const [first, second] = calls.filter((call) => call.server === `${server} v2 automatic`);
      expect(first).toMatchObject({ method: 'server/discover', isError: true });
      expect(second).toMatchObject({ method: 'initialize', isError: false });
    }
  });

  it('has the result of a task with the call that began it', async () => {
    const { calls } = await proxy.stop();
    for (const server of serverKinds) {
      const own = calls.filter((call) => call.server === `${server} tasks`);
      const begun = own.filter(({ name }) => name === 'simulate-research-query');
      expect(begun).toMatchObject([{ isError: false, task: expect.any(String) }]);
      expect(begun[0]?.result?.text).toContain('# Research Report: python (technical)');
      expect(begun[0]).not.toHaveProperty('unfinished');
    }
  });
});
