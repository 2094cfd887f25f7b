import type { AgentStep, TokenUsage } from './agent-step.js';
import type { CostSource } from './cost-source.js';
import type { FailureCategory } from './failure-categories.js';
import type { JudgeUsage } from './judge-usage.js';
import type { Judging } from './judging.js';
import type { RawJson } from './raw-json.js';
import type { StepAccount } from './step-account.js';

export type PhaseName = 'setup' | 'agent' | 'verify' | 'cleanup';

export interface TaskRunStarted {
  type: 'task-run-started';
  /** Names it in every event that belongs to it. */
  taskRun: string;
  task: string;
  /** Of the task's file, relative to the eval's folder. */
  path: string;
  /** Of a matrix: who does it. */
  variant?: string;
  /** From 1. */
  run: number;
  /** With `--runs auto`: how many it will be at least, as far as is known by then. */
  runs: number;
  /** From 1; a later one takes the place of those before. */
  attempt: number;
  /** The worker that does it; none: the process of the check itself. */
  worker?: string;
  difficulty?: string;
  labels: Readonly<Record<string, string>>;
  workdir: string;
  /** What {random.id} and {random.port} stand for. */
  random: { id: string; port: number };
  timeoutMs?: number;
  cleanupTimeoutMs?: number;
  /** What judges it. None: it is not known, as an older version wrote this. */
  judging?: Judging;
}

export interface PhaseStarted {
  type: 'phase-started';
  taskRun: string;
  phase: PhaseName;
  /** Of the agent: what it is asked to do. */
  prompt?: string;
}

/** Which step of setup, verify or cleanup. */
interface OfStep {
  taskRun: string;
  phase: Exclude<PhaseName, 'agent'>;
  /** Place in its phase, from 1. */
  step: number;
  /** `script`, ... */
  kind: string;
  id?: string;
}

/** For whoever watches: what it comes to is in `step-ended`. */
export interface StepStarted extends OfStep {
  type: 'step-started';
}

export interface StepEnded extends OfStep, StepAccount {
  type: 'step-ended';
  /** Where the step is written. */
  source: { file: string; line: number };
  passed: boolean;
  /** `error`: it could not be judged, such as a program that is not there. */
  outcome: 'passed' | 'failed' | 'timeout' | 'error' | 'cancelled';
  /** Why it did not pass, in a sentence. */
  message?: string;
  /** What later steps can refer to. */
  outputs: Readonly<Record<string, string>>;
  /** Outputs that were cut. */
  truncated?: string[];
  /** Of outputs that were cut: the file with the whole, from the journal's folder. */
  files?: Readonly<Record<string, string>>;
  durationMs: number;
}

/** Something the agent said or did, by its own account, while it worked: an AgentStep. */
export interface AgentOutput {
  type: 'agent-output';
  taskRun: string;
  kind: AgentStep['kind'];
  text?: string;
  tool?: string;
  id?: string;
  args?: RawJson;
  isError?: boolean;
}

export interface PhaseEnded {
  type: 'phase-ended';
  taskRun: string;
  phase: PhaseName;
  outcome: 'passed' | 'failed' | 'timeout' | 'error' | 'cancelled';
  durationMs: number;
  message?: string;
  /** The end of a log, and what else helps to understand it. */
  details?: string;
}

/** What a task run waits for: a limit of the check makes it. */
interface OfWait {
  taskRun: string;
  /** That its agent may work, or that a model may be asked. */
  for: 'agent' | 'model';
  /** With `model`: which, as `provider:id`. */
  model?: string;
}

/** A task run waits already for a while. That time does not count against its limits. */
export interface WaitStarted extends OfWait {
  type: 'wait-started';
}

export interface WaitEnded extends OfWait {
  type: 'wait-ended';
  durationMs: number;
}

export interface AssertionChecked {
  type: 'assertion-checked';
  taskRun: string;
  /** The key in `assertions`. */
  name: string;
  passed: boolean;
  /** What was expected and what happened, in a sentence. */
  reason: string;
  details?: string[];
  /** Where the assertion is written. */
  source: { file: string; line: number };
  /** `call` numbers of the calls that show it. */
  calls: number[];
}

export type Outcome = 'passed' | 'failed' | 'timeout' | 'error' | 'cancelled';

export interface Failure {
  category: FailureCategory;
  message: string;
  /** `seq` of the event that shows it. */
  evidence: number;
}

/** The verdict. Everything else that belongs to the task run stands before it. */
export interface TaskRunEnded {
  type: 'task-run-ended';
  taskRun: string;
  task: string;
  variant?: string;
  run: number;
  outcome: Outcome;
  failure?: Failure;
  /** Null: nothing was verified, as there is nothing to verify or it did not come to it. */
  verified: boolean | null;
  /** Null: there is no assertion, or it did not come to them. */
  assertionsHeld: boolean | null;
  startedAt: string;
  durationMs: number;
  /** Part of it: waiting because of limits of the check, which counted against no limit of the task. */
  waitedMs?: number;
  /** The agent's answer. */
  output: string;
  usage?: TokenUsage;
  /** In US dollars: as the agent reports it, or by its tokens and the price of its model. */
  cost?: number;
  /** Which of the two. */
  costSource?: CostSource;
  /** What its judgements took, as far as is known. */
  judge?: JudgeUsage;
  /** Tool, resource and prompt calls of the agent, and what they cost in tokens (cl100k_base). */
  calls: { tool: number; resource: number; prompt: number; errors: number; tokens: number };
  /** Tools that the agent itself did not let through. */
  permissionDenials?: { tool: string; reason?: string }[];
  /** A step of cleanup failed. */
  cleanupFailed?: true;
  /** Where the working directory is, if it was kept. */
  workdir?: string;
}
