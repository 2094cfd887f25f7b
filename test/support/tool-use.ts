import type { ToolUse } from '../../src/analysis/tools/tool-usage.js';

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
