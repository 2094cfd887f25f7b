import type { Phase } from '../config/task-steps.js';
import type { ProcessGroup } from '../processes/process-group.js';

/** What a step can know and use. */
export interface StepContext {
  task: { name: string; folder: string };
  phase: Phase;
  /** Place in its phase, from 1. */
  step: number;
  /** For files that nobody else should read. */
  privateFolder: string;
  environment: NodeJS.ProcessEnv;
  /** Replaces placeholders; throws UnresolvedPlaceholder. */
  resolve(text: string): string;
  /** Takes a process that the step started: it ends with the task run at the latest. */
  started(group: ProcessGroup): void;
  /** Aborted at the step's own limit, the task's limit, or when the run is interrupted. */
  signal: AbortSignal;
}

/** How a step went. */
export interface StepResult {
  /** `error`: it could not be judged, such as a program that is not there. */
  outcome: 'passed' | 'failed' | 'error' | 'stopped';
  /** Why it did not pass, in a sentence. */
  message?: string;
  /** What later steps can refer to. */
  outputs: Readonly<Record<string, string>>;
  /** Names of outputs that were cut. */
  truncated?: string[];
}

/** Does what stands under the step's type. A rejection is an error of the step. */
export type StepKind = (data: unknown, context: StepContext) => Promise<StepResult>;
