import { RawJson } from '../../base/json-text.js';
import { truncate } from '../../base/text.js';
import { compilePattern } from '../../config/patterns/pattern.js';
import type { AgentData } from '../../config/schemas/agent-schema.js';
import { type CallOutcome, McpClient, McpError } from '../../mcp/mcp-client.js';
import { JsonArguments } from '../../mcp/rpc-message.js';
import type { Agent, AgentDefinition, AgentResult, AgentServer, AgentTask } from '../agent.js';
import { fillJsonQuotes, fillQuotes, type Quotable, QuoteError } from './quotes.js';

/** How much of a prompt without a rule is quoted. */
const shownLength = 80;

/** An agent without a model, which follows its rules. */
export function createScriptedAgent({ name, data, file }: AgentDefinition): Agent {
  const { scripted: rules, metadata } = data;
  if (rules === undefined) throw new Error(`${name} has no script`);
  const version = metadata?.version;
  return {
    identity: { name, type: 'scripted', ...(version !== undefined && { version }) },
    billing: () => ({ by: 'free' }),
    prepare: async () => ({ problems: [] }),
    async run(task) {
      const rule = rules.find((candidate) => matchesRule(candidate, task));
      return rule ? playScript(rule, task) : describeMissingRule(task, file ?? `the agent ${name}`);
    },
  };
}

function matchesRule({ task, when }: Rule, { name, prompt }: AgentTask): boolean {
  if (task !== undefined && task !== name) return false;
  if (when === undefined) return true;
  const compiled = compilePattern(when);
  if (!compiled.ok) throw new Error(`the pattern ${when} was not validated`);
  return compiled.pattern.test(prompt);
}

function describeMissingRule({ name, prompt }: AgentTask, script: string): AgentResult {
  const [line = ''] = prompt.trim().split('\n', 1);
  const beginning = truncate(line, shownLength);
  const task = name === undefined ? '' : `the task ${name} and `;
  const message = `${script} has no rule for ${task}the prompt "${beginning}".`;
  return { end: 'failed', failure: { code: 'failed', message }, output: '' };
}

type Rule = NonNullable<AgentData['scripted']>[number];
export type Action = Rule['do'][number];
type End = Pick<AgentResult, 'end' | 'failure'>;

/** Plays the actions of a rule, one after the other; a call that fails does not end it. */
async function playScript({ do: actions }: Rule, task: AgentTask): Promise<AgentResult> {
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
  /** Results by the number of the action. */
  readonly #results = new Map<number, CallOutcome>();
  #output = '';

  constructor(task: AgentTask) {
    this.#task = task;
    this.#sessions = new ServerSessions(task.servers, task.signal);
  }

  /** The fields of the result that do not depend on how the run ended. */
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
      if (error instanceof QuoteError) return createFailure(error.message);
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
    if (fail !== undefined) return createFailure(fillQuotes(fail, quotable));
    if (say !== undefined) {
      this.#output = fillQuotes(say, quotable);
      task.report({ kind: 'message', text: this.#output });
      return undefined;
    }
    const id = String(number);
    const { server, tool, args, send } = createRequest(action, quotable);
    task.report({ kind: 'tool-call', tool, id, args: new RawJson(args) });
    const outcome = await this.#sessions.use(server, send);
    this.#results.set(number, outcome);
    task.report({ kind: 'tool-result', id, isError: outcome.isError, text: outcome.text });
    return undefined;
  }
}

function createFailure(message: string): End {
  return { end: 'failed', failure: { code: 'failed', message } };
}

/** The request of an action to a server. */
interface ScriptRequest {
  server: string;
  /** Name in the agent's steps. */
  tool: string;
  /** Arguments as JSON. */
  args: string;
  send(client: McpClient): Promise<CallOutcome>;
}

/** Creates the request of an action, with its quotes replaced. Throws QuoteError. */
function createRequest({ call, read, getPrompt }: Action, quotable: Quotable): ScriptRequest {
  if (call) return createCallRequest(call, quotable);
  if (read) return createReadRequest(read, quotable);
  if (getPrompt) return createPromptRequest(getPrompt, quotable);
  throw new Error('the action was not validated');
}

function createCallRequest(
  { server, tool, args: template = {} }: NonNullable<Action['call']>,
  quotable: Quotable,
): ScriptRequest {
  const args = fillJsonQuotes(template, quotable);
  const send = (client: McpClient) => client.callTool(tool, new JsonArguments(args));
  return { server, tool: `${server}.${tool}`, args, send };
}

function createReadRequest(
  { server, uri: template }: NonNullable<Action['read']>,
  quotable: Quotable,
): ScriptRequest {
  const uri = fillQuotes(template, quotable);
  const send = (client: McpClient) => client.readResource(uri);
  return { server, tool: `${server}.resources/read`, args: JSON.stringify({ uri }), send };
}

function createPromptRequest(
  { server, prompt: name, args: template = {} }: NonNullable<Action['getPrompt']>,
  quotable: Quotable,
): ScriptRequest {
  const filledIn = Object.fromEntries(
    Object.entries(template).map(([key, text]) => [key, fillQuotes(text, quotable)]),
  );
  const args = JSON.stringify({ name, arguments: filledIn });
  const send = (client: McpClient) => client.getPrompt(name, filledIn);
  return { server, tool: `${server}.prompts/get`, args, send };
}

/** The sessions of one task run: a server gets one when it is first used. */
class ServerSessions {
  readonly #servers: readonly AgentServer[];
  readonly #signal: AbortSignal;
  readonly #clients = new Map<string, Promise<McpClient>>();
  readonly #unusable = new Map<string, string>();

  constructor(servers: readonly AgentServer[], signal: AbortSignal) {
    this.#servers = servers;
    this.#signal = signal;
  }

  /** The servers that could not be used, with the reasons. */
  get unusable(): { name: string; status: string }[] {
    return [...this.#unusable].map(([name, status]) => ({ name, status }));
  }

  /** Makes a call; every call to an unusable server fails. Throws McpError if stopped. */
  async use(name: string, call: (client: McpClient) => Promise<CallOutcome>): Promise<CallOutcome> {
    let client: McpClient;
    try {
      client = await this.#client(name);
    } catch (error) {
      if (!(error instanceof McpError) || error.isOurs) throw error;
      this.#unusable.set(name, error.message);
      return { isError: true, text: error.message };
    }
    const outcome = await call(client);
    // The connection failed, not a tool: this task run says nothing about the agent.
    if (outcome.isLost) this.#unusable.set(name, outcome.text);
    return outcome;
  }

  async close(): Promise<void> {
    const clients = await Promise.allSettled(this.#clients.values());
    await Promise.all(
      clients.map((client) => (client.status === 'fulfilled' ? client.value.close() : undefined)),
    );
  }

  #client(name: string): Promise<McpClient> {
    const known = this.#clients.get(name);
    if (known) return known;
    const client = this.#connect(name);
    this.#clients.set(name, client);
    return client;
  }

  async #connect(name: string): Promise<McpClient> {
    const server = this.#servers.find((candidate) => candidate.name === name);
    if (!server)
      throw new McpError('It is not one of the servers of this run.', { code: 'refused' });
    const client = await McpClient.connect(server.url, { signal: this.#signal });
    try {
      if (client.needsToolList) await client.listTools();
    } catch (error) {
      await client.close();
      throw error;
    }
    return client;
  }
}
