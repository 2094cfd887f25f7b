import { runScript } from './script-step.js';
import type { StepKind } from './step.js';

/** To add a type of step: one file, and one line here. */
const kinds: Readonly<Record<string, StepKind>> = {
  script: runScript,
};

export function stepKind(type: string): StepKind | undefined {
  return Object.hasOwn(kinds, type) ? kinds[type] : undefined;
}
