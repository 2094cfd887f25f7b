import type { Task } from '../config/files/task-file.js';
import { findStepTarget } from '../plan/step-target.js';

/** What the steps of some tasks need besides servers. */
export interface VerificationNeeds {
  judge: boolean;
  /** By their names in the eval. */
  extensions: string[];
}

export function verificationNeeds(
  tasks: readonly Task[],
  servers: readonly string[],
): VerificationNeeds {
  const extensions = new Set<string>();
  let judge = false;
  for (const { steps, requires } of tasks) {
    for (const { type } of steps) {
      if (type === 'llmJudge') judge = true;
      const target = findStepTarget(type, requires, servers);
      if (target?.kind === 'extension') extensions.add(target.target);
    }
  }
  return { judge, extensions: [...extensions] };
}
