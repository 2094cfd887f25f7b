import type { Requirement } from '../config/files/task-file.js';

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
export function findStepTarget(
  type: string,
  requires: readonly Requirement[],
  servers: readonly string[],
): StepTarget | undefined {
  const required = findLongestPrefix(type, (prefix) =>
    requires.find(({ alias }) => alias === prefix),
  );
  if (required) {
    const { kind, target } = required.found;
    return { kind, target, name: required.name };
  }
  const server = findLongestPrefix(type, (prefix) => servers.find((name) => name === prefix));
  return server && { kind: 'mcpServer', target: server.found, name: server.name };
}

function findLongestPrefix<Named>(type: string, find: (prefix: string) => Named | undefined) {
  for (let dot = type.lastIndexOf('.'); dot > 0; dot = type.lastIndexOf('.', dot - 1)) {
    const found = find(type.slice(0, dot));
    if (found !== undefined) return { found, name: type.slice(dot + 1) };
  }
  return undefined;
}
