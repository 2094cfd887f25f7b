import type { ProcessGroup } from '../base/processes/process-group.js';
import type { Phase } from '../config/task-steps.js';
import type { WarningCode } from '../journal/mcp-events.js';
import type { StepAccount } from '../journal/step-events.js';
import type { StepServices } from './step-services.js';

/** What a step can know and use. */
export interface StepContext {
  task: {
    name: string;
    folder: string;
    /** Scripts without a shebang run in `$SHELL`. */
    usesLoginShell?: boolean;
  };
  phase: Phase;
  /** Place in its phase, from 1. */
  step: number;
  /** Of `<server>.<tool>` and `<extension>.<operation>`: what it acts on, without aliases. */
  target?: { name: string; operation: string };
  /** The agent's working directory. */
  workdir: string;
  /** For files that nobody else should read, nor the agent see. */
  harnessFolder: string;
  environment: NodeJS.ProcessEnv;
  /** What the agent was asked and answered, as far as it has come to that. */
  agent: { prompt?: string; output?: string };
  /** Milliseconds that the step may take. */
  timeoutMs: number;
  /**
   * Replaces placeholders; throws UnresolvedPlaceholder. `quote` makes a value fit for where it
   * goes: what somebody else has said must not become syntax, such as that of a pattern.
   */
  resolve(text: string, quote?: (value: string) => string): string;
  /** Takes a process that the step started: it ends with the task run at the latest. */
  started(group: ProcessGroup): void;
  services: StepServices;
  /** Aborted at the step's own limit, the task's limit, or when the run is interrupted. */
  signal: AbortSignal;
}

/** How a step went. */
export interface StepResult {
  /** `error`: it could not be judged, such as a program that is not there. */
  outcome: 'passed' | 'failed' | 'error' | 'stopped';
  /** Why it did not pass, in a sentence. */
  message?: string;
  /** What nobody should miss though it passed. */
  warning?: { code: WarningCode; message: string };
  /** What later steps can refer to. */
  outputs: Readonly<Record<string, string>>;
  /** Names of outputs that were cut. */
  truncated?: string[];
  /** Of outputs that were cut: a private file with the whole, up to a limit. */
  spilled?: Readonly<Record<string, string>>;
  account?: StepAccount;
  /** With `stopped`: time was up before anybody could judge, so it is an error and no failure. */
  isUnjudged?: true;
}

/** Does what stands under the step's type. A rejection is an error of the step. */
export type StepKind = (data: unknown, context: StepContext) => Promise<StepResult>;
