import { closeSync, openSync, writeSync } from 'node:fs';
import type { AgentCall } from '../../assertions/assertion.js';
import { quoteInexactNumbers } from '../../base/json-text.js';
import { formatEventLine, type JournalEvent } from '../../journal/event.js';
import { type AgentMcpCall, isAgentCall, type McpCall } from '../../journal/mcp-events.js';
import { countCall, noCalls } from './call-counts.js';

/** The agent's calls of one task run, as they end: counted, for assertions, and as a file. */
export class RecordedCalls {
  readonly counts = noCalls();
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

  /** Completes the file with the calls as a list of JSON, and tells where it is. */
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
      // Whoever wants the file is told; the proxy, which brings the calls, could do nothing about it.
      this.#failure = error;
    }
  }
}

function agentCall(event: AgentMcpCall): AgentCall {
  const { call, kind, server, name = '', args, isError, blocked = false } = event;
  return {
    call,
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
