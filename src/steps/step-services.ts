import type { JudgeMode, Judgement } from '../journal/step-events.js';
import type { CallOutcome } from '../mcp/call-outcome.js';

/** What a judge is asked. */
export interface JudgeQuestion {
  mode: JudgeMode;
  reference: string;
  /** What the agent was asked to do, and what it answered. */
  prompt: string;
  answer: string;
  /** How often it is asked. */
  votes: number;
}

/** What an extension is asked to do. */
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
  /** Of the step, as a duration. */
  timeout: string;
  /** As far as they are known: neither in setup. */
  agent: { prompt?: string; output?: string };
}

/** What an extension made of it. */
export interface ExtensionAnswer {
  success: boolean;
  message?: string;
  error?: string;
  outputs: Readonly<Record<string, string>>;
  log: { level: string; message: string }[];
}

/** What steps ask for and cannot do themselves. A rejection is an error of the step. */
export interface StepServices {
  /** On the task's own connection to the server; not counted as a call of the agent. */
  callTool(
    server: string,
    tool: string,
    args: Readonly<Record<string, unknown>> | undefined,
    signal: AbortSignal,
  ): Promise<CallOutcome>;
  /** A judge that gives no verdict is told in the judgement. */
  judge(question: JudgeQuestion, signal: AbortSignal): Promise<Judgement>;
  execute(
    extension: string,
    request: ExtensionRequest,
    signal: AbortSignal,
  ): Promise<ExtensionAnswer>;
}
