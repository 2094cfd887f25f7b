import type { ProcessGroup } from '../base/processes/process-group.js';
import type { Phase } from '../config/files/task-steps.js';
import type { WarningCode } from '../journal/mcp-events.js';
import type { JudgeMode, Judgement, StepAccount } from '../journal/step-events.js';
import type { CallOutcome } from '../mcp/call-outcome.js';

/** What a step is given to work with. */
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
  /** What `<server>.<tool>` or `<extension>.<operation>` refers to, with aliases resolved. */
  target?: { name: string; operation: string };
  /** The agent's working directory. */
  workdir: string;
  /** A private folder for files that the agent must not see. */
  harnessFolder: string;
  environment: NodeJS.ProcessEnv;
  /** The agent's prompt and answer, as far as they are known. */
  agent: { prompt?: string; output?: string };
  /** Milliseconds that the step may take. */
  timeoutMs: number;
  /**
   * Replaces placeholders; throws UnresolvedPlaceholderError. `quote` escapes a value for its place:
   * text of an agent or server must not become syntax, such as that of a pattern.
   */
  resolve(text: string, quote?: (value: string) => string): string;
  /** Registers a process that the step started: it is stopped with the task run at the latest. */
  started(group: ProcessGroup): void;
  services: StepServices;
  /** Aborted at the step's own limit, the task's limit, or when the run is interrupted. */
  signal: AbortSignal;
}

/** The result of a step. */
export interface StepResult {
  /** `error`: it could not be judged, for example because a program is missing. */
  outcome: 'passed' | 'failed' | 'error' | 'stopped';
  /** Why it did not pass, in a sentence. */
  message?: string;
  /** A warning although it passed. */
  warning?: { code: WarningCode; message: string };
  /** Outputs that later steps can refer to. */
  outputs: Readonly<Record<string, string>>;
  /** Names of outputs that were cut. */
  truncated?: string[];
  /** Private files with the whole of outputs that were cut, up to a limit. */
  spilled?: Readonly<Record<string, string>>;
  account?: StepAccount;
  /** Whether it was stopped before a verdict, which makes it an error and not a failure. */
  isUnjudged?: true;
}

/** Runs a step; `data` is the value of the step's type. A rejection is an error of the step. */
export type RunStep = (data: unknown, context: StepContext) => Promise<StepResult>;

/** A question to the judge. */
export interface JudgeQuestion {
  mode: JudgeMode;
  reference: string;
  /** The agent's prompt and its answer. */
  prompt: string;
  answer: string;
  /** How many votes are asked for. */
  votes: number;
}

/** A request to run an operation of an extension. */
export interface ExtensionRequest {
  operation: string;
  args: Readonly<Record<string, unknown>>;
  context: ExtensionContext;
}

export interface ExtensionContext {
  /** The agent's working directory. */
  workdir: string;
  phase: 'setup' | 'verify' | 'cleanup';
  env: Readonly<Record<string, string>>;
  /** Timeout of the step as a duration. */
  timeout: string;
  /** The agent's prompt and answer; both are unknown in setup. */
  agent: { prompt?: string; output?: string };
}

/** The answer of an extension to a request. */
export interface ExtensionAnswer {
  success: boolean;
  message?: string;
  error?: string;
  outputs: Readonly<Record<string, string>>;
  log: { level: string; message: string }[];
}

/** What steps need from other rooms. A rejection is an error of the step. */
export interface StepServices {
  /** Calls a tool on the task run's connection; it does not count as a call of the agent. */
  callTool(
    server: string,
    tool: string,
    args: Readonly<Record<string, unknown>> | undefined,
    signal: AbortSignal,
  ): Promise<CallOutcome>;
  /** Asks the judge; a missing verdict is part of the judgement. */
  judge(question: JudgeQuestion, signal: AbortSignal): Promise<Judgement>;
  execute(
    extension: string,
    request: ExtensionRequest,
    signal: AbortSignal,
  ): Promise<ExtensionAnswer>;
}
