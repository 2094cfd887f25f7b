import type { AgentStep, TokenUsage } from './agent-step.js';
import type { SpentBudget } from './budget.js';
import type { CostSource } from './cost-source.js';
import type { FailureCategory } from './failure-categories.js';
import type { JudgeUsage } from './judge-usage.js';
import type { RawJson } from './raw-json.js';
import type { StepAccount } from './step-account.js';
import type { WarningCode } from './warning-codes.js';

/** Name and version of the journal's format; its first line carries it. */
export const journalSchema = 'mcp-proctor/journal/v1';

/** An event before the journal has given it its place. */
export type EventBody =
  | RunStarted
  | RunResumed
  | ServerChecked
  | TaskRunStarted
  | PhaseStarted
  | StepStarted
  | StepEnded
  | AgentOutput
  | McpMessage
  | McpCall
  | PhaseEnded
  | WaitStarted
  | WaitEnded
  | AssertionChecked
  | TaskRunEnded
  | RunsDecided
  | Warning
  | RunEnded;

/** An event of the journal: one line of it. */
export type JournalEvent = EventBody & {
  /** Counts up from 1 without gaps. */
  seq: number;
  /** Wall time, ISO 8601 with milliseconds. */
  at: string;
};

/** Takes events as they happen. */
export interface EventSink {
  /** Appends an event and tells its seq. */
  write(event: EventBody): number;
  /** While the sink is behind: settles when it can take more. Whoever produces events waits for it. */
  pressure(): Promise<void> | undefined;
  /** Takes the secrets out of a text that is cut before it is written: half of one is not found. */
  redact(text: string): string;
}

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
  }[];
  /** With `check`. */
  evaluation?: Evaluation;
}

/** What is evaluated, and how: all that `--resume` has to compare with. */
export interface Evaluation {
  /** Of this evaluation alone; every process that it starts has it as PROCTOR_RUN_ID. */
  id: string;
  eval: { name: string; file: string };
  /** Every file of the suite, relative to the eval's folder. */
  files: SuiteFile[];
  /** None: the variants have different ones. */
  agent?: AgentIdentity;
  /** Of a matrix. */
  variants?: VariantIdentity[];
  /** None: no step needs one. */
  judge?: AgentIdentity;
  /** The options that decide what runs, by their names on the command line. */
  options: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  environment: RunEnvironment;
  /** How many task runs were planned; with `--runs auto`, at least. */
  taskRuns: number;
  /** Pid, and when it started as the operating system tells it: a later one with the same pid is another. */
  process: { pid: number; startTime: string };
  /** Folder of everything that is gone when the run is over. */
  workspace: string;
}

/** A file that decides what task runs do. */
export interface SuiteFile {
  path: string;
  /** Of its bytes. */
  sha256: string;
  /** Of the eval: that of what it says, but for `limits`, which do not decide what runs. */
  withoutLimits?: string;
}

/** The agent, as far as is known before it runs. */
export interface AgentIdentity {
  name: string;
  /** `command`, `claude-code`, `openai-agent`, `llm-agent`, `acp`, `scripted`; `none` with --control. */
  type: string;
  model?: string;
  version?: string;
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

/** A killed or interrupted evaluation goes on in the same journal. */
export interface RunResumed {
  type: 'run-resumed';
  proctor: string;
  process: { pid: number; startTime: string };
  workspace: string;
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

/** What a server offers, asked once before anything runs. */
export interface ServerChecked {
  type: 'server-checked';
  server: string;
  /** Where a matrix has several MCP configs: whose it is. */
  mcpConfigFile?: string;
  protocolVersion: string;
  serverInfo?: { name: string; version: string };
  /** As the server lists them: what it says, nothing left out. */
  tools: RawJson;
  resources: RawJson;
  resourceTemplates: RawJson;
  prompts: RawJson;
  /** Names of the tools that the MCP config lets the agent call. */
  allowedTools: string[];
  durationMs: number;
}

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
  difficulty?: string;
  labels: Readonly<Record<string, string>>;
  workdir: string;
  /** What {random.id} and {random.port} stand for. */
  random: { id: string; port: number };
  timeoutMs?: number;
  cleanupTimeoutMs?: number;
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
  permissionDenials?: { tool: string }[];
  /** A step of cleanup failed. */
  cleanupFailed?: true;
  /** Where the working directory is, if it was kept. */
  workdir?: string;
}

/**
 * With `--runs auto`: what the runs of a task so far decide about others. Written when it needs more than
 * was known, and when it is settled.
 */
export interface RunsDecided {
  type: 'runs-decided';
  task: string;
  /** Of a matrix: whose runs they are. */
  variant?: string;
  /** How many it has in all; as long as it is not settled, at least. */
  runs: number;
  /** How many of them were not planned before. */
  more: number;
  passed: number;
  /** Those that passed, failed or ran into their limit. */
  judged: number;
  /** Of its pass rate, 95 %; null: nothing was judged. */
  interval: { low: number; high: number } | null;
  /** It needs no more: the interval is narrow enough (`width`), or there may be no more (`max`). */
  settled?: 'width' | 'max';
}

/** What belongs to one task run says which; without it, it belongs to the whole run. */
interface OfTaskRun {
  taskRun?: string;
}

/** Where traffic with a server was seen. */
export interface OnServer extends OfTaskRun {
  server: string;
  /** Sessions of a server count from 1; without one, the request stood for itself (2026-07-28). */
  session?: number;
  /** `harness`: one of our own steps, not the agent. */
  by?: 'harness';
}

/** A JSON-RPC message that reached the proxy, or that it answered with in the server's place. */
export interface McpMessage extends OnServer {
  type: 'mcp-message';
  direction: 'to-server' | 'to-agent';
  message: RawJson;
  /** Length of the message in UTF-8. */
  bytes: number;
  /** It stayed with the proxy: blocked, answered in the server's place, or of no use to the server. */
  held?: true;
}

export type CallKind = 'tool' | 'resource' | 'prompt' | 'other';

/** A logical call that has ended: one request of the agent, with whatever belongs to it. */
export interface McpCall extends OnServer {
  type: 'mcp-call';
  /** Place in the order of arrival, over all servers of the task run; counts from 1. */
  call: number;
  kind: CallKind;
  method: string;
  /** Tool or prompt; of a resource its URI. */
  name?: string;
  args?: RawJson;
  result?: RawJson;
  /** The JSON-RPC error, or what went wrong on the way, in that shape. */
  error?: RawJson;
  /** A tool said so in its result, or there is an error. */
  isError: boolean;
  /** The policy did not let it through to the server. */
  blocked?: true;
  /** The agent called it off. */
  cancelled?: true;
  /** It had no answer when the task run ended. */
  unfinished?: true;
  /** How often the agent sent it again to answer `input_required`. */
  retries?: number;
  /** The server answered with a task; the result is the task's, if the agent fetched it. */
  task?: string;
  startedAt: string;
  durationMs: number;
  /** Length of the messages in UTF-8, retries included. */
  bytes: { request: number; response: number };
  /** Tokens (cl100k_base) of arguments and result. */
  tokens?: { args: number; result: number };
  /** Events of the messages: the first request, the last answer. */
  request: number;
  response?: number;
}

/** Something that deserves a look, but is no message of the protocol. */
export interface Warning extends OfTaskRun {
  type: 'warning';
  code: WarningCode;
  message: string;
  server?: string;
  /** What it is about, cut to a sensible length: a line of output, the end of a log. */
  details?: string;
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
