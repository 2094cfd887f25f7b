import { runExtensionStep } from './extension-step.js';
import { runHttpStep } from './http-step.js';
import { runJudgeStep } from './judge-step.js';
import { runMcpToolStep } from './mcp-tool-step.js';
import { runScriptStep } from './script-step.js';
import type { StepKind } from './step.js';

/** To add a type of step: one file, and one line here. Of a dotted type, what it acts on decides. */
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
