import type { AgentData } from '../config/schemas/agent-schema.js';
import type { AgentIdentity } from '../journal/run-events.js';
import type { AgentStep } from '../journal/step-events.js';
import type { CostSource, TokenUsage } from '../journal/usage.js';
import type { ModelGate } from '../limits/rate-limiter.js';

/** An agent as the suite defines it, whichever way it was named. */
export interface AgentDefinition {
  /** The name to show: `metadata.name`, else the file's name or the type. */
  name: string;
  data: AgentData;
  /** Path of the Agent file, as shown to users. Undefined for a builtin that the eval names. */
  file?: string;
}

/** An MCP server that an agent may use in one task run. */
export interface AgentServer {
  name: string;
  /** Streamable HTTP on loopback: the recording proxy. */
  url: string;
  /** Names of the tools that the agent may call; the proxy blocks the others. */
  allowedTools: readonly string[];
  /** The server's other tools, and the setting that blocks them. */
  restriction?: { by: string; tools: readonly string[] };
}

/** One task for an agent. */
export interface AgentTask {
  /** Name of the task, for scripted agents alone: it must not be visible to a program or a model. */
  name?: string;
  prompt: string;
  servers: readonly AgentServer[];
  /** A fresh and empty folder for this task run. */
  workdir: string;
  /** A private folder (0700) for the files that the agent needs: configuration, the prompt. */
  privateFolder: string;
  /** The environment that the agent inherits; programs get it without variables that reveal Proctor, and with `env` on top. */
  environment: NodeJS.ProcessEnv;
  /** Aborted: the agent stops everything it started and settles soon, with `stopped`. */
  signal: AbortSignal;
  /** Called with each step as it happens. */
  report(step: AgentStep): void;
  /** Rate limits, for agents whose model requests Proctor makes. Undefined: nothing is limited. */
  turns?: ModelGate;
  /** Called after each round of tool calls. True: the agent may end there, as finished. */
  isDone?(): boolean;
}

/** How an agent ended, and what it reported. */
export interface AgentResult {
  /** `finished`: it ended by itself, whatever it achieved. */
  end: 'finished' | 'failed' | 'stopped';
  /** Why it failed. Also there with `stopped`, if its model had never answered. */
  failure?: AgentFailure;
  /** The agent's last message; for a command what it wrote to stdout. */
  output: string;
  usage?: TokenUsage;
  /** Cost in US dollars. */
  cost?: number;
  /** Where the cost comes from. Undefined: the agent reported it. */
  costSource?: CostSource;
  /** Tools that the agent's own permission system denied. */
  permissionDenials?: readonly PermissionDenial[];
  /** Servers that the agent could not use, by its own report. */
  unusableServers?: readonly { name: string; status: string }[];
  /** The model that really answered. */
  model?: string;
  /** Every answer of its model, if the agent makes the requests itself: a price is that of one request. */
  answers?: readonly ModelAnswer[];
  /** Why the cost is unknown although the model has a price, as a clause of a sentence. */
  unpriced?: string;
}

/** One answer of a model, as it is billed. */
export interface ModelAnswer {
  /** When the answer had arrived. */
  at: Date;
  /** The model that answered, as the API names it. */
  model?: string;
  /** Undefined: the API did not report it. */
  usage?: TokenUsage;
}

/** A tool that the agent was denied, by the agent's name for it. */
export interface PermissionDenial {
  tool: string;
  /** The reason as a clause of a sentence, if it is known. */
  reason?: string;
}

export interface AgentFailure {
  /** `not-started`: it never got the prompt. */
  code: 'not-started' | 'failed';
  /** A single sentence. */
  message: string;
  /** The end of the agent's log, and other details. */
  details?: string;
}

/** Something that a run needs and that is missing. */
export interface AgentProblem {
  message: string;
  /** How to fix it. */
  hint?: string;
}

/** What a check of an agent finds before it gets a task. */
export interface AgentReadiness {
  problems: readonly AgentProblem[];
  /** Version of its program. */
  version?: string;
}

/** The day on which a provider shuts a model down. */
export interface ModelShutdown {
  /** The model with its provider, as in `openai:gpt-5`. */
  model: string;
  /** A date such as 2026-12-11. */
  date: string;
  /** False: the date comes from the table in Proctor. */
  isFromProvider: boolean;
}

/** Where the cost of an agent comes from. */
export type AgentBilling =
  /** The agent reports it. */
  | { by: 'agent' }
  /** The agent reports the tokens that it took, of this model. */
  | { by: 'tokens'; provider: string; model: string }
  /** The agent costs nothing. */
  | { by: 'free' }
  /** The agent reports neither. */
  | { by: 'silence' };

export interface Agent {
  readonly identity: AgentIdentity;
  /** Undefined: only a run can show it. */
  billing?(environment: NodeJS.ProcessEnv): AgentBilling | undefined;
  /** Checks its program, key and model, without anything that costs money. */
  prepare(context: {
    environment: NodeJS.ProcessEnv;
    signal: AbortSignal;
  }): Promise<AgentReadiness>;
  /** Finds when the model is shut down, which costs nothing. Undefined: no date is known. */
  findShutdown?(context: {
    environment: NodeJS.ProcessEnv;
    signal: AbortSignal;
  }): Promise<ModelShutdown | undefined>;
  /** Does a task. Never rejects for what an agent does; a rejection is a bug in Proctor. */
  run(task: AgentTask): Promise<AgentResult>;
}

/** Why an agent could not be started; the message is a sentence for users. */
export class NotStartedError extends Error {
  readonly details: string | undefined;

  constructor(message: string, details?: string) {
    super(message);
    this.name = 'NotStartedError';
    this.details = details;
  }
}

/** Runs an agent, and turns a NotStartedError into a failed result. */
export async function reportNotStarted(run: () => Promise<AgentResult>): Promise<AgentResult> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof NotStartedError)) throw error;
    const { message, details } = error;
    const failure = { code: 'not-started' as const, message, ...(details && { details }) };
    return { end: 'failed', failure, output: '' };
  }
}
