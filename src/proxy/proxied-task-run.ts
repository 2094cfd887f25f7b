import { parseDuration } from '../config/duration.js';
import type { McpServer } from '../config/mcp-config-file.js';
import { ConnectionPool } from './connection-pool.js';
import { Endpoint } from './endpoint/endpoint.js';
import { HttpRelay } from './http-relay/http-relay.js';
import type { Listener } from './listener/listener.js';
import { ServerLog } from './record/server-log.js';
import type { TrafficLog } from './record/traffic-log.js';

/** How long a server may take to start, unless the MCP config says otherwise, in milliseconds. */
const defaultStartupTimeout = 60_000;

interface TaskRunOptions {
  servers: readonly McpServer[];
  log: TrafficLog;
  environment: NodeJS.ProcessEnv;
  /** For servers that other task runs use too. */
  sharedLog: TrafficLog;
  sharedEnvironment: NodeJS.ProcessEnv;
  listener: Listener;
  shared: ConnectionPool;
  closed(): void;
}

interface Route {
  handler: { close(): void };
  log: ServerLog;
  remove(): void;
}

/** The addresses of one task run, and the connections behind them. */
export class ProxiedTaskRun {
  /** What the agent is given: the address of each server, by name. */
  readonly urls: ReadonlyMap<string, string>;
  readonly #options: TaskRunOptions;
  readonly #connections = new ConnectionPool();
  readonly #routes: Route[] = [];
  #agentEnding: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: TaskRunOptions) {
    this.#options = options;
    this.urls = new Map(options.servers.map((server) => [server.name, this.#route(server)]));
  }

  /**
   * The agent has done: its addresses are dead, calls in flight are recorded as unfinished, and all
   * calls are with the sink. The servers live on.
   */
  endAgent(): Promise<void> {
    this.#agentEnding ??= this.#endAgent();
    return this.#agentEnding;
  }

  /** Ends everything: calls in flight are recorded as unfinished, processes are gone. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  #route(server: McpServer): string {
    const log = new ServerLog(this.#options.log, server.name);
    const startupTimeout = timeoutOf(server);
    const handler =
      server.transport === 'http'
        ? new HttpRelay({ server, log, startupTimeout })
        : this.#endpoint(server, log, startupTimeout);
    const { url, remove } = this.#options.listener.add(server.name, handler);
    this.#routes.push({ handler, log, remove });
    return url;
  }

  #endpoint(server: McpServer, log: ServerLog, startupTimeout: number): Endpoint {
    const { shared, sharedLog, sharedEnvironment } = this.#options;
    const { scope = 'task' } = server.data;
    // Over HTTP every session of an agent is a session with the server.
    const isOwn = server.transport === 'sse' || scope === 'session';
    const isShared = scope === 'run' && !isOwn;
    const pool = isShared ? shared : this.#connections;
    const environment = isShared ? sharedEnvironment : this.#options.environment;
    const ownLog = isShared ? new ServerLog(sharedLog, server.name) : log;
    const open = { server, log: ownLog, environment, startupTimeout };
    return new Endpoint({
      server,
      log,
      connect: (use) => pool.connect(open, isOwn && use === 'session' ? undefined : server.name),
      disconnect: (connection) => {
        if (isOwn) void pool.drop(connection);
      },
    });
  }

  async #endAgent(): Promise<void> {
    for (const { remove } of this.#routes) remove();
    for (const { log } of this.#routes) log.close();
    for (const { handler } of this.#routes) handler.close();
    await this.#options.log.settled();
  }

  async #close(): Promise<void> {
    const agentEnded = this.endAgent();
    await this.#connections.close('was stopped: the task run is over');
    await agentEnded;
    this.#options.closed();
  }
}

function timeoutOf({ data: { startupTimeout } }: McpServer): number {
  const parsed = startupTimeout === undefined ? undefined : parseDuration(startupTimeout);
  return parsed?.ok ? parsed.milliseconds : defaultStartupTimeout;
}
