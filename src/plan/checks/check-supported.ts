import type { Problems } from '../../config/problem.js';
import type { Plan } from '../plan.js';
import type { Suite } from '../suite.js';

/** What can be read and checked, but not run yet: running without it would judge something else. */
export function checkSupported(
  { eval: { source, data } }: Suite,
  plan: Plan,
  isSupported: (stepType: string) => boolean,
  problems: Problems,
): void {
  for (const { definition } of plan.tasks) {
    for (const { type, path } of definition.steps) {
      if (isSupported(type)) continue;
      const message = `steps of type ${type} cannot be run yet`;
      problems.atKey(definition.source, path, 'unsupported', message, 'use a script instead');
    }
  }
  if (data.config.skills) {
    const message = 'skills cannot be handed to the agent yet';
    problems.atKey(source, ['config', 'skills'], 'unsupported', message);
  }
}
