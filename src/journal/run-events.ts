import type { RawJson } from '../base/json-text.js';

/** Name and version of the journal's format; its first line carries it. */
export const journalSchema = 'mcp-proctor/journal/v1';

/** The first event. */
export interface RunStarted {
  type: 'run-started';
  schema: typeof journalSchema;
  proctor: string;
  /** What wrote this journal. */
  command: 'proxy' | 'check';
  mcpServers: {
    name: string;
    transport: 'http' | 'stdio' | 'sse';
    /** Where a matrix has several: whose it is. */
    mcpConfigFile?: string;
    /**
     * With `proxy`: its entry in the MCP config as it is written, with references to variables; its
     * folder is whole, and secrets are redacted.
     */
    config?: Readonly<Record<string, unknown>>;
  }[];
  /** With `check`. */
  evaluation?: Evaluation;
}

/** What is run, and how: all that `--resume` has to compare with. */
export interface Evaluation {
  /** Unique id of this run; every process that it starts is marked with it. */
  id: string;
  eval: { name: string; file: string };
  /** Every file of the suite, relative to the eval's folder. */
  files: SuiteFile[];
  /** Undefined: the variants have different agents. */
  agent?: AgentIdentity;
  /** The variants of a matrix. */
  variants?: VariantIdentity[];
  /** Undefined: no step needs a judge. */
  judge?: AgentIdentity;
  /** The options that decide what runs, by their names on the command line. */
  options: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  environment: RunEnvironment;
  /** How many task runs were planned; with `--runs auto`, at least. */
  taskRuns: number;
  /** Pid, and when it started as the operating system reports it: a later one with the same pid is another. */
  process: { pid: number; startTime: string };
  /** Folder of everything that is gone when the run is over; with a queue, workers have theirs. */
  workspace?: string;
  /** With `--queue`: its id there. */
  queue?: string;
}

/** A file that decides what task runs do. */
export interface SuiteFile {
  path: string;
  /** Digest of its bytes. */
  sha256: string;
  /** For the eval: digest of its content but for `limits`, which do not decide what runs. */
  withoutLimits?: string;
  /** Whether it is a server's program, named by the MCP config. Earlier journals have none of these. */
  isProgram?: true;
}

/** The agent, as far as is known before it runs. */
export interface AgentIdentity {
  name: string;
  /** `command`, `claude-code`, `openai-agent`, `llm-agent`, `acp`, `scripted`; `none` with --control. */
  type: string;
  model?: string;
  version?: string;
  /** Digest of its settings and of the skills that it is given. */
  settings?: string;
}

/** A combination of the matrix. */
export interface VariantIdentity {
  name: string;
  agent: AgentIdentity;
  /** Where the matrix has several. */
  mcpConfigFile?: string;
}

export interface RunEnvironment {
  node: string;
  platform: string;
  arch: string;
}

/** A killed or interrupted run goes on in the same journal. */
export interface RunResumed {
  type: 'run-resumed';
  proctor: string;
  process: { pid: number; startTime: string };
  workspace?: string;
  /** With `--queue`: its id there from now on. */
  queue?: string;
  /** Task runs that are still to do. */
  missing: number;
  /** Files that changed since, with --force. */
  changed?: string[];
  /** With --force: what counts from now on. */
  files?: Evaluation['files'];
  options?: Evaluation['options'];
  agent?: AgentIdentity;
  variants?: VariantIdentity[];
  judge?: AgentIdentity;
}

/** What a server offers, asked once before anything runs, or after the setup of a task run. */
export interface ServerChecked {
  type: 'server-checked';
  /** The task run, if the server is only there in one. */
  taskRun?: string;
  server: string;
  /** Where a matrix has several MCP configs: whose it is. */
  mcpConfigFile?: string;
  protocolVersion: string;
  serverInfo?: { name: string; version: string };
  /** The tools as the server lists them, nothing left out. */
  tools: RawJson;
  resources: RawJson;
  resourceTemplates: RawJson;
  prompts: RawJson;
  /** Names of the tools that the MCP config lets the agent call. */
  allowedTools: string[];
  durationMs: number;
}

/**
 * With `--runs auto`: what the runs of a task so far decide about others. Written when it needs more than
 * was known, and when it is settled.
 */
export interface RunsDecided {
  type: 'runs-decided';
  task: string;
  /** The variant of the matrix whose runs they are. */
  variant?: string;
  /** How many it has in all; as long as it is not settled, at least. */
  runs: number;
  /** How many of them were not planned before. */
  more: number;
  passed: number;
  /** Those that passed, failed or ran into their limit. */
  judged: number;
  /** 95 % interval of its pass rate; null: nothing was judged. */
  interval: { low: number; high: number } | null;
  /** It needs no more: the interval is narrow enough (`width`), or there may be no more (`max`). */
  settled?: 'width' | 'max';
}

/** The last event. */
export interface RunEnded {
  type: 'run-ended';
  durationMs: number;
  calls: number;
  /** It was stopped before every task run was done; `--resume` goes on. */
  interrupted?: true;
  /** `--bail` left some out. */
  bailed?: true;
  /** A budget of the whole check left some out; `--resume` goes on. */
  budget?: SpentBudget;
}

export const budgetKinds = ['cost', 'tokens', 'duration'] as const;
export type BudgetKind = (typeof budgetKinds)[number];

/** How far a budget of a whole check is spent: in US dollars, tokens or milliseconds. */
export interface SpentBudget {
  kind: BudgetKind;
  limit: number;
  /** More than the limit, where task runs that were under way came to their end. */
  spent: number;
}
