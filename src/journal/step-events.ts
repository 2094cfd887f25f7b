import type { RawJson } from '../base/json-text.js';
import type { PhaseName } from './task-run-events.js';
import type { CostSource, TokenUsage } from './usage.js';

/** What a step did, besides its outputs. Texts are truncated to a sensible length. */
export interface StepAccount {
  /** For `script`: what was run. */
  script?: {
    /** From the task's folder; an inline script has none. */
    file?: string;
    /** The beginning of the script. */
    text: string;
  };
  /** For `http`: the request. */
  request?: {
    method: string;
    url: string;
    headers: Readonly<Record<string, string>>;
    body?: string;
  };
  /** For `http`: the response, after redirects. */
  response?: {
    status: number;
    headers: Readonly<Record<string, string>>;
    /** Length of the body. */
    bytes: number;
    /** Addresses that it was sent on to, in order. */
    redirects?: string[];
  };
  /** For `<server>.<tool>` and `<extension>.<operation>`: the arguments, placeholders replaced. */
  args?: RawJson;
  /** For `<extension>.<operation>`: what the extension logged while it ran. */
  log?: { level: string; message: string }[];
  /** For `llmJudge`: the votes and the verdict. */
  judgement?: Judgement;
  /** Every expectation that did not hold, with the value that was found. */
  unmet?: string[];
}

/** Which step of setup, verify or cleanup. */
interface StepMembers {
  taskRun: string;
  phase: Exclude<PhaseName, 'agent'>;
  /** Place in its phase, from 1. */
  step: number;
  /** `script`, ... */
  kind: string;
  id?: string;
}

/** For live display; the result is in `step-ended`. */
export interface StepStarted extends StepMembers {
  type: 'step-started';
}

export interface StepEnded extends StepMembers, StepAccount {
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
  /** Outputs that were truncated. */
  truncated?: string[];
  /** For each output that was truncated: the file with the whole, relative to the journal's folder. */
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

/** What an agent reports of its work, if it reports anything. */
export type AgentStep =
  | { kind: 'message'; text: string }
  | { kind: 'thinking'; text: string }
  /** `tool` is the agent's own name for it, such as `mcp__kubernetes__pods_list`. */
  | { kind: 'tool-call'; tool: string; id?: string; args?: RawJson }
  /** The text is truncated: the record of the calls has the whole. */
  | { kind: 'tool-result'; id?: string; isError: boolean; text: string }
  /** Diagnostic output, such as lines of stderr. */
  | { kind: 'log'; text: string };

/** How an answer is held against a reference. */
export const judgeModes = ['contains', 'exact', 'rubric'] as const;
export type JudgeMode = (typeof judgeModes)[number];

/** Why an answer did not pass, in the judge's own terms. */
export const judgementCategories = [
  'semantic_mismatch',
  'missing_information',
  'contains_extra_info',
  'n/a',
] as const;
export type JudgementCategory = (typeof judgementCategories)[number];

/** What the judge said when it was asked once. */
export interface Vote {
  /** Null: it gave no verdict, as `error` explains. */
  passed: boolean | null;
  reason?: string;
  failureCategory?: JudgementCategory;
  /** Why there is no verdict, of the last attempt. */
  error?: string;
  /** How often it had to be asked, from 1. */
  attempts: number;
}

/** What a judge made of an answer. */
export interface Judgement {
  mode: JudgeMode;
  /** What the answer was held against, with its placeholders replaced. */
  reference: string;
  /** What more than half of the votes say; null: there is no such majority. */
  passed: boolean | null;
  /** The reason of a vote that agrees; without a verdict: why there is none. */
  reason: string;
  failureCategory: JudgementCategory;
  votes: Vote[];
  /** The model that answered, if that is known. */
  model?: string;
  /** Over all attempts of all votes. */
  usage?: TokenUsage;
  /** The cost in US dollars. */
  cost?: number;
  /** How the cost came about. */
  costSource?: CostSource;
}
