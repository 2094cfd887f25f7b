import type { AgentStepRecord, CallRecord } from '../../results/task-run-record.js';

/**
 * Matches the calls that an agent reported with the recorded calls, by names and order, so that each call is
 * shown once. What is uncertain is not matched, and shown twice.
 */
export function matchStepsToCalls(
  steps: readonly AgentStepRecord[],
  calls: readonly CallRecord[],
): Map<AgentStepRecord, CallRecord> {
  const index = new CallIndex(calls);
  const found = new Map<AgentStepRecord, CallRecord>();
  for (const step of steps) {
    const call = step.kind === 'tool-call' ? index.take(step) : undefined;
    if (call) found.set(step, call);
  }
  return found;
}

class CallIndex {
  readonly #taken = new Set<CallRecord>();
  readonly #withServer = new Queues(this.#taken);
  readonly #bare = new Queues(this.#taken);
  readonly #others = new Queues(this.#taken);

  constructor(calls: readonly CallRecord[]) {
    for (const call of calls) {
      if (call.kind !== 'tool') {
        this.#others.add(`${call.kind} ${call.name}`, call);
        continue;
      }
      for (const name of listNamesWithServer(call.server, call.name))
        this.#withServer.add(name, call);
      this.#bare.add(toIdentifier(call.name), call);
    }
  }

  take(step: AgentStepRecord): CallRecord | undefined {
    const call = this.#find(step);
    if (call) this.#taken.add(call);
    return call;
  }

  #find({ tool = '', args }: AgentStepRecord): CallRecord | undefined {
    const name = toIdentifier(tool);
    const certain = this.#withServer.next(name);
    const isSame = (call: CallRecord) => haveSameArguments(args, call.args);
    if (certain.length > 0) return certain.find(isSame) ?? certain[0];
    const bare = this.#bare.next(name);
    // The agent may have a tool of its own with this name: then the arguments have to agree.
    if (bare.length > 0) return bare.find(isSame) ?? (args === undefined ? bare[0] : undefined);
    return this.#others.next(makeOtherName(tool, args))[0];
  }
}

/** The key of a resource or prompt, which agents reach by one tool for all of them. */
function makeOtherName(tool: string, args: unknown): string {
  if (!isNested(args)) return '';
  const { uri, name } = args;
  if (typeof uri === 'string' && /resource/i.test(tool)) return `resource ${uri}`;
  return typeof name === 'string' && /prompt/i.test(tool) ? `prompt ${name}` : '';
}

/** How many calls are searched: parallel calls can be recorded in another order than reported. */
const lookAhead = 50;

/** Calls by name, in their order, until they are taken. */
class Queues {
  readonly #queues = new Map<string, { calls: CallRecord[]; from: number }>();
  readonly #taken: ReadonlySet<CallRecord>;

  constructor(taken: ReadonlySet<CallRecord>) {
    this.#taken = taken;
  }

  add(name: string, call: CallRecord): void {
    const queue = this.#queues.get(name);
    if (queue) queue.calls.push(call);
    else this.#queues.set(name, { calls: [call], from: 0 });
  }

  next(name: string): CallRecord[] {
    const queue = this.#queues.get(name);
    if (!queue) return [];
    const { calls } = queue;
    let call = calls[queue.from];
    while (call && this.#taken.has(call)) call = calls[++queue.from];
    const near = calls.slice(queue.from, queue.from + lookAhead);
    return near.filter((candidate) => !this.#taken.has(candidate));
  }
}

/** Compares arguments, but not nested values, which can be of any depth. */
function haveSameArguments(reported: unknown, recorded: unknown): boolean {
  const left = Object.entries(isNested(reported) ? reported : {});
  const right = new Map(Object.entries(isNested(recorded) ? recorded : {}));
  return (
    left.length === right.size &&
    left.every(([key, value]) => {
      const other = right.get(key);
      return value === other || (isNested(value) && isNested(other));
    })
  );
}

function isNested(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/**
 * The names that agents report for a tool of a server, as identifiers:
 *
 *   mcp__server__tool            Claude Code
 *   mcp_server_tool              gemini
 *   tool (server MCP Server)     gemini, in titles
 *   server_tool, server-tool     opencode, copilot
 *   server.tool                  scripted agents
 *   Tool: server/tool            codex
 */
function listNamesWithServer(server: string, tool: string): string[] {
  const name = toIdentifier(`${server}_${tool}`);
  return [name, `mcp_${name}`, `Tool_${name}`, toIdentifier(`${tool} (${server} MCP Server)`)];
}

/** Agents replace what their models do not take in a name, each in its own way. */
function toIdentifier(name: string): string {
  return name.replace(/[^\p{L}\p{N}]+/gu, '_');
}
