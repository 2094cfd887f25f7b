import type { AgentCall } from '../assertions/check.js';
import { compilePattern } from '../config/patterns/pattern.js';
import { holdsRedaction } from '../config/secrets/redactor.js';
import type { PlannedAssertion } from '../plan/plan.js';

/**
 * The calls that an assertion looks at although a part of them is redacted: two secrets look the same
 * there, and one looks like no secret.
 */
export function redactedCalls(
  { name, expected }: PlannedAssertion,
  calls: readonly AgentCall[],
): AgentCall[] {
  const isCompared = comparison(name, expected);
  return calls.filter(
    (call) =>
      holdsRedaction(call.name) ||
      (call.kind === 'tool' && isCompared(call) && isRedacted(call.args)),
  );
}

interface ToolItem {
  server?: string;
  tool?: string;
  toolPattern?: string;
  args?: unknown;
  argumentsMatch?: unknown;
}

function comparison(name: string, expected: unknown): (call: AgentCall) => boolean {
  if (name === 'noDuplicateCalls') return () => true;
  const items: ToolItem[] = Array.isArray(expected) ? expected : [];
  const comparing = items.filter(
    ({ args, argumentsMatch }) => (args ?? argumentsMatch) !== undefined,
  );
  return (call) => comparing.some((item) => isAbout(item, call));
}

function isAbout({ server, tool, toolPattern }: ToolItem, call: AgentCall): boolean {
  if (call.server !== server) return false;
  if (tool === undefined && toolPattern === undefined) return true;
  if (tool === call.name) return true;
  const compiled = toolPattern === undefined ? undefined : compilePattern(toolPattern);
  return compiled?.ok === true && compiled.pattern.test(call.name);
}

/** However deep it is: without recursion. */
function isRedacted(args: unknown): boolean {
  const waiting: unknown[] = [args];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value === 'string' && holdsRedaction(value)) return true;
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, item] of Object.entries(value)) waiting.push(key, item);
  }
  return false;
}
