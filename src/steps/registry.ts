import { runExtensionStep } from './extension-step.js';
import { runHttpStep } from './http-step.js';
import { runJudgeStep } from './judge-step.js';
import { runMcpToolStep } from './mcp-tool-step.js';
import { runScriptStep } from './script-step.js';
import type { StepKind } from './step.js';

/**
 * All kinds of steps. To add one: a file with its function, and a line here. A type with a dot, such as
 * `<server>.<tool>`, belongs to the kind of what it acts on.
 */
const kinds = {
  script: runScriptStep,
  http: runHttpStep,
  llmJudge: runJudgeStep,
  mcpServer: runMcpToolStep,
  extension: runExtensionStep,
} as const satisfies Record<string, StepKind>;

export function findStepKind(type: string): StepKind | undefined {
  return Object.hasOwn(kinds, type) ? kinds[type as keyof typeof kinds] : undefined;
}
