import { isObject } from '../../base/json.js';
import { compareText } from '../../base/text.js';
import type { RecordingFile } from '../../results/journal/recording-file.js';
import {
  formatServerName,
  listVariantServers,
  type ResultsHeader,
  type ServerRecord,
} from '../../results/results-header.js';
import type { CallRecord, TaskRunSoFar } from '../../results/task-run-record.js';
import type { CountTokens } from '../../tokens/token-counter.js';
import { boundName } from '../bounded-text.js';
import { JudgingsFold } from '../judging-differences.js';
import { CompletenessFold } from '../summary/completeness.js';
import type { Sample } from '../summary/summarize.js';
import { findRetries } from './call-errors.js';
import { ToolFold } from './tool-fold.js';
import type { OtherUse, ServerUse, ToolsReport, ToolUse } from './tool-usage.js';

export interface ToolsOptions {
  /** Selects tasks; all if it is missing. */
  isWanted?: (task: string) => boolean;
  /** Without it, schema tokens are not known. */
  countTokens?: CountTokens;
}

/** Reports how agents used the tools of servers, with one task run in memory at a time. */
export async function reportTools(
  sample: Sample,
  { isWanted = () => true, countTokens }: ToolsOptions = {},
): Promise<ToolsReport> {
  const fold = new ToolsFold();
  for (const { header } of sample.files) fold.addHeader(header);
  const evaluations = new CompletenessFold(sample.files);
  const judgings = new JudgingsFold();
  for await (const { file, taskRun } of sample.taskRuns()) {
    evaluations.add(file, taskRun);
    if (!isWanted(taskRun.task)) continue;
    fold.add(taskRun, file.header);
    judgings.add(file, taskRun);
  }
  const report = fold.report(
    countTokens ? await countDefinitionTokens(fold, countTokens) : new Map(),
  );
  const { unfinished } = evaluations;
  const { unlike } = judgings;
  return {
    ...report,
    ...(unfinished.length > 0 && { unfinished }),
    ...(unlike.length > 0 && { unlikeJudging: unlike }),
  };
}

/** Reports on the tools of recordings, which have no plan and no verdicts. */
export async function reportRecordingTools(
  recordings: readonly RecordingFile[],
  { isWanted = () => true, countTokens }: ToolsOptions = {},
): Promise<ToolsReport> {
  const fold = new ToolsFold();
  for (const { header } of recordings) fold.addHeader(header);
  for (const { header, sessions } of recordings) {
    for await (const session of sessions()) {
      if (isWanted(session.task)) fold.add(session, header);
    }
  }
  const tokens = countTokens ? await countDefinitionTokens(fold, countTokens) : new Map();
  return { ...fold.report(tokens), recorded: true };
}

async function countDefinitionTokens(
  { definitions }: ToolsFold,
  countTokens: CountTokens,
): Promise<Map<unknown, number>> {
  const texts = definitions.flatMap(({ definition }) => {
    const text = stringifyDefinition(definition);
    return text === undefined ? [] : [{ definition, text }];
  });
  const counts = (await countTokens(texts.map(({ text }) => text))) ?? [];
  return new Map(counts.map((count, index) => [texts[index]?.definition, count]));
}

function stringifyDefinition(definition: unknown): string | undefined {
  try {
    return JSON.stringify(definition);
  } catch (error) {
    // Nested so deeply that it cannot be written.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Agents can invent any number of names: further ones are counted together. */
const maxToolNames = 2000;
const maxServers = 200;
const otherToolNames = '(other)';

/** Adds up how agents used the tools of servers, one task run after the other. */
class ToolsFold {
  readonly #servers = new Map<string, ServerFold>();
  readonly #tools = new Map<string, ToolFold>();
  readonly #others = new OtherFold();
  #taskRuns = 0;

  /** Adds what the servers of a file offer; to be called once for each file, before its task runs. */
  addHeader({ mcpServers }: ResultsHeader): void {
    for (const server of mcpServers) this.#addServer(server);
  }

  #addServer(record: ServerRecord): void {
    const { tools, allowedTools, mcpConfigFile } = record;
    const server = this.#serverOf(formatServerName(record));
    server.mcpConfigFile = mcpConfigFile;
    if (!tools) return;
    server.listsTools = true;
    const allowed = allowedTools && new Set(allowedTools);
    for (const tool of tools) {
      const toolName = isObject(tool) && typeof tool.name === 'string' ? tool.name : undefined;
      if (toolName === undefined) continue;
      const fold = this.#toolOf(server.name, boundName(toolName), Number.POSITIVE_INFINITY);
      fold.define(tool);
      if (allowed) fold.isAllowed = fold.isAllowed === true || allowed.has(toolName);
    }
  }

  add(taskRun: TaskRunSoFar, header: ResultsHeader): void {
    this.#taskRuns += 1;
    const had = listVariantServers(header, taskRun.variant);
    const calls = renameServers(taskRun.calls, had);
    // Calls may name a server that the header does not have.
    const names = [...had.map(formatServerName), ...calls.map(({ server }) => server)];
    for (const server of new Set(names.map((name) => this.#serverOf(name)))) server.taskRuns += 1;
    const task = boundName(taskRun.task);
    for (const [tool, ofTool] of this.#callsByTool(calls)) tool.addTaskRun(task, ofTool);
    for (const { call, retry } of findRetries({ ...taskRun, calls })) {
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
    return this.#toolOf(this.#serverOf(server).name, boundName(name), maxToolNames);
  }

  #toolOf(server: string, name: string, max: number): ToolFold {
    const known = this.#tools.get(JSON.stringify([server, name]));
    if (known) return known;
    const shown = this.#tools.size < max ? name : otherToolNames;
    const key = JSON.stringify([server, shown]);
    const tool = this.#tools.get(key) ?? new ToolFold(server, shown);
    this.#tools.set(key, tool);
    return tool;
  }

  #serverOf(name: string): ServerFold {
    const bounded = boundName(name);
    const shown =
      this.#servers.has(bounded) || this.#servers.size < maxServers ? bounded : otherToolNames;
    const server = this.#servers.get(shown) ?? new ServerFold(shown);
    this.#servers.set(shown, server);
    return server;
  }

  /** Definitions of the offered tools, to count their tokens. */
  get definitions(): { server: string; tool: string; definition: unknown }[] {
    return [...this.#tools.values()].filter(({ isOffered }) => isOffered);
  }

  report(schemaTokens: ReadonlyMap<unknown, number>): ToolsReport {
    const tools = [...this.#tools.values()]
      .sort(
        (left, right) =>
          compareText(left.server, right.server) || compareText(left.tool, right.tool),
      )
      .map((tool) => {
        const { taskRuns = 0, listsTools = false } = this.#servers.get(tool.server) ?? {};
        return tool.use(taskRuns, listsTools, schemaTokens.get(tool.definition) ?? null);
      });
    const isUnused = ({ offered, allowed, calls }: (typeof tools)[number]) =>
      offered === true && allowed !== false && calls === 0;
    return {
      taskRuns: this.#taskRuns,
      servers: [...this.#servers.values()]
        .sort((left, right) => compareText(left.name, right.name))
        .map((server) => server.use(tools)),
      tools,
      neverUsed: tools.filter(isUnused).map(({ server, tool }) => ({ server, tool })),
      others: this.#others.uses,
    };
  }
}

/** Names the servers of calls as the report does: calls have the names in the MCP config. */
function renameServers(
  calls: readonly CallRecord[],
  servers: readonly ServerRecord[],
): CallRecord[] {
  const shown = new Map(servers.map((server) => [server.name, formatServerName(server)]));
  return calls.map((call) => ({ ...call, server: shown.get(call.server) ?? call.server }));
}

/** Agents can invent any number of addresses: further ones are counted together. */
const maxNames = 1000;
const otherNames = '(other)';

/** Adds up how resources and prompts were used. */
class OtherFold {
  readonly #uses = new Map<string, OtherUse>();

  addTaskRun(calls: readonly CallRecord[]): void {
    const used = new Set<OtherUse>();
    for (const { kind, server, name, isError } of calls) {
      if (kind === 'tool') continue;
      const use = this.#useOf(boundName(server), kind, boundName(name));
      use.calls += 1;
      if (isError) use.errors += 1;
      used.add(use);
    }
    for (const use of used) use.taskRuns += 1;
  }

  #useOf(server: string, kind: OtherUse['kind'], name: string): OtherUse {
    const known = this.#uses.get(JSON.stringify([server, kind, name]));
    if (known) return known;
    const isFull = this.#uses.size >= maxNames;
    const shown = { server: isFull ? otherNames : server, kind, name: isFull ? otherNames : name };
    const key = JSON.stringify([shown.server, kind, shown.name]);
    const use = this.#uses.get(key) ?? { ...shown, calls: 0, errors: 0, taskRuns: 0 };
    this.#uses.set(key, use);
    return use;
  }

  get uses(): OtherUse[] {
    const text = ({ server, kind, name }: OtherUse) => JSON.stringify([server, kind, name]);
    return [...this.#uses.values()].sort((left, right) => (text(left) < text(right) ? -1 : 1));
  }
}

/** Adds up how a server was used. */
class ServerFold {
  readonly name: string;
  mcpConfigFile: string | undefined;
  taskRuns = 0;
  /** Whether the results say what it lists. */
  listsTools = false;

  constructor(name: string) {
    this.name = name;
  }

  use(tools: readonly ToolUse[]): ServerUse {
    const listed = tools.filter(({ server, offered }) => server === this.name && offered === true);
    return {
      server: this.name,
      ...(this.mcpConfigFile !== undefined && { mcpConfigFile: this.mcpConfigFile }),
      taskRuns: this.taskRuns,
      offered: this.listsTools ? listed.length : null,
    };
  }
}
