import { RawJson } from '../../base/json-text.js';
import type { AgentData } from '../../config/schemas/agent-schema.js';
import { type CallOutcome, McpError } from '../../mcp/mcp-client.js';
import type { AgentResult, AgentTask } from '../agent.js';
import { QuoteError, withQuotes } from './quotes.js';
import { requestOf } from './script-request.js';
import { ServerSessions } from './server-sessions.js';

export type Rule = NonNullable<AgentData['scripted']>[number];
type Action = Rule['do'][number];
type End = Pick<AgentResult, 'end' | 'failure'>;

/** Plays the actions of a rule, one after the other; a call that fails does not end it. */
export async function playScript({ do: actions }: Rule, task: AgentTask): Promise<AgentResult> {
  const player = new ScriptPlayer(task);
  try {
    const end = await player.play(actions);
    return { ...end, ...player.left };
  } finally {
    await player.close();
  }
}

class ScriptPlayer {
  readonly #task: AgentTask;
  readonly #sessions: ServerSessions;
  /** By the number of the action. */
  readonly #results = new Map<number, CallOutcome>();
  #output = '';

  constructor(task: AgentTask) {
    this.#task = task;
    this.#sessions = new ServerSessions(task.servers, task.signal);
  }

  /** What stays, whatever the end. */
  get left(): Pick<AgentResult, 'output' | 'unusableServers'> {
    const { unusable } = this.#sessions;
    return { output: this.#output, ...(unusable.length > 0 && { unusableServers: unusable }) };
  }

  async play(actions: readonly Action[]): Promise<End> {
    try {
      for (const [index, action] of actions.entries()) {
        if (this.#task.signal.aborted) return { end: 'stopped' };
        const end = await this.#act(action, index + 1);
        if (end) return end;
      }
      return { end: 'finished' };
    } catch (error) {
      if (error instanceof QuoteError) return failed(error.message);
      if (error instanceof McpError && error.isOurs) return { end: 'stopped' };
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#sessions.close();
  }

  async #act(action: Action, number: number): Promise<End | undefined> {
    const task = this.#task;
    const quotable = { prompt: task.prompt, results: this.#results };
    const { say, fail } = action;
    if (fail !== undefined) return failed(withQuotes(fail, quotable));
    if (say !== undefined) {
      this.#output = withQuotes(say, quotable);
      task.report({ kind: 'message', text: this.#output });
      return undefined;
    }
    const id = String(number);
    const { server, tool, args, send } = requestOf(action, quotable);
    task.report({ kind: 'tool-call', tool, id, args: new RawJson(args) });
    const outcome = await this.#sessions.use(server, send);
    this.#results.set(number, outcome);
    task.report({ kind: 'tool-result', id, isError: outcome.isError, text: outcome.text });
    return undefined;
  }
}

function failed(message: string): End {
  return { end: 'failed', failure: { code: 'failed', message } };
}
