import type { JournalEvent } from '../../src/journal/event.js';
import type { StepEnded } from '../../src/journal/step-events.js';

/** What happened in a task run by its journal, in few words. */
export function story(events: readonly JournalEvent[], task: string, run = 1): string[] {
  return events.flatMap((event) => {
    if (!('taskRun' in event) || event.taskRun !== `${task}#${run}`) return [];
    const words = inWords(event);
    return words === undefined ? [] : [words];
  });
}

function inWords(event: JournalEvent): string | undefined {
  switch (event.type) {
    case 'phase-started':
      return `${event.phase} starts`;
    case 'step-ended':
      return `${event.phase} step ${event.step} ${event.outcome}`;
    case 'mcp-call':
      return event.kind === 'other' ? undefined : `call of ${event.name}`;
    case 'phase-ended':
      return `${event.phase} ${event.outcome}`;
    case 'assertion-checked':
      return `${event.name} ${event.passed ? 'holds' : 'does not hold'}`;
    case 'task-run-ended':
      return `ends ${event.outcome}`;
    default:
      return undefined;
  }
}

/** What the steps of a run put out, by their id. */
export function outputs(
  events: readonly JournalEvent[],
  run = 1,
): Record<string, StepEnded['outputs']> {
  const steps = events.flatMap((event) =>
    event.type === 'step-ended' && event.taskRun.endsWith(`#${run}`) ? [event] : [],
  );
  return Object.fromEntries(steps.map(({ id, outputs }) => [id ?? '', outputs]));
}
