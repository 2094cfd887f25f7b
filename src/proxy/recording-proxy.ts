import { type McpServer, makeTaskRunServer } from '../config/files/mcp-config-file.js';
import {
  type TaskRunValues,
  workdirVariable,
} from '../config/placeholders/environment-variables.js';
import type { EventSink } from '../journal/event.js';
import { TokenCounter } from '../tokens/token-counter.js';
import { ConnectionPool } from './connection-pool.js';
import { Listener } from './listener.js';
import { ProxiedTaskRun } from './proxied-task-run.js';
import { TrafficLog } from './record/traffic-log.js';

export interface ProxyOptions {
  /** Takes the record. Without it, nothing is recorded before `recordTo`. */
  sink?: EventSink;
  /** What stdio servers inherit. */
  environment: NodeJS.ProcessEnv;
  /** 0 or none: any that is free. */
  port?: number;
}

/** What is special about one task run. */
interface OpenOptions {
  /** Name of the task run in the record. */
  taskRun?: string;
  /** What its own servers are given; those of scope `run` are not. */
  values?: TaskRunValues;
  /** The sink that takes its record, in place of the proxy's. */
  sink?: EventSink;
}

const noSink: EventSink = { write: () => 0, pressure: () => undefined, redact: (text) => text };

/** The recording proxy between agents and MCP servers. One is enough for a whole run. */
export class RecordingProxy {
  readonly #options: ProxyOptions;
  readonly #listener: Listener;
  #sink: EventSink;
  /** A sink that follows `recordTo`, for connections that are opened before it is called. */
  readonly #currentSink: EventSink = {
    write: (event) => this.#sink.write(event),
    pressure: () => this.#sink.pressure(),
    redact: (text) => this.#sink.redact(text),
  };
  readonly #tokens = new TokenCounter();
  /** Connections that outlive task runs, for all that open the same list of servers. */
  readonly #shared = new Map<readonly McpServer[], ConnectionPool>();
  readonly #taskRuns = new Set<ProxiedTaskRun>();
  #closing: Promise<void> | undefined;

  private constructor(options: ProxyOptions, listener: Listener) {
    this.#options = options;
    this.#listener = listener;
    this.#sink = options.sink ?? noSink;
  }

  static async start(options: ProxyOptions): Promise<RecordingProxy> {
    return new RecordingProxy(options, await Listener.start(options.port));
  }

  get port(): number {
    return this.#listener.port;
  }

  /** Counting tokens takes a fifth of a second to begin with: the first call need not wait for it. */
  expectCalls(): void {
    void this.#tokens.count([' ']);
    this.#tokens.hurry();
  }

  /** Sets where the record goes from now on, also that of servers that run already. */
  recordTo(sink: EventSink): void {
    this.#sink = sink;
  }

  /**
   * Opens addresses for the servers of one task run. They die with it. Servers of scope `run` are shared
   * by all that open the very same list.
   */
  open(servers: readonly McpServer[], options: OpenOptions = {}): ProxiedTaskRun {
    const { sink = this.#sink, taskRun, values } = options;
    const log = new TrafficLog({
      sink,
      tokens: this.#tokens,
      ...(taskRun !== undefined && { taskRun }),
    });
    const opened: ProxiedTaskRun = new ProxiedTaskRun({
      servers: values ? servers.map((server) => makeTaskRunServer(server, values)) : servers,
      log,
      // A connection that outlives a task run must not add to its record later.
      sharedLog: new TrafficLog({ sink: this.#currentSink, tokens: this.#tokens }),
      environment: {
        ...this.#options.environment,
        ...(values && { [workdirVariable]: values.workdir }),
      },
      sharedEnvironment: this.#options.environment,
      listener: this.#listener,
      shared: this.#sharedBy(servers),
      closed: () => this.#taskRuns.delete(opened),
    });
    this.#taskRuns.add(opened);
    return opened;
  }

  /** Variants of a matrix have servers of one name that are not the same. */
  #sharedBy(servers: readonly McpServer[]): ConnectionPool {
    const pool = this.#shared.get(servers) ?? new ConnectionPool();
    this.#shared.set(servers, pool);
    return pool;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await Promise.all([...this.#taskRuns].map((taskRun) => taskRun.close()));
    await Promise.all(
      [...this.#shared.values()].map((pool) => pool.close('the evaluation is over')),
    );
    await this.#listener.close();
    await this.#tokens.close();
  }
}
