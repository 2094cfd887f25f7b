import { findStepDefinition, type StepType } from '../config/schemas/step-schemas.js';
import { runExtensionStep } from './extension-step.js';
import { runHttpStep } from './http-step.js';
import { runJudgeStep } from './judge-step.js';
import { runMcpToolStep } from './mcp-tool-step.js';
import { runScriptStep } from './script-step.js';
import type { RunStep } from './step.js';

/**
 * How each type of step is run. A type is defined by its entry in `stepDefinitions` (schema and facts), and by a
 * line here: the table does not compile while one is missing.
 */
const runners: Record<StepType, RunStep> = {
  script: runScriptStep,
  http: runHttpStep,
  llmJudge: runJudgeStep,
  mcpServer: runMcpToolStep,
  extension: runExtensionStep,
};

export function findStepRunner(type: string): RunStep | undefined {
  return findStepDefinition(type) && runners[type as StepType];
}
