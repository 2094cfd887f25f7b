import { parseDuration } from '../base/duration.js';
import type { McpServer } from '../config/files/mcp-config-file.js';
import { ConnectionPool } from './connection-pool.js';
import { Endpoint } from './endpoint/endpoint.js';
import { HttpRelay } from './http-relay/http-relay.js';
import type { Listener } from './listener.js';
import { ServerLog, type TrafficLog } from './record/traffic-log.js';

/** How long a server may take to start, unless the MCP config says otherwise, in milliseconds. */
const defaultStartupTimeout = 60_000;

interface ProxiedTaskRunOptions {
  servers: readonly McpServer[];
  log: TrafficLog;
  environment: NodeJS.ProcessEnv;
  /** Record and environment of servers that other task runs use too. */
  sharedLog: TrafficLog;
  sharedEnvironment: NodeJS.ProcessEnv;
  listener: Listener;
  shared: ConnectionPool;
  closed(): void;
}

/** The address at which our own steps reach a server. */
export interface HarnessRoute {
  readonly url: string;
  /** How long the server may take to start, in milliseconds. */
  readonly startupTimeout: number;
  /** How many requests so far will never be answered: the server could not be reached, or died. */
  readonly failures: number;
  /** The process that the agent had to do with is gone, and another one has taken its place. */
  readonly hasForgotten: boolean;
}

interface Route {
  handler: { close(): void };
  log: ServerLog;
  url: string;
  remove(): void;
}

/** The addresses of one task run, and the connections behind them. */
export class ProxiedTaskRun {
  /** What the agent is given: the address of each server, by name. */
  readonly urls: ReadonlyMap<string, string>;
  readonly #options: ProxiedTaskRunOptions;
  readonly #connections = new ConnectionPool();
  /** Our steps' connections to servers that open one for each session of the agent. */
  readonly #harnessConnections = new ConnectionPool();
  readonly #agentRoutes: readonly Route[];
  readonly #harnessRoutes = new Map<string, Route>();
  /** How often each server's connection was opened when the agent was done. */
  readonly #openedByAgent = new Map<string, number>();
  #agentEnding: Promise<void> | undefined;
  #ending: Promise<void> | undefined;
  #leaving: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;

  constructor(options: ProxiedTaskRunOptions) {
    this.#options = options;
    this.#agentRoutes = options.servers.map((server) => this.#route(server));
    this.urls = new Map(this.#agentRoutes.map(({ log, url }) => [log.server, url]));
  }

  /**
   * For our own steps: what they do is recorded as theirs, and on the process that the agent has to
   * do with. It works until the task run is over.
   */
  harnessRoute(name: string): HarnessRoute {
    if (this.#ending) throw new Error('the task run is over');
    const server = this.#options.servers.find((candidate) => candidate.name === name);
    if (server === undefined) throw new Error(`there is no server ${JSON.stringify(name)}`);
    const { log, url } = this.#harnessRoutes.get(name) ?? this.#addHarnessRoute(server);
    const hasForgotten = () => this.#hasForgotten(server);
    return {
      url,
      startupTimeout: readStartupTimeout(server),
      get failures() {
        return log.failures;
      },
      get hasForgotten() {
        return hasForgotten();
      },
    };
  }

  /**
   * The agent has done: its addresses are dead, calls in flight are recorded as unfinished, and all
   * calls are with the sink. The servers live on.
   */
  endAgent(): Promise<void> {
    this.#agentEnding ??= this.#endAgent();
    return this.#agentEnding;
  }

  /**
   * Ends everything that is recorded: calls in flight are unfinished, all calls are with the sink. The
   * servers are asked to exit, without waiting for them.
   */
  end(): Promise<void> {
    this.#ending ??= this.#endAll();
    return this.#ending;
  }

  /** Ends everything, and settles when processes are gone. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  #endAgent(): Promise<void> {
    for (const server of this.#options.servers) {
      this.#openedByAgent.set(server.name, this.#sharedPool(server).timesOpened(server.name));
    }
    return this.#end(this.#agentRoutes);
  }

  #hasForgotten(server: McpServer): boolean {
    const before = this.#openedByAgent.get(server.name) ?? 0;
    return before > 0 && this.#sharedPool(server).timesOpened(server.name) > before;
  }

  /** The pool in which the agent and our steps share a connection, if they do. */
  #sharedPool({ data: { scope } }: McpServer): ConnectionPool {
    return scope === 'run' ? this.#options.shared : this.#connections;
  }

  #addHarnessRoute(server: McpServer): Route {
    // What the config allows is for the agent.
    const unlimited = { ...server, data: { ...server.data, enableAllTools: true } };
    const route = this.#route(unlimited, 'harness');
    this.#harnessRoutes.set(server.name, route);
    return route;
  }

  #route(server: McpServer, by?: 'harness'): Route {
    const { environment } = this.#options;
    const log = new ServerLog(this.#options.log, server.name);
    const startupTimeout = readStartupTimeout(server);
    const handler =
      server.transport === 'http'
        ? new HttpRelay({ server, log, environment, startupTimeout, ...(by && { by }) })
        : this.#endpoint(server, log, startupTimeout, by);
    return { handler, log, ...this.#options.listener.add(server.name, handler) };
  }

  #endpoint(
    server: McpServer,
    log: ServerLog,
    startupTimeout: number,
    by: 'harness' | undefined,
  ): Endpoint {
    const { shared, sharedLog, sharedEnvironment } = this.#options;
    const { scope = 'task' } = server.data;
    // Over HTTP every session of an agent is a session with the server.
    const isOwn = server.transport === 'sse' || scope === 'session';
    const isShared = scope === 'run' && !isOwn;
    const own = isOwn && by ? this.#harnessConnections : this.#connections;
    const pool = isShared ? shared : own;
    const environment = isShared ? sharedEnvironment : this.#options.environment;
    const ownLog = isShared ? new ServerLog(sharedLog, server.name) : log;
    const open = { server, log: ownLog, environment, startupTimeout };
    // All that steps do on a server is one session's, however often they have to connect.
    const isPerSession = isOwn && by === undefined;
    return new Endpoint({
      server,
      log,
      ...(by && { by }),
      connect: (use) =>
        pool.connect(open, isPerSession && use === 'session' ? undefined : server.name),
      disconnect: (connection) => {
        if (isPerSession) void pool.drop(connection);
      },
    });
  }

  async #end(routes: readonly Route[]): Promise<void> {
    for (const { remove } of routes) remove();
    for (const { log } of routes) log.close();
    for (const { handler } of routes) handler.close();
    await this.#options.log.settled();
  }

  async #endAll(): Promise<void> {
    const ended = [this.endAgent(), this.#end([...this.#harnessRoutes.values()])];
    const reason = 'was stopped: the task run is over';
    const pools = [this.#connections, this.#harnessConnections];
    this.#leaving = Promise.all(pools.map((pool) => pool.close(reason)));
    // A failure is reported by `close`, which awaits the same promise.
    this.#leaving.catch(() => {});
    await Promise.all(ended);
  }

  async #close(): Promise<void> {
    await this.end();
    await this.#leaving;
    // The servers may have done something while they exited.
    await Promise.all([this.#options.log.settled(), this.#options.sharedLog.settled()]);
    this.#options.closed();
  }
}

function readStartupTimeout({ data: { startupTimeout } }: McpServer): number {
  const parsed = startupTimeout === undefined ? undefined : parseDuration(startupTimeout);
  return parsed?.ok ? parsed.milliseconds : defaultStartupTimeout;
}
