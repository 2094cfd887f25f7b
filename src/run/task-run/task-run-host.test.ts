import { expect, it } from 'vitest';
import type { EventBody } from '../../journal/event.js';
import { warnOnPause } from './task-run-host.js';

it('a provider that slows a model down causes one warning for it, and every pause is passed on', async () => {
  const told: EventBody[] = [];
  const pauses: unknown[] = [];
  const turns = warnOnPause(
    {
      acquire: async () => ({ settle: () => {} }),
      pause: (of, milliseconds) => void pauses.push([of.model, milliseconds]),
    },
    { write: (event) => told.push(event) },
  );
  for (const model of ['a', 'b', 'a']) await turns.pause({ provider: 'openai', model }, 1_500);
  expect(pauses).toEqual([
    ['a', 1_500],
    ['b', 1_500],
    ['a', 1_500],
  ]);
  const warning = (model: string) => ({
    type: 'warning',
    code: 'rate-limited',
    message: `openai:${model} is asked too much: it gets no requests for 2 s`,
  });
  expect(told).toEqual([warning('a'), warning('b')]);
});
