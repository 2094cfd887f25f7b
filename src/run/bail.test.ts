import { expect, test } from 'vitest';
import type { JournalEvent } from '../journal/event.js';
import type { Outcome } from '../journal/task-run-events.js';
import { Bail } from './bail.js';

const ended = (outcome: Outcome) => ({ type: 'task-run-ended', outcome }) as JournalEvent;

test('is due after so many task runs that did not pass', () => {
  const bail = new Bail(3);

  for (const outcome of ['failed', 'passed', 'timeout'] as const) bail.see(ended(outcome));
  expect(bail).toMatchObject({ left: 1, isDue: false });
  bail.see(ended('error'));
  expect(bail).toMatchObject({ left: 0, isDue: true });
});

test('does not count what is done again, such as a task run that was lost with its worker', () => {
  const bail = new Bail(1);

  bail.see(ended('cancelled'));

  expect(bail.isDue).toBe(false);
});

test('without a number never is', () => {
  const bail = new Bail();

  bail.see(ended('failed'));

  expect(bail.isDue).toBe(false);
});
