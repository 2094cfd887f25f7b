import type { McpServer } from '../../config/files/mcp-config-file.js';
import type { Extensions } from '../../extensions/extensions.js';
import type { Judge } from '../../judge/judge.js';
import type { ModelGate } from '../../limits/rate-limiter.js';
import type { ProxiedTaskRun } from '../../proxy/proxied-task-run.js';
import type { StepServices } from '../../steps/step.js';
import type { ServerOffer } from '../preflight/check-servers.js';
import type { TimeLimit } from '../time-limit.js';
import { HarnessClients } from './harness-clients.js';
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
