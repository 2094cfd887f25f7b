import type { BoundedOutput } from './bounded-output.js';
import type { StepResult } from './step.js';

/** Outputs as a step tells them, with those that were cut, and where the whole is. */
export function boundedOutputs(
  outputs: Readonly<Record<string, BoundedOutput>>,
): Pick<StepResult, 'outputs' | 'truncated' | 'spilled'> {
  const entries = Object.entries(outputs);
  const truncated = entries.filter(([, output]) => output.isTruncated).map(([name]) => name);
  const spilled = entries.flatMap(([name, output]) => {
    const path = output.closeSpill();
    return path === undefined ? [] : [[name, path] as const];
  });
  return {
    outputs: Object.fromEntries(entries.map(([name, output]) => [name, output.text])),
    ...(truncated.length > 0 && { truncated }),
    ...(spilled.length > 0 && { spilled: Object.fromEntries(spilled) }),
  };
}
