import { isObject } from '../../base/json.js';
import type { ResultsHeader, ServerRecord } from '../../results/results-header.js';
import { serverInWords } from '../../results/server-in-words.js';
import { serversOfVariant } from '../../results/servers-of-variant.js';
import type { CallRecord, TaskRunSoFar } from '../../results/task-run-record.js';
import { boundedName } from '../summary/bounded-text.js';
import { OtherFold } from './other-fold.js';
import { retriesIn } from './retries.js';
import { ServerFold } from './server-fold.js';
import { ToolFold } from './tool-fold.js';
import type { ToolsReport } from './tool-usage.js';

/** An agent can think up names without end; the rest is counted together. */
const maxNames = 2000;
const maxServers = 200;
const otherNames = '(other)';

/** How agents used the tools of servers, one task run after the other. */
export class ToolsFold {
  readonly #servers = new Map<string, ServerFold>();
  readonly #tools = new Map<string, ToolFold>();
  readonly #others = new OtherFold();
  #taskRuns = 0;

  /** Every file once, before its task runs: what its servers offer. */
  addHeader({ mcpServers }: ResultsHeader): void {
    for (const server of mcpServers) this.#addServer(server);
  }

  #addServer(record: ServerRecord): void {
    const { tools, allowedTools, mcpConfigFile } = record;
    const server = this.#serverOf(serverInWords(record));
    server.mcpConfigFile = mcpConfigFile;
    if (!tools) return;
    server.listsTools = true;
    const allowed = allowedTools && new Set(allowedTools);
    for (const tool of tools) {
      const toolName = isObject(tool) && typeof tool.name === 'string' ? tool.name : undefined;
      if (toolName === undefined) continue;
      const fold = this.#toolOf(server.name, boundedName(toolName), Number.POSITIVE_INFINITY);
      fold.define(tool);
      if (allowed) fold.isAllowed = fold.isAllowed === true || allowed.has(toolName);
    }
  }

  add(taskRun: TaskRunSoFar, header: ResultsHeader): void {
    this.#taskRuns += 1;
    const had = serversOfVariant(header, taskRun.variant);
    const calls = callsWithConfig(taskRun.calls, had);
    // A server that the file does not name is one all the same.
    const names = [...had.map(serverInWords), ...calls.map(({ server }) => server)];
    for (const server of new Set(names.map((name) => this.#serverOf(name)))) server.taskRuns += 1;
    const task = boundedName(taskRun.task);
    for (const [tool, ofTool] of this.#callsByTool(calls)) tool.addTaskRun(task, ofTool);
    for (const { call, retry } of retriesIn({ ...taskRun, calls })) {
      this.#toolOfCall(call).addRetry(retry);
    }
    this.#others.addTaskRun(calls);
  }

  #callsByTool(calls: readonly CallRecord[]): Map<ToolFold, CallRecord[]> {
    const byTool = new Map<ToolFold, CallRecord[]>();
    for (const call of calls) {
      if (call.kind !== 'tool') continue;
      const tool = this.#toolOfCall(call);
      const list = byTool.get(tool);
      if (list) list.push(call);
      else byTool.set(tool, [call]);
    }
    return byTool;
  }

  #toolOfCall({ server, name }: CallRecord): ToolFold {
    return this.#toolOf(this.#serverOf(server).name, boundedName(name), maxNames);
  }

  #toolOf(server: string, name: string, max: number): ToolFold {
    const known = this.#tools.get(JSON.stringify([server, name]));
    if (known) return known;
    const shown = this.#tools.size < max ? name : otherNames;
    const key = JSON.stringify([server, shown]);
    const tool = this.#tools.get(key) ?? new ToolFold(server, shown);
    this.#tools.set(key, tool);
    return tool;
  }

  #serverOf(name: string): ServerFold {
    const bounded = boundedName(name);
    const shown =
      this.#servers.has(bounded) || this.#servers.size < maxServers ? bounded : otherNames;
    const server = this.#servers.get(shown) ?? new ServerFold(shown);
    this.#servers.set(shown, server);
    return server;
  }

  /** As servers list them, of the tools of which the tokens are to be counted. */
  get definitions(): { server: string; tool: string; definition: unknown }[] {
    return [...this.#tools.values()].filter(({ isOffered }) => isOffered);
  }

  report(schemaTokens: ReadonlyMap<unknown, number>): ToolsReport {
    const tools = [...this.#tools.values()]
      .sort((left, right) => compare(left.server, right.server) || compare(left.tool, right.tool))
      .map((tool) => {
        const { taskRuns = 0, listsTools = false } = this.#servers.get(tool.server) ?? {};
        return tool.use(taskRuns, listsTools, schemaTokens.get(tool.definition) ?? null);
      });
    const isUnused = ({ offered, allowed, calls }: (typeof tools)[number]) =>
      offered === true && allowed !== false && calls === 0;
    return {
      taskRuns: this.#taskRuns,
      servers: [...this.#servers.values()]
        .sort((left, right) => compare(left.name, right.name))
        .map((server) => server.use(tools)),
      tools,
      neverUsed: tools.filter(isUnused).map(({ server, tool }) => ({ server, tool })),
      others: this.#others.uses,
    };
  }
}

/** Calls name a server as its MCP config does. */
function callsWithConfig(
  calls: readonly CallRecord[],
  servers: readonly ServerRecord[],
): CallRecord[] {
  const shown = new Map(servers.map((server) => [server.name, serverInWords(server)]));
  return calls.map((call) => ({ ...call, server: shown.get(call.server) ?? call.server }));
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
