import type { McpServer } from '../../config/files/mcp-config-file.js';
import type { Extensions } from '../../extensions/extensions.js';
import type { Judge } from '../../judge/judge.js';
import type { ModelGate } from '../../limits/rate-limiter.js';
import { joinSignals } from '../../mcp/connection.js';
import { type CallOutcome, McpClient, McpError } from '../../mcp/mcp-client.js';
import type { HarnessRoute, ProxiedTaskRun } from '../../proxy/proxied-task-run.js';
import type { StepServices } from '../../steps/step.js';
import { askOffer, likeAgents, type ServerOffer } from '../preflight/check-servers.js';
import type { TimeLimit } from './time-limit.js';
import type { Waits } from './waits.js';

interface SharedServices {
  judge?: Judge;
  extensions: Extensions;
  modelTurns: ModelGate;
}

/** What the steps of one task run can ask for. */
export class HarnessServices {
  readonly #clients: HarnessClients;
  readonly #shared: SharedServices;
  readonly #waits: Waits;

  constructor(
    proxied: ProxiedTaskRun,
    shared: SharedServices,
    waits: Waits,
    isVerifying?: () => boolean,
  ) {
    this.#clients = new HarnessClients(proxied, isVerifying);
    this.#shared = shared;
    this.#waits = waits;
  }

  /** For a step with this limit. */
  within(limit: TimeLimit): StepServices {
    const { judge, extensions, modelTurns } = this.#shared;
    const waits = this.#waits;
    return {
      callTool: (server, tool, args, signal) => this.#clients.callTool(server, tool, args, signal),
      async judge(question, signal) {
        // Validation refuses such a suite. If one gets here all the same, it must not pass.
        if (!judge) throw new Error('there is no judge');
        return judge.ask(question, signal, waits.turnsWithin(limit, modelTurns));
      },
      execute: (extension, request, signal) => extensions.execute(extension, request, signal),
    };
  }

  /** What a server offers that is only there since setup. Throws if it cannot be used. */
  offerOf(server: McpServer, signal: AbortSignal): Promise<ServerOffer> {
    return this.#clients.offerOf(server, signal);
  }

  close(): Promise<void> {
    return this.#clients.close();
  }
}

/** What we wait longer than the proxy, which knows why a server does not answer. */
const patience = 2_000;

/** Calls tools for the steps of one task run, on a session of our own with each server. */
export class HarnessClients {
  readonly #proxied: Pick<ProxiedTaskRun, 'harnessRoute'>;
  readonly #isVerifying: () => boolean;
  readonly #clients = new Map<string, McpClient>();

  /** A server that was started again since is not asked to verify what the agent did. */
  constructor(
    proxied: Pick<ProxiedTaskRun, 'harnessRoute'>,
    isVerifying: () => boolean = () => false,
  ) {
    this.#proxied = proxied;
    this.#isVerifying = isVerifying;
  }

  /** Throws if the server cannot be used, and if it is called off. `isLost`: there was no answer. */
  async callTool(
    server: string,
    tool: string,
    args: object | undefined,
    signal: AbortSignal,
  ): Promise<CallOutcome> {
    const route = this.#proxied.harnessRoute(server);
    for (let isLastTry = false; ; isLastTry = true) {
      const client = this.#clients.get(server) ?? (await this.#open(server, route, signal));
      if (this.#isVerifying() && route.hasForgotten) throw new Error(forgotten(server));
      const { failures } = route;
      const outcome = await client.callTool(tool, args, { signal });
      if (!client.hasLostSession) {
        const isLost = outcome.answerText === undefined || route.failures > failures;
        return isLost ? { ...outcome, isLost } : outcome;
      }
      // The server died since the last call, or forgot the session. It has not seen this call yet.
      this.#clients.delete(server);
      await client.close();
      if (isLastTry) return { ...outcome, isLost: true };
    }
  }

  /** Asks what a server offers. Throws if it cannot be used. */
  async offerOf(server: McpServer, signal: AbortSignal): Promise<ServerOffer> {
    const started = performance.now();
    const { name } = server;
    const known = this.#clients.get(name);
    const client = known ?? (await this.#open(name, this.#proxied.harnessRoute(name), signal));
    return askOffer(client, server, signal, started);
  }

  /** Ends the sessions. Never takes long. */
  async close(): Promise<void> {
    await Promise.all([...this.#clients.values()].map((client) => client.close()));
    this.#clients.clear();
  }

  async #open(server: string, route: HarnessRoute, stop: AbortSignal): Promise<McpClient> {
    const { failures } = route;
    // The client outlives the step that it is opened for.
    const { signal, release } = joinSignals([stop]);
    try {
      const client = await connect(route, signal);
      this.#clients.set(server, client);
      return client;
    } catch (error) {
      if (signal.aborted || !(error instanceof McpError)) throw error;
      const { rpcError, message } = error;
      // The proxy says it best.
      if (rpcError && route.failures > failures) throw new Error(rpcError.message);
      throw new Error(`the server ${JSON.stringify(server)} cannot be used: ${message}`);
    } finally {
      release();
    }
  }
}

function forgotten(server: string): string {
  return `the server ${JSON.stringify(server)} has exited since the agent was done: what the agent left in it is gone`;
}

async function connect(route: HarnessRoute, signal: AbortSignal): Promise<McpClient> {
  const { url, startupTimeout, failures } = route;
  const options = { ...likeAgents, signal, timeoutMs: startupTimeout + patience };
  try {
    return await McpClient.connect(url, { ...options, mode: 'stateful' });
  } catch (error) {
    // A server that refuses may speak the new era alone.
    if (!isRefusal(error) || route.failures > failures) throw error;
    const client = await McpClient.connect(url, { ...options, mode: 'stateless' }).catch(() => {
      throw error;
    });
    return withToolList(client);
  }
}

/** Arguments may have to go into headers, as the list of tools says. */
async function withToolList(client: McpClient): Promise<McpClient> {
  try {
    await client.listTools();
    return client;
  } catch (error) {
    await client.close();
    throw error;
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof McpError && (error.code === 'refused' || error.code === 'unusable');
}
