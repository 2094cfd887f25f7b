import type { Agent } from '../../agents/agent.js';
import type { Redactor } from '../../config/secrets/redactor.js';
import type { Extensions } from '../../extensions/extensions.js';
import type { AgentIdentity } from '../../journal/run-events.js';
import type { Plan } from '../../plan/plan.js';
import type { VariantSetup } from '../../run/variant-setup.js';
import type { QueueRun } from '../queue-run.js';

/** A suite that this worker can run: its servers, its agent and its keys are there. */
export interface OpenedSuite {
  /** Of all its tasks. */
  plan: Plan;
  /** Absolute. */
  evalPath: string;
  setups: readonly VariantSetup[];
  /** If some step needs one. */
  judge?: { agent: Agent; identity: AgentIdentity };
  /** Those that are needed run already. */
  extensions: Extensions;
  redactor: Redactor;
}

/** What a worker lacks to take part, in words. */
export class SuiteNotReady extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'SuiteNotReady';
  }
}

/**
 * Reads the suite of a run, whose files are in that folder, and looks whether everything is there.
 * `temporary` is for files meanwhile. Throws SuiteNotReady.
 */
export type OpenSuite = (
  run: QueueRun,
  folder: string,
  surroundings: { environment: NodeJS.ProcessEnv; signal: AbortSignal; temporary: string },
) => Promise<OpenedSuite>;
