import { findPlaceholders } from '../config/placeholders/placeholders.js';
import { PlaceholderValues } from '../steps/placeholder-values.js';
import { UnresolvedPlaceholder } from '../steps/unresolved-placeholder.js';
import type { RecordedTaskRun } from './recorded-task-run.js';

interface Moment {
  taskName: string;
  /** What was known before this step of `verify`. */
  step: number;
  environment: NodeJS.ProcessEnv;
}

/** Replaces placeholders by what the record tells of them; throws UnresolvedPlaceholder. */
export function recordedValues(
  { random, steps, prompt, output }: RecordedTaskRun,
  { taskName, step, environment }: Moment,
): (text: string) => string {
  const values = new PlaceholderValues({
    taskName,
    random: random ?? { id: '', port: 0 },
    environment,
  });
  for (const each of steps) {
    if (each.phase === 'verify' && each.step >= step) continue;
    values.stepEnded(each, each.outputs, each.truncated);
  }
  if (prompt !== undefined) values.agentPrompted(prompt);
  if (output !== undefined) values.agentAnswered(output);
  return (text) => {
    if (!random) refuseRandom(text);
    return values.resolve(text);
  };
}

function refuseRandom(text: string): void {
  const found = findPlaceholders(text).find(({ family }) => family === 'random');
  if (!found) return;
  const written = text.slice(found.offset, found.offset + found.length);
  throw new UnresolvedPlaceholder(written, 'results do not have it, but the journal may');
}
