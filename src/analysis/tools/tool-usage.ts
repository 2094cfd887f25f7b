import type { UnfinishedSummary, UnlikeJudging } from '../summary/summary.js';

/** A value that a parameter can have, and how often it had it. */
export interface ValueUse {
  value: string;
  calls: number;
}

export interface ParameterUse {
  /** The way to it: `filter.status`, `items[].name`. */
  name: string;
  required: boolean;
  /** Calls that gave it. 0: never exercised. */
  calls: number;
  /** Of a parameter with an enum (also true and false): all its values. */
  values: ValueUse[] | null;
}

/** A call that failed, and the next one of the same tool with other arguments. */
export interface Retry {
  task: string;
  /** Of a matrix. */
  variant?: string;
  run: number;
  /** Numbers of the calls. */
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
  /** The server lists it. Null: the results do not tell what it lists. */
  offered: boolean | null;
  /** The MCP config lets the agent call it. Null: the results do not tell. */
  allowed: boolean | null;
  calls: number;
  /** Task runs that used it, and their share of all that had the server. */
  taskRuns: number;
  share: number;
  /** Of the calls that reached the server. */
  errors: number;
  errorRate: number | null;
  /** Errors that say that the arguments are wrong (JSON-RPC -32602, or the words of a validator). */
  rejected: number;
  blocked: number;
  /** The most frequent ones, by their first line. */
  errorTexts: { text: string; calls: number }[];
  /** Errors that are answers without the shape of a result, and what is wrong with them. */
  malformed: number;
  malformedTexts: { text: string; calls: number }[];
  /** Results that look like errors and are not marked with `isError`, and by which line. */
  suspected: number;
  suspectedTexts: { text: string; calls: number }[];
  durationMs: { p50: number; p95: number } | null;
  /** Sums. */
  tokens: { args: number; result: number } | null;
  /** Of its definition, as the agent gets it. */
  schemaTokens: number | null;
  /** Null: its input schema is not known. */
  parameters: ParameterUse[] | null;
  /** The first few. */
  retries: Retry[];
  retryCount: number;
  tasks: { task: string; calls: number; taskRuns: number }[];
}

/** Resources and prompts, more shortly. */
export interface OtherUse {
  server: string;
  kind: 'resource' | 'prompt';
  name: string;
  calls: number;
  errors: number;
  taskRuns: number;
}

/** A server. */
export interface ServerUse {
  /** As the MCP config calls it; of a matrix with several of these, `name (mcp-config.yaml)`. */
  server: string;
  /** Of a matrix with several. */
  mcpConfigFile?: string;
  /** Task runs that had it. */
  taskRuns: number;
  /** Tools that it lists. Null: the results do not tell. */
  offered: number | null;
}

/** What `proctor result tools` tells, and with `-o json` prints. */
export interface ToolsReport {
  /** Of a recording these are sessions. */
  taskRuns: number;
  /** It is of recordings of `proctor proxy`, not of results. */
  recorded?: true;
  /** Evaluations that did not do all they were to do. Undefined: there are none. */
  unfinished?: UnfinishedSummary[];
  /** Tasks whose runs were not all judged alike. Undefined: there are none. */
  unlikeJudging?: UnlikeJudging[];
  servers: ServerUse[];
  /** By server and name. */
  tools: ToolUse[];
  /** Offered, allowed and never called. */
  neverUsed: { server: string; tool: string }[];
  others: OtherUse[];
}

/** What the calls are counted by, in a word. */
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

/** Only of tools that were used: of the others nothing was exercised. */
export function findNeverExercised(tools: readonly ToolUse[]): NeverExercised[] {
  return tools.flatMap(({ server, tool, calls, blocked, parameters }) => {
    if (calls === blocked || !parameters) return [];
    const unused = new Set(parameters.filter((each) => each.calls === 0).map(({ name }) => name));
    const found = {
      server,
      tool,
      // What lies within one that was never given goes without saying.
      parameters: [...unused].filter(
        (name) => !listAncestors(name).some((each) => unused.has(each)),
      ),
      values: parameters.flatMap(({ name, calls: given, values }) =>
        given === 0 ? [] : listNeverTaken(values).map((value) => `${name}=${value}`),
      ),
    };
    return found.parameters.length + found.values.length > 0 ? [found] : [];
  });
}

function listNeverTaken(values: ParameterUse['values']): string[] {
  return (values ?? []).flatMap(({ value, calls }) => (calls === 0 ? [value] : []));
}

/** Of `filter.items[].name`: `filter` and `filter.items`. */
function listAncestors(name: string): string[] {
  const ends = [...name.matchAll(/(\[\])?\./g)].map(({ index }) => index);
  return ends.map((end) => name.slice(0, end));
}
