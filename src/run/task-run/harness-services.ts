import type { Extensions } from '../../extensions/extensions.js';
import type { Judge } from '../../judge/judge.js';
import type { ProxiedTaskRun } from '../../proxy/proxied-task-run.js';
import type { StepServices } from '../../steps/step-services.js';
import { HarnessClients } from './harness-clients.js';

interface SharedServices {
  judge?: Judge;
  extensions: Extensions;
}

/** What the steps of one task run can ask for. */
export class HarnessServices implements StepServices {
  readonly #clients: HarnessClients;
  readonly #shared: SharedServices;

  constructor(proxied: ProxiedTaskRun, shared: SharedServices, isVerifying?: () => boolean) {
    this.#clients = new HarnessClients(proxied, isVerifying);
    this.#shared = shared;
  }

  callTool: StepServices['callTool'] = (server, tool, args, signal) =>
    this.#clients.callTool(server, tool, args, signal);

  judge: StepServices['judge'] = async (question, signal) => {
    const { judge } = this.#shared;
    // Validation refuses such a suite. If one gets here all the same, it must not pass.
    if (!judge) throw new Error('there is no judge');
    return judge.ask(question, signal);
  };

  execute: StepServices['execute'] = (extension, request, signal) =>
    this.#shared.extensions.execute(extension, request, signal);

  close(): Promise<void> {
    return this.#clients.close();
  }
}
