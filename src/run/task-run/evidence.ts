import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentCall } from '../../assertions/assertion.js';
import { quoteInexactNumbers } from '../../base/json-text.js';
import { formatEventLine, type JournalEvent } from '../../journal/event.js';
import { type AgentMcpCall, isAgentCall, type McpCall } from '../../journal/mcp-events.js';
import type { TaskRunEnded } from '../../journal/task-run-events.js';

/** What the agent answered and did, as files for scripts. */
export class EvidenceFiles {
  readonly calls: RecordedCalls;
  readonly #folder: string;

  constructor(harnessFolder: string) {
    this.#folder = harnessFolder;
    this.calls = new RecordedCalls(join(harnessFolder, 'calls.json'));
  }

  /** Writes the files, and returns the variables that name them. From here on no more calls are added. */
  async complete(answer: string): Promise<NodeJS.ProcessEnv> {
    const path = join(this.#folder, 'agent-output.txt');
    // An agent that tidies up may have removed it.
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    writeFileSync(path, answer, { mode: 0o600 });
    return { PROCTOR_AGENT_OUTPUT: path, PROCTOR_CALLS: this.calls.close() };
  }

  /** For task runs in which no script wanted them. */
  close(): void {
    try {
      this.calls.close();
    } catch {
      // No script wanted what could not be written.
    }
  }
}

/** The agent's calls of one task run, as they end: counted, for assertions, and as a file. */
export class RecordedCalls {
  readonly counts = createCallCounts();
  readonly #path: string;
  #file: number | undefined;
  #isClosed = false;
  #failure: unknown;

  constructor(path: string) {
    this.#path = path;
  }

  /** What assertions are to see of an event; undefined if it is no call of the agent's. */
  add(event: McpCall & JournalEvent): AgentCall | undefined {
    if (!isAgentCall(event) || this.#isClosed) return undefined;
    countCall(this.counts, event);
    this.#write(formatEventLine(event));
    return agentCall(event);
  }

  /** Completes the file with the calls as a list of JSON, and returns its path. */
  close(): string {
    if (!this.#isClosed) {
      const isEmpty = this.#file === undefined;
      this.#append(isEmpty ? '[]\n' : '\n]\n');
      if (this.#file !== undefined) closeSync(this.#file);
      this.#isClosed = true;
    }
    if (this.#failure !== undefined) throw this.#failure;
    return this.#path;
  }

  #write(line: string): void {
    this.#append(`${this.#file === undefined ? '[' : ','}\n${line}`);
  }

  /** At once: kept in memory, the calls of a long task run could fill it. */
  #append(text: string): void {
    if (this.#failure !== undefined) return;
    try {
      this.#file ??= openSync(this.#path, 'wx', 0o600);
      writeSync(this.#file, text);
    } catch (error) {
      // Thrown when the file is wanted; the proxy, which brings the calls, could do nothing about it.
      this.#failure = error;
    }
  }
}

function agentCall(event: AgentMcpCall): AgentCall {
  const { call, kind, server, name = '', args, isError, blocked = false } = event;
  return {
    number: call,
    kind,
    server,
    name,
    isError,
    blocked,
    // Most assertions never look.
    get args() {
      return args?.value;
    },
    get exactArgs() {
      return args && JSON.parse(quoteInexactNumbers(args.text));
    },
  };
}

export type CallCounts = TaskRunEnded['calls'];

export function createCallCounts(): CallCounts {
  return { tool: 0, resource: 0, prompt: 0, errors: 0, tokens: 0 };
}

/** Counts a call, if it is one of the agent's. */
export function countCall(counts: CallCounts, call: McpCall): void {
  if (!isAgentCall(call)) return;
  const { kind, isError, tokens } = call;
  counts[kind] += 1;
  if (isError) counts.errors += 1;
  counts.tokens += (tokens?.args ?? 0) + (tokens?.result ?? 0);
}
