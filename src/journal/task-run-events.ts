import type { CostSource, JudgeUsage, TokenUsage } from './usage.js';

export type PhaseName = 'setup' | 'agent' | 'verify' | 'cleanup';

export interface TaskRunStarted {
  type: 'task-run-started';
  /** Names it in every event that belongs to it. */
  taskRun: string;
  task: string;
  /** The path of the task's file, relative to the eval's folder. */
  path: string;
  /** The variant of the matrix that does it. */
  variant?: string;
  /** Which of its runs, from 1. */
  run: number;
  /** With `--runs auto`: how many it will be at least, as far as is known by then. */
  runs: number;
  /** Which attempt, from 1; a later one replaces those before. */
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
  /** With phase `agent`: what the agent is asked to do. */
  prompt?: string;
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
interface WaitMembers {
  taskRun: string;
  /** `agent`: until its agent may work; `model`: until a model may be asked. */
  for: 'agent' | 'model';
  /** With `model`: which, as `provider:id`. */
  model?: string;
}

/** A task run waits already for a while. That time does not count against its limits. */
export interface WaitStarted extends WaitMembers {
  type: 'wait-started';
}

export interface WaitEnded extends WaitMembers {
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
  /** The cost in US dollars: as the agent reports it, or by its tokens and the price of its model. */
  cost?: number;
  /** Whether the cost was reported or computed. */
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

/**
 * Why a task run did not pass. Codes are stable: people filter by them. The reference pages are made
 * from this table.
 */
export const failureCategories = {
  'verification-failed': 'A step of `verify` did not pass.',
  'assertion-failed': 'Verification passed, or there is none, and an assertion did not hold.',
  'setup-failed': 'A step of `setup` failed, so the agent did not run.',
  'step-error': 'A step of `verify` could not be judged, such as a program that was not found.',
  'judge-error': 'The LLM judge gave no verdict.',
  'agent-not-started': 'The agent could not be started, or not be given the prompt.',
  'agent-failed': 'The agent ended with an error, or without an answer.',
  'server-failed': 'An MCP server did not start, did not answer in time, or was unreachable.',
  'server-exited': 'An MCP server ended while it was needed.',
  'server-unauthorized': 'An MCP server answered with 401 or 403.',
  'worker-lost': 'Every worker that was given it was lost: killed, cut off, or out of reach.',
  timeout: "The task's time limit was reached.",
  cancelled: 'The run was interrupted.',
  'internal-error': 'A bug in Proctor.',
  unknown:
    'The record names no reason that this version knows, cannot be read, contradicts itself, or is redacted where it would tell.',
} as const;

export type FailureCategory = keyof typeof failureCategories;

/** A step as far as it decides a verdict. */
export interface StepDigest {
  /** `script`, `http`, ... */
  type: string;
  /** Digest of what the step does; for a script in a file, also of the file's content. */
  digest: string;
}

/** The LLM judge as far as it decides a verdict: neither its address nor its key does. */
export interface JudgeDigest {
  /** Undefined: the model is not named. */
  model?: string | undefined;
  /** Digest of its type, model and settings. */
  digest: string;
}

/**
 * What judges a task run, and what shapes it: digests of what was meant, so that a comment or the order
 * of keys changes nothing. Two task runs can be compared where theirs are alike. A part that is missing
 * is not known. Neither the agent nor the servers are in it: these are what gets compared.
 */
export interface Judging {
  /** Digest of the prompt, with its placeholders as they are written. */
  prompt?: string | undefined;
  /** Digests of assertions by name; what stands in several places under one name is one. */
  assertions?: Readonly<Record<string, string>> | undefined;
  setup?: readonly StepDigest[] | undefined;
  verify?: readonly StepDigest[] | undefined;
  /** Null: no step asks a judge. */
  judge?: JudgeDigest | null | undefined;
  /** The time limit of the task; null: there is none. */
  timeoutMs?: number | null | undefined;
}

/** Names a task run whatever attempt it is; two variants of a matrix do the same runs of a task. */
export function formatTaskRunKey({ task, run, variant }: TaskRunNumber): string {
  return JSON.stringify(variant == null ? [task, run] : [task, run, variant]);
}

/** The task run that a key names. */
export function parseTaskRunKey(key: string): TaskRunNumber {
  const [task, run, variant] = JSON.parse(key) as [string, number, string?];
  return { task, run, variant };
}

export interface TaskRunNumber {
  task: string;
  run: number;
  /** Undefined or null: there is no matrix. */
  variant?: string | null | undefined;
}

/** Formats the name of a task, with its variant if there is a matrix: `pets [claude]`. */
export function formatTaskName({ task, variant }: Pick<TaskRunNumber, 'task' | 'variant'>): string {
  return variant == null ? task : `${task} [${variant}]`;
}
