import type { StepStarted } from '../../journal/step-events.js';

/** `script`, or `script look` of a step with an id. */
export function stepName({ kind, id }: Pick<StepStarted, 'kind' | 'id'>): string {
  return id === undefined ? kind : `${kind} ${id}`;
}
