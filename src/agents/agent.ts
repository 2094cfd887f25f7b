import type { AgentData } from '../config/schemas/agent-schema.js';
import type { AgentIdentity } from '../journal/run-events.js';
import type { AgentStep } from '../journal/step-events.js';
import type { CostSource, TokenUsage } from '../journal/usage.js';
import type { ModelTurns } from '../limits/rate-limiter.js';

/** An agent as the suite defines it, whichever way it was named. */
export interface AgentDefinition {
  /** For people: `metadata.name`, else the file's name or the type. */
  name: string;
  data: AgentData;
  /** The Agent file, as people can open it. None: it is a builtin that the eval names. */
  file?: string;
}

/** An MCP server, as one task run of the agent may use it. */
export interface AgentServer {
  name: string;
  /** Streamable HTTP on loopback: the recording proxy. */
  url: string;
  /** Names of the tools that the agent may call; the proxy blocks the others. */
  allowedTools: readonly string[];
  /** What it offers besides, and the setting that keeps the agent from it. */
  restriction?: { by: string; tools: readonly string[] };
}

/** One task for an agent. */
export interface AgentTask {
  /** Name of the task, for scripts alone: no program and no model may get to know it. */
  name?: string;
  prompt: string;
  servers: readonly AgentServer[];
  /** Fresh and empty, for the agent alone. */
  workdir: string;
  /** A private folder (0700) for files that the agent is handed: configuration, the prompt. */
  privateFolder: string;
  /** What the agent inherits: its program as far as it says nothing of Proctor, with the agent's own `env` on top. */
  environment: NodeJS.ProcessEnv;
  /** Aborted: the agent stops everything it started and settles soon, with `stopped`. */
  signal: AbortSignal;
  /** Called with each step as it happens. */
  report(step: AgentStep): void;
  /** Asked before each request to a model, by agents whose requests are ours. None: nothing is limited. */
  turns?: ModelTurns;
  /** Asked after each round of tool calls. True: the agent may end there, as finished. */
  isDone?(): boolean;
}

/** How an agent ended, and what it leaves. */
export interface AgentResult {
  /** `finished`: it came to its own end, whatever it achieved. */
  end: 'finished' | 'failed' | 'stopped';
  /** With `failed`; with `stopped`, why it had not come to work: its model never answered. */
  failure?: AgentFailure;
  /** Its last message; of a command what it wrote to stdout. */
  output: string;
  usage?: TokenUsage;
  /** In US dollars. */
  cost?: number;
  /** How the cost came about. None: the agent reported it. */
  costSource?: CostSource;
  /** Tools that the agent itself refused to use, as it was not allowed to. */
  permissionDenials?: readonly PermissionDenial[];
  /** Servers that the agent says it could not use. */
  unusableServers?: readonly { name: string; status: string }[];
  /** What it found out about itself: the model that really answered. */
  model?: string;
  /** Each answer of its model, if the agent asks that itself: prices are those of one request. */
  answers?: readonly ModelAnswer[];
  /** Why nobody knows what it cost, although the model that was asked has a price. Part of a sentence. */
  unpriced?: string;
}

/** One answer of a model, as it is billed. */
export interface ModelAnswer {
  /** When it had come. */
  at: Date;
  /** Who says that it answered. */
  model?: string;
  /** None: the API did not say. */
  usage?: TokenUsage;
}

/** A tool that the agent did not get, by its own name. */
export interface PermissionDenial {
  tool: string;
  /** Half a sentence, as far as it is known. */
  reason?: string;
}

export interface AgentFailure {
  /** `not-started`: it never got the prompt. */
  code: 'not-started' | 'failed';
  /** One sentence. */
  message: string;
  /** The end of its log, and what else helps. */
  details?: string;
}

/** Something that has to be there before anything runs, and is not. */
export interface AgentProblem {
  message: string;
  /** How to get it. */
  hint?: string;
}

/** What can be told about an agent without giving it a task. */
export interface AgentReadiness {
  problems: readonly AgentProblem[];
  /** Of its program. */
  version?: string;
}

/** The day on which a provider takes a model away. */
export interface ModelShutdown {
  /** With its provider. */
  model: string;
  /** As in 2026-12-11. */
  date: string;
  /** Otherwise it was known when Proctor was made. */
  isFromProvider: boolean;
}

/** How one gets to know what an agent costs. */
export type AgentBilling =
  /** It says so itself. */
  | { by: 'agent' }
  /** It says how many tokens it took, of this model. */
  | { by: 'tokens'; provider: string; model: string }
  /** There is nothing to pay. */
  | { by: 'nobody' }
  /** It tells neither. */
  | { by: 'silence' };

export interface Agent {
  readonly identity: AgentIdentity;
  /** Undefined: only a run can tell. */
  billing?(environment: NodeJS.ProcessEnv): AgentBilling | undefined;
  /** Looks for its program, key and model. Runs nothing that costs money. */
  prepare(context: {
    environment: NodeJS.ProcessEnv;
    signal: AbortSignal;
  }): Promise<AgentReadiness>;
  /** Asks when the model is shut down, which costs nothing. Undefined: no day is known. */
  findShutdown?(context: {
    environment: NodeJS.ProcessEnv;
    signal: AbortSignal;
  }): Promise<ModelShutdown | undefined>;
  /** Never rejects for what an agent does; a rejection is a bug of ours. */
  run(task: AgentTask): Promise<AgentResult>;
}
