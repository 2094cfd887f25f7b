import type { CallKind } from '../config/schemas/assertions-schema.js';

/** A call of the agent, as far as assertions look at it. */
export interface AgentCall {
  /**
   * Number in the order of arrival, from 1; 0 for a skill. An assertion sees calls in the order in which they end,
   * and its verdict must not depend on that order.
   */
  number: number;
  kind: CallKind;
  /** Empty for a skill. */
  server: string;
  /** Name of the tool, prompt or skill; URI of the resource. */
  name: string;
  /** Arguments as parsed JSON, which may be nested very deeply. Undefined: the call had none. */
  args: unknown;
  /**
   * Arguments for comparisons between calls: numbers that a double cannot hold are strings. Undefined: there
   * are no such numbers, and `args` is exact.
   */
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
  /**
   * Set by `recheck` if the call's name is redacted in the record; or if its arguments are, for an assertion whose
   * definition says `comparesArguments` or whose items have `args`. No call has a redacted server: `recheck` evaluates nothing in a task run with such a call.
   * `holdsRedaction` says whether a text is redacted.
   */
  redacted?: RedactionAssumption;
}

/**
 * What an assertion assumes of the redacted parts of a call. `matches`: they match every expected name, pattern and
 * argument that they can stand for, and equal the same redacted text in another call. `differs`: they match nothing
 * that is expected, and do not even equal the same redacted text in another call. `recheck` evaluates an assertion
 * once with each: a verdict that is the same both times is certain. An assertion that compares names or arguments
 * must honour it.
 */
export type RedactionAssumption = 'matches' | 'differs';

/** Whether an assertion holds, and why. */
export interface Verdict {
  passed: boolean;
  /** What was expected, and what happened instead, in a sentence. */
  reason: string;
  /** Further lines: one for each item of a list, or for each thing that broke the assertion. */
  details?: string[];
  /**
   * Ascending numbers of the calls to show with the verdict. If it fails, the calls to blame, or those that came
   * nearest to an item: of `maxToolCalls` the calls beyond the maximum, of `maxToolErrors` every error. If it holds, the
   * calls that it counted or that match an item. Empty if no call is worth pointing at: a `maxToolCalls` that holds
   * counts every tool call, and shows none.
   */
  calls: number[];
}

/** One assertion over one task run. */
export interface Assertion {
  /** Takes a call that has ended. */
  see(call: AgentCall): void;
  /** Gives the verdict on the calls so far, at any time. */
  verdict(): Verdict;
}

/** A call of one of the agent's own tools, as the agent reports it. */
interface OwnToolCall {
  tool: string;
  args: unknown;
  /** Whether it was denied or failed, so that nothing was loaded. */
  failed?: boolean;
}

/** Converts a call of the tool by which an agent loads skills; undefined for a call of another tool. */
export function readSkillCall(
  { tool, args, failed = false }: OwnToolCall,
  skillTool: string,
): AgentCall | undefined {
  const name = tool === skillTool ? readSkillName(args) : undefined;
  if (name === undefined) return undefined;
  return { number: 0, kind: 'skill', server: '', name, args, isError: failed, blocked: failed };
}

/** Reads the name of a skill from arguments; agents name the argument differently. */
function readSkillName(args: unknown): string | undefined {
  const { skill, name, command } = (args ?? {}) as Record<string, unknown>;
  return [skill, name, command].find((value) => typeof value === 'string');
}
