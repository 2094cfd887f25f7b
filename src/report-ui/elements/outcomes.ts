import type { Outcome } from '../../journal/task-run-events.js';

/** In the order in which they are always shown. */
export const outcomes: readonly Outcome[] = ['passed', 'failed', 'timeout', 'error', 'cancelled'];
