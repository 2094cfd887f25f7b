import type { McpServer } from '../config/files/mcp-config-file.js';
import type { ChannelEvents } from './channels/channel.js';
import { openEventStreamChannel } from './channels/event-stream-channel.js';
import { openStdioChannel } from './channels/stdio-channel.js';
import { Connection } from './endpoint/connection.js';
import type { ServerLog } from './record/traffic-log.js';

interface ConnectionRequest {
  server: McpServer;
  log: ServerLog;
  environment: NodeJS.ProcessEnv;
  startupTimeout: number;
}

/** Connections to servers over channels, opened when they are first needed. */
export class ConnectionPool {
  readonly #connections = new Set<Connection>();
  readonly #byKey = new Map<string, Connection>();
  readonly #opened = new Map<string, number>();

  /** The connection that others with the same key share; without a key, one that is not shared. */
  connect(request: ConnectionRequest, key?: string): Connection {
    const known = key === undefined ? undefined : this.#byKey.get(key);
    // A server that died is started again for the next request.
    if (known && known.lost === undefined) return known;
    if (known) void this.drop(known);
    const { server, log, environment, startupTimeout } = request;
    const open = (events: ChannelEvents) =>
      server.transport === 'sse'
        ? openEventStreamChannel(server, environment, startupTimeout, events)
        : openStdioChannel(server, environment, events);
    const connection = new Connection({ server: server.name, open, log, startupTimeout });
    this.#connections.add(connection);
    if (key !== undefined) {
      this.#byKey.set(key, connection);
      this.#opened.set(key, this.timesOpened(key) + 1);
    }
    return connection;
  }

  /** How often the connection that is shared by this key was opened: what the one before knew is lost. */
  timesOpened(key: string): number {
    return this.#opened.get(key) ?? 0;
  }

  async drop(connection: Connection): Promise<void> {
    await connection.close('was stopped: its session is over');
    this.#connections.delete(connection);
  }

  async close(reason: string): Promise<void> {
    await Promise.all([...this.#connections].map((connection) => connection.close(reason)));
    this.#connections.clear();
    this.#byKey.clear();
  }
}
