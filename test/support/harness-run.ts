import type { McpServer } from '../../src/config/files/mcp-config-file.js';
import { HarnessClients } from '../../src/run/task-run/harness-services.js';
import type { startProxy } from './recording-proxy.js';

const never = new AbortController().signal;

/** One list for the same data: task runs that open the same servers share those of scope `run`. */
const lists = new WeakMap<McpServer['data'], readonly McpServer[]>();

/** A task run with one server, `server`, that steps and an agent can use. */
export function startHarness(
  transport: McpServer['transport'],
  data: McpServer['data'],
  { proxy, events }: Awaited<ReturnType<typeof startProxy>>,
  taskRun = 'run',
) {
  const servers = lists.get(data) ?? [{ name: 'server', transport, data }];
  lists.set(data, servers);
  const proxied = proxy.open(servers, { taskRun });
  const clients = new HarnessClients(proxied);
  const call = (tool: string, args?: object, signal = never) =>
    clients.callTool('server', tool, args, signal);
  return {
    proxied,
    clients,
    agentUrl: proxied.urls.get('server') ?? '',
    call,
    /** Of a call that goes well. */
    async text(tool: string, args?: object): Promise<string> {
      const { isError, text } = await call(tool, args);
      if (isError) throw new Error(`${tool} failed: ${text}`);
      return text;
    },
    async close(): Promise<void> {
      await clients.close();
      await proxied.close();
    },
    /** In the order of their numbers: they are written when they are counted. */
    get calls() {
      const calls = events.filter((event) => event.type === 'mcp-call');
      return calls.sort((one, other) => one.request - other.request);
    },
    get messages() {
      return events.filter((event) => event.type === 'mcp-message');
    },
    /** Only what is built can count tokens. */
    get warnings() {
      return events
        .filter((event) => event.type === 'warning')
        .filter(({ code }) => code !== 'tokens-not-counted');
    },
  };
}
