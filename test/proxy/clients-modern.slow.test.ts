import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ClientKind,
  connect,
  connectV2,
  outcomeOf,
  type Target,
  type TestClient,
} from '../../testing/mcp-clients.js';
import {
  type HttpServer,
  serverProgram,
  startFixture,
  stdioServer,
} from '../support/mcp-servers.js';
import { RunningProxy } from '../support/running-proxy.js';

const program = 'conformance-server.mjs';
const serverKinds = ['stdio', 'http'] as const;
type ServerKind = (typeof serverKinds)[number];
type ModernClient = Awaited<ReturnType<typeof connectV2>>;

const watched = 'test://watched-resource';

interface Check<Client> {
  what: string;
  run(client: Client): Promise<unknown>;
  /** Part of what `run` must see, so that two failures do not count as agreement. */
  sees: unknown;
}

/** For clients of both eras. */
const commonChecks: Check<TestClient>[] = [
  {
    what: 'what the server says of itself, and all its lists',
    run: async ({ client }) => ({
      version: client.getServerVersion(),
      capabilities: client.getServerCapabilities(),
      tools: await client.listTools(),
      resources: await client.listResources(),
      templates: await client.listResourceTemplates(),
      prompts: await client.listPrompts(),
    }),
    sees: { version: { name: 'conformance-fixture' } },
  },
  {
    what: 'results of tools, and their errors',
    run: ({ callTool }) =>
      Promise.all([
        callTool('test_simple_text'),
        callTool('test_multiple_content_types'),
        callTool('test_header_parameter', { region: 'Zürich' }),
        callTool('test_error_handling'),
        outcomeOf(callTool('no-such-tool')),
      ]),
    sees: [{ content: [{ type: 'text' }] }, {}, {}, { isError: true }, { failed: {} }],
  },
  {
    what: 'reading a resource and a prompt, and completion',
    run: ({ client }) =>
      Promise.all([
        client.readResource({ uri: 'test://template/7/data' }),
        outcomeOf(client.readResource({ uri: 'test://nothing' })),
        client.getPrompt({
          name: 'test_prompt_with_arguments',
          arguments: { arg1: 'é', arg2: '2' },
        }),
        client.complete({
          ref: { type: 'ref/prompt', name: 'test_prompt_with_arguments' },
          argument: { name: 'arg1', value: 'par' },
        }),
      ]),
    sees: [{}, { failed: {} }, {}, { completion: { values: ['paris', 'park', 'party'] } }],
  },
  {
    what: 'input that the server needs: from the user, the model, and roots',
    run: async ({ callTool, client }) => [
      await callTool('test_input_required_result_elicitation'),
      await callTool('test_input_required_result_sampling'),
      await callTool('test_input_required_result_list_roots'),
      await callTool('test_input_required_result_multiple_inputs'),
      await callTool('test_input_required_result_multi_round'),
      await outcomeOf(client.getPrompt({ name: 'test_input_required_result_prompt' })),
    ],
    sees: [
      { content: [{ text: 'Hello, Ada!' }] },
      { content: [{ text: 'LLM response: sampled by the test' }] },
      { content: [{ text: 'Roots: file:///one, file:///two' }] },
      { content: [{ text: expect.stringContaining('Ada, roots: file:///one') }] },
      { content: [{ text: 'Ada likes teal.' }] },
      {},
    ],
  },
];

const modernChecks: Check<ModernClient>[] = [
  {
    what: 'server/discover',
    run: async ({ client }) => [
      client.getNegotiatedProtocolVersion(),
      client.getDiscoverResult(),
      await client.discover(),
    ],
    sees: ['2026-07-28', { supportedVersions: expect.arrayContaining(['2026-07-28']) }, {}],
  },
  {
    what: 'progress and logging on the stream of a call',
    run: async ({ client, callTool, told }) => {
      const seen: number[] = [];
      const onprogress = ({ progress }: { progress: number }) => seen.push(progress);
      await callTool('test_tool_with_progress', {}, { onprogress });
      const _meta = { 'io.modelcontextprotocol/logLevel': 'debug' };
      await client.callTool({ name: 'test_tool_with_logging', arguments: {}, _meta });
      return [seen.slice(0, 2), await told('notifications/message', 'processing')];
    },
    sees: [[0, 50], { params: { level: 'info' } }],
  },
  {
    what: 'subscriptions/listen: an update of a resource, and a list that changes',
    run: async ({ client, callTool, told }) => {
      const filter = { resourceSubscriptions: [watched], toolsListChanged: true };
      const subscription = await client.listen(filter);
      await callTool('test_trigger_resource_update');
      const update = await told('notifications/resources/updated');
      await callTool('test_trigger_tool_change');
      await told('notifications/tools/list_changed');
      await callTool('test_trigger_tool_change');
      await subscription.close();
      const { uri } = update.params ?? {};
      return [subscription.honoredFilter, uri, await subscription.closed];
    },
    sees: [{ toolsListChanged: true }, watched, 'local'],
  },
  {
    what: 'cancellation by closing the stream',
    run: async ({ callTool }) => {
      const controller = new AbortController();
      const options = {
        signal: controller.signal,
        // From here on it is under way.
        onprogress: () => controller.abort('enough'),
      };
      const cancelled = await outcomeOf(callTool('test_tool_with_progress', {}, options));
      return [cancelled, await callTool('test_simple_text')];
    },
    sees: [{ failed: { message: expect.stringContaining('enough') } }, { content: [{}] }],
  },
];

let proxy: RunningProxy;
let http: HttpServer;
/** "Directly" has a server of its own: what one side changes must not be told to the other. */
let otherHttp: HttpServer;

beforeAll(async () => {
  [http, otherHttp] = await Promise.all([startFixture(program), startFixture(program)]);
  proxy = await RunningProxy.startShared({
    http: { url: http.url, enableAllTools: true },
    stdio: { ...stdioServer(serverProgram(program), '--stdio'), enableAllTools: true },
    'stdio for sessions': {
      ...stdioServer(serverProgram(program), '--stdio'),
      enableAllTools: true,
      scope: 'session',
    },
  });
});
afterAll(async () => {
  await proxy?.end();
  await http?.stop();
  await otherHttp?.stop();
});

function directly(server: ServerKind): Target {
  if (server === 'http') return { url: otherHttp.url };
  return stdioServer(serverProgram(program), '--stdio');
}

async function compare<Client>({ run, sees }: Check<Client>, direct: Client, proxied: Client) {
  const seenDirectly = await run(direct);
  expect({ seen: seenDirectly }).toMatchObject({ seen: sees });
  expect(await run(proxied)).toEqual(seenDirectly);
}

describe.each(serverKinds)('a server of both eras over %s', (server) => {
  describe.each(['v2 modern', 'v2 automatic'] as const)('and the client %s', (kind) => {
    let direct: ModernClient;
    let proxied: ModernClient;
    beforeAll(async () => {
      direct = await connectV2(kind, directly(server));
      proxied = await connectV2(kind, { url: proxy.url(server) });
    });
    afterAll(async () => {
      await Promise.all([direct?.client.close(), proxied?.client.close()]);
    });

    it('speaks the modern revision', () => {
      expect(direct.client.getProtocolEra()).toBe('modern');
      expect(proxied.client.getProtocolEra()).toBe('modern');
    });

    it.each([...commonChecks, ...modernChecks].map((check) => [check.what, check] as const))(
      '%s',
      (_what, check) => compare<ModernClient>(check, direct, proxied),
    );
  });

  describe.each<ClientKind>(['v1', 'v2 legacy'])('and the client %s', (kind) => {
    let direct: TestClient;
    let proxied: TestClient;
    beforeAll(async () => {
      const name = server === 'stdio' ? 'stdio for sessions' : server;
      direct = await connect(kind, directly(server));
      proxied = await connect(kind, { url: proxy.url(name) });
    });
    afterAll(async () => {
      await Promise.all([direct?.client.close(), proxied?.client.close()]);
    });

    it.each(commonChecks.map((check) => [check.what, check] as const))('%s', (_what, check) =>
      compare(check, direct, proxied),
    );
  });
});

describe('the record of all this', () => {
  it('has the cancelled calls, and the cancellation that stdio needs', async () => {
    const { calls, messages, events } = await proxy.stop();
    for (const server of serverKinds) {
      const cancelled = calls.filter((call) => call.server === server && call.cancelled);
      expect(cancelled.filter(({ kind }) => kind === 'tool')).toHaveLength(2);
    }
    const told = messages.filter(({ message }) => message.text.includes('notifications/cancelled'));
    expect(told.map(({ server, direction }) => `${server} ${direction}`)).toContain(
      'stdio to-server',
    );
    // Nor is anything said about progress that comes late: the fixture does not stop at once.
    expect(events.filter(({ type }) => type === 'warning')).toEqual([]);
  });
});
