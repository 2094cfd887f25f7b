import type { RawJson } from './raw-json.js';

/** What an agent tells of its work, where it tells anything. */
export type AgentStep =
  | { kind: 'message'; text: string }
  | { kind: 'thinking'; text: string }
  /** `tool` is the agent's own name for it, such as `mcp__kubernetes__pods_list`. */
  | { kind: 'tool-call'; tool: string; id?: string; args?: RawJson }
  /** The text is cut: the record of the calls has the whole. */
  | { kind: 'tool-result'; id?: string; isError: boolean; text: string }
  /** Diagnostic output, such as lines of stderr. */
  | { kind: 'log'; text: string };

/** As the agent reports it, summed over its requests to the model. */
export interface TokenUsage {
  inputTokens: number;
  outputTokens: number;
  /** Part of the input that came from a cache. */
  cachedInputTokens?: number;
  /** Part of the input that was written to a cache. */
  cacheWriteTokens?: number;
  reasoningTokens?: number;
}
