import type { Requirement } from '../config/task-file.js';

/** What a step with a dotted type acts on. */
export interface StepTarget {
  kind: 'mcpServer' | 'extension';
  /** The server or extension. */
  target: string;
  /** The tool or operation. */
  name: string;
}

/**
 * Splits `<prefix>.<name>` by the names that are known: what `requires` gives wins over the names of
 * servers, and a longer prefix over a shorter one, as names may hold dots themselves.
 */
export function stepTarget(
  type: string,
  requires: readonly Requirement[],
  servers: readonly string[],
): StepTarget | undefined {
  for (let dot = type.lastIndexOf('.'); dot > 0; dot = type.lastIndexOf('.', dot - 1)) {
    const prefix = type.slice(0, dot);
    const name = type.slice(dot + 1);
    const required = requires.find(({ alias }) => alias === prefix);
    if (required) return { kind: required.kind, target: required.target, name };
    if (servers.includes(prefix)) return { kind: 'mcpServer', target: prefix, name };
  }
  return undefined;
}
