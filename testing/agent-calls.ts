import fc from 'fast-check';
import type { ToolUse } from '../src/analysis/tools/tool-usage.js';
import type { AgentCall, Assertion, Verdict } from '../src/assertions/assertion.js';

/** Redacts no text, as if there were no secrets. */
export const redactNothing = (text: string) => text;

/** A call of an agent that went well, but for what is said otherwise. */
export function agentCall(number: number, name: string, more: Partial<AgentCall> = {}): AgentCall {
  return {
    number,
    kind: 'tool',
    server: more.kind === 'skill' ? '' : 'shop',
    name,
    args: undefined,
    isError: false,
    blocked: false,
    ...more,
  };
}

/** The verdict of an assertion on these calls, seen in this order. */
export function verdictOn(assertion: Assertion | undefined, calls: readonly AgentCall[]): Verdict {
  if (!assertion) throw new Error('the assertion is vacuous');
  for (const call of calls) assertion.see(call);
  return assertion.verdict();
}

/** A JSON value as JSON.parse would give it, nested this deep. */
export function nested(depth: number, innermost = '1'): unknown {
  return JSON.parse(`${'{"a":['.repeat(depth)}${innermost}${']}'.repeat(depth)}`);
}

const callWithoutNumber = fc.record({
  kind: fc.constantFrom('tool', 'tool', 'tool', 'resource', 'prompt', 'skill'),
  server: fc.constantFrom('shop', 'shop', 'docs'),
  name: fc.constantFrom('list', 'add', 'remove', 'list_all'),
  args: fc.constantFrom<unknown[]>(
    undefined,
    {},
    { id: 1 },
    { id: 2, tags: ['a'] },
    { tags: ['a'], id: 2 },
    { id: null },
  ),
  isError: fc.boolean(),
  blocked: fc.constantFrom(false, false, false, true),
} satisfies { [Key in keyof Omit<AgentCall, 'number'>]: fc.Arbitrary<AgentCall[Key]> });

function numberCalls(calls: readonly Omit<AgentCall, 'number'>[]): AgentCall[] {
  return calls.map((call, index) => ({
    ...call,
    number: index + 1,
    server: call.kind === 'skill' ? '' : call.server,
    blocked: call.blocked && call.kind === 'tool',
  }));
}

/** The calls of a task run, in order of arrival. Names are few, so that many calls have the same one. */
export const anyCalls: fc.Arbitrary<AgentCall[]> = fc
  .array(callWithoutNumber, { maxLength: 12 })
  .map(numberCalls);

/** Several hundred tool calls: more calls, more names and more groups of equal calls than a verdict keeps. */
export const manyCalls: fc.Arbitrary<AgentCall[]> = fc
  .array(fc.tuple(callWithoutNumber, fc.nat({ max: 60 })), { minLength: 500, maxLength: 600 })
  .map((calls) =>
    numberCalls(calls.map(([call, tool]) => ({ ...call, kind: 'tool', name: `list_${tool}` }))),
  );

/** A tool that works, as analyses tell of it. */
export function toolUse(given: Partial<ToolUse> = {}): ToolUse {
  return {
    server: 'inventory',
    tool: 'find_items',
    offered: true,
    allowed: true,
    calls: 20,
    taskRuns: 10,
    share: 1,
    errors: 0,
    errorRate: 0,
    rejected: 0,
    blocked: 0,
    errorTexts: [],
    malformed: 0,
    malformedTexts: [],
    suspected: 0,
    suspectedTexts: [],
    durationMs: { p50: 10, p95: 20 },
    tokens: { args: 100, result: 1000 },
    schemaTokens: 90,
    parameters: [],
    retries: [],
    retryCount: 0,
    tasks: [],
    ...given,
  };
}
