/** A call of the agent, as far as assertions look at it. */
export interface AgentCall {
  /** Number in the order of arrival; `see` may get calls in another order. */
  number: number;
  kind: 'tool' | 'resource' | 'prompt' | 'skill';
  /** Empty for a skill. */
  server: string;
  /** Name of the tool, prompt or skill; URI of the resource. */
  name: string;
  /** Arguments as parsed JSON, which may be nested very deeply. Undefined: the call had none. */
  args: unknown;
  /** Arguments for comparisons between calls: numbers that a double cannot hold are strings. */
  exactArgs?: unknown;
  /**
   * Whether it ended in an error: its result says so, or the answer is a JSON-RPC error or malformed. False
   * if there was no answer.
   */
  isError: boolean;
  /**
   * Whether the proxy blocked it: the agent tried, and nothing happened. It counts as an error whatever
   * `isError` says.
   */
  blocked: boolean;
  /** How to compare its redacted parts. Undefined: nothing of it is redacted. */
  redacted?: Redacted;
}

/**
 * How an assertion compares what is redacted in a record. `fits`: it is equal to whatever it is compared
 * with. `differs`: it is equal to nothing. Only `recheck` sets it, and evaluates twice: a verdict that is
 * the same both times is certain. An assertion that compares names or arguments must honour it.
 */
export type Redacted = 'fits' | 'differs';

/** Whether an assertion holds, and why. */
export interface Verdict {
  passed: boolean;
  /** What was expected, and what happened instead, in a sentence. */
  reason: string;
  /** Details, one line per item. */
  details?: string[];
  /** Ascending numbers of the calls that prove it. */
  callNumbers: number[];
}

/** One assertion over one task run, fed with calls as they end. */
export interface Assertion {
  see(call: AgentCall): void;
  /** The verdict on the calls so far; it may be read at any time. */
  verdict(): Verdict;
}

/** A call of one of the agent's own tools, as the agent reports it. */
interface OwnToolCall {
  tool: string;
  args: unknown;
  /** Whether it was denied or failed, so that nothing was loaded. */
  failed?: boolean;
}

/** Reads a skill that an agent loads with its own tool as a call; undefined for other tools. */
export function readSkillCall(
  { tool, args, failed = false }: OwnToolCall,
  skillTool: string,
): AgentCall | undefined {
  const name = tool === skillTool ? readSkillName(args) : undefined;
  if (name === undefined) return undefined;
  return { number: 0, kind: 'skill', server: '', name, args, isError: failed, blocked: failed };
}

/** Reads the name of a skill; agents do not agree on the name of the argument. */
function readSkillName(args: unknown): string | undefined {
  const { skill, name, command } = (args ?? {}) as Record<string, unknown>;
  return [skill, name, command].find((value) => typeof value === 'string');
}
