import { runExtension } from './extension-step.js';
import { runHttp } from './http-step.js';
import { runJudge } from './judge-step.js';
import { runMcpTool } from './mcp-tool-step.js';
import { runScript } from './script-step.js';
import type { StepKind } from './step.js';

/** To add a type of step: one file, and one line here. Of a dotted type, what it acts on decides. */
const kinds = {
  script: runScript,
  http: runHttp,
  llmJudge: runJudge,
  mcpServer: runMcpTool,
  extension: runExtension,
} as const satisfies Record<string, StepKind>;

export function stepKind(type: string): StepKind | undefined {
  return Object.hasOwn(kinds, type) ? kinds[type as keyof typeof kinds] : undefined;
}
