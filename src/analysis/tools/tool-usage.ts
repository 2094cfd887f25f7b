import type { UnfinishedSummary, UnlikeJudging } from '../summary/summary.js';

/** A possible value of a parameter, and how many calls had it. */
export interface ValueUse {
  value: string;
  calls: number;
}

export interface ParameterUse {
  /** Path of the parameter: `filter.status`, `items[].name`. */
  name: string;
  required: boolean;
  /** Number of calls with it. 0: never exercised. */
  calls: number;
  /** All values, if the parameter has an enum or is a boolean. */
  values: ValueUse[] | null;
}

/** A call that failed, and the next one of the same tool with other arguments. */
export interface Retry {
  task: string;
  /** The variant, if there is a matrix. */
  variant?: string;
  run: number;
  /** Numbers of the failed call and of the next one. */
  failed: number;
  again: number;
  error: string;
  /** Names of the arguments that changed. */
  changed: string[];
  /** Whether the second one worked. */
  worked: boolean;
}

export interface ToolUse {
  server: string;
  tool: string;
  /** Whether the server lists it. Null: the results do not say what it lists. */
  offered: boolean | null;
  /** Whether the MCP config lets the agent call it. Null: the results do not say. */
  allowed: boolean | null;
  calls: number;
  /** Number of task runs that used it, and their share of those that had the server. */
  taskRuns: number;
  share: number;
  /** Number of calls that reached the server and failed. */
  errors: number;
  errorRate: number | null;
  /** Errors that say that the arguments are wrong (JSON-RPC -32602, or the words of a validator). */
  rejected: number;
  blocked: number;
  /** First lines of the most frequent errors. */
  errorTexts: { text: string; calls: number }[];
  /** Number of malformed answers, which are errors too, and what is wrong with them. */
  malformed: number;
  malformedTexts: { text: string; calls: number }[];
  /** Number of results that look like errors without `isError`, and the lines that show it. */
  suspected: number;
  suspectedTexts: { text: string; calls: number }[];
  durationMs: { p50: number; p95: number } | null;
  /** Tokens of all calls together. */
  tokens: { args: number; result: number } | null;
  /** Tokens of its definition, as the agent gets it. */
  schemaTokens: number | null;
  /** Null: its input schema is not known. */
  parameters: ParameterUse[] | null;
  /** The first retries. */
  retries: Retry[];
  retryCount: number;
  tasks: { task: string; calls: number; taskRuns: number }[];
}

/** How a resource or prompt was used. */
export interface OtherUse {
  server: string;
  kind: 'resource' | 'prompt';
  name: string;
  calls: number;
  errors: number;
  taskRuns: number;
}

/** How a server was used. */
export interface ServerUse {
  /** Name in the MCP config; if a matrix has several of these, `name (mcp-config.yaml)`. */
  server: string;
  /** The MCP config, if a matrix has several. */
  mcpConfigFile?: string;
  /** Number of task runs that had it. */
  taskRuns: number;
  /** Number of tools that it lists. Null: the results do not say. */
  offered: number | null;
}

/** What `proctor result tools` shows, and prints with `-o json`. */
export interface ToolsReport {
  /** Number of task runs, or of sessions of a recording. */
  taskRuns: number;
  /** Set for recordings of `proctor proxy`. */
  recorded?: true;
  /** Runs that did not do all of their plan. Undefined: there are none. */
  unfinished?: UnfinishedSummary[];
  /** Tasks whose runs were not all judged alike. Undefined: there are none. */
  unlikeJudging?: UnlikeJudging[];
  servers: ServerUse[];
  /** Tools sorted by server and name. */
  tools: ToolUse[];
  /** Tools that were offered, allowed and never called. */
  neverUsed: { server: string; tool: string }[];
  others: OtherUse[];
}

/** The unit of the report: a session of a recording, or a task run. */
export function getUsageUnit({ recorded }: Pick<ToolsReport, 'recorded'>): 'session' | 'task run' {
  return recorded ? 'session' : 'task run';
}

/** Parameters of a tool, and values of them, that no call had. */
export interface NeverExercised {
  server: string;
  tool: string;
  parameters: string[];
  /** `name=value`, of parameters that were given. */
  values: string[];
}

/** Lists what was never exercised of tools that were used; of other tools nothing was. */
export function findNeverExercised(tools: readonly ToolUse[]): NeverExercised[] {
  return tools.flatMap(({ server, tool, calls, blocked, parameters }) => {
    if (calls === blocked || !parameters) return [];
    const unused = new Set(
      parameters.filter((parameter) => parameter.calls === 0).map(({ name }) => name),
    );
    const found = {
      server,
      tool,
      // Members of a parameter that was never given are not listed.
      parameters: [...unused].filter(
        (name) => !listAncestors(name).some((ancestor) => unused.has(ancestor)),
      ),
      values: parameters.flatMap(({ name, calls: uses, values }) =>
        uses === 0 ? [] : listNeverTaken(values).map((value) => `${name}=${value}`),
      ),
    };
    return found.parameters.length + found.values.length > 0 ? [found] : [];
  });
}

function listNeverTaken(values: ParameterUse['values']): string[] {
  return (values ?? []).flatMap(({ value, calls }) => (calls === 0 ? [value] : []));
}

/** The ancestors of `filter.items[].name` are `filter` and `filter.items`. */
function listAncestors(name: string): string[] {
  const ends = [...name.matchAll(/(\[\])?\./g)].map(({ index }) => index);
  return ends.map((end) => name.slice(0, end));
}
