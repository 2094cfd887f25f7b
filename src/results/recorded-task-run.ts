import type { AgentCall } from '../assertions/check.js';
import type { Judging, Outcome } from '../journal/task-run-events.js';

/** A verdict of an assertion as it was at the time. */
export interface RecordedAssertion {
  name: string;
  passed: boolean;
  reason: string;
  /** Where it was written, if the record says so. */
  at: { file: string; line: number } | null;
}

/** A call of a tool of the agent's own, by its own account. */
export interface RecordedToolStep {
  tool: string;
  args: unknown;
  /** The agent says that it was refused, or went wrong. */
  failed: boolean;
}

/** A step of setup or verify that ran. */
export interface RecordedStep {
  phase: 'setup' | 'verify';
  /** Place in its phase, from 1. */
  step: number;
  type: string;
  id: string | undefined;
  outputs: Readonly<Record<string, string>>;
  truncated: readonly string[];
  /** Of a judge: what it said, or why it said nothing. */
  verdict: { passed: boolean | null; reason: string } | undefined;
}

/** A task run out of any kind of results, as far as it can be judged again. */
export interface RecordedTaskRun {
  task: string;
  /** Null: there is no matrix. */
  variant: string | null;
  run: number;
  /** Null: it is a session of a recording, which nobody judged. */
  outcome: Outcome | null;
  /** Why there is nothing to judge: the agent did not come to its end. */
  unfinished: string | undefined;
  assertions: RecordedAssertion[];
  /** In order of arrival. */
  calls: AgentCall[];
  /** Undefined if this kind of results does not have them. */
  toolSteps: RecordedToolStep[] | undefined;
  /** What the agent was asked and answered. Undefined if this kind of results does not tell. */
  prompt: string | undefined;
  output: string | undefined;
  /** What judged it. Undefined if the record does not tell. */
  judging: Judging | undefined;
  /** In order. */
  steps: RecordedStep[];
  /** What {random.id} and {random.port} stood for; results do not tell, a journal does. */
  random: { id: string; port: number } | undefined;
}
