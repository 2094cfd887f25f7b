import type { WaitStarted } from '../../journal/task-run-events.js';

/** What a task run waits for. */
export function waitText({ for: what, model }: Pick<WaitStarted, 'for' | 'model'>): string {
  return what === 'agent' ? 'another agent to end' : `its turn to ask ${model ?? 'the model'}`;
}
