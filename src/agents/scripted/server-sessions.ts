import { type CallOutcome, McpClient, McpError } from '../../mcp/mcp-client.js';
import type { AgentServer } from '../agent.js';

/** The sessions of one task run: a server gets one when it is first used. */
export class ServerSessions {
  readonly #servers: readonly AgentServer[];
  readonly #signal: AbortSignal;
  readonly #clients = new Map<string, Promise<McpClient>>();
  readonly #unusable = new Map<string, string>();

  constructor(servers: readonly AgentServer[], signal: AbortSignal) {
    this.#servers = servers;
    this.#signal = signal;
  }

  /** The servers that could not be used, with the reasons. */
  get unusable(): { name: string; status: string }[] {
    return [...this.#unusable].map(([name, status]) => ({ name, status }));
  }

  /** Makes a call; every call to an unusable server fails. Throws McpError if stopped. */
  async use(name: string, call: (client: McpClient) => Promise<CallOutcome>): Promise<CallOutcome> {
    let client: McpClient;
    try {
      client = await this.#client(name);
    } catch (error) {
      if (!(error instanceof McpError) || error.isOurs) throw error;
      this.#unusable.set(name, error.message);
      return { isError: true, text: error.message };
    }
    const outcome = await call(client);
    // The connection failed, not a tool: this task run says nothing about the agent.
    if (outcome.isLost) this.#unusable.set(name, outcome.text);
    return outcome;
  }

  async close(): Promise<void> {
    const clients = await Promise.allSettled(this.#clients.values());
    await Promise.all(
      clients.map((client) => (client.status === 'fulfilled' ? client.value.close() : undefined)),
    );
  }

  #client(name: string): Promise<McpClient> {
    const known = this.#clients.get(name);
    if (known) return known;
    const client = this.#connect(name);
    this.#clients.set(name, client);
    return client;
  }

  async #connect(name: string): Promise<McpClient> {
    const server = this.#servers.find((candidate) => candidate.name === name);
    if (!server)
      throw new McpError('It is not one of the servers of this run.', { code: 'refused' });
    const client = await McpClient.connect(server.url, { signal: this.#signal });
    try {
      if (client.needsToolList) await client.listTools();
    } catch (error) {
      await client.close();
      throw error;
    }
    return client;
  }
}
