import { expect, it } from 'vitest';
import { outcomeOf } from './permission.js';

const option = (kind: string) => ({ optionId: `the ${kind}`, name: kind, kind });
const question = (...kinds: string[]) => ({ options: kinds.map(option) });
const selected = (kind: string) => ({ outcome: 'selected', optionId: `the ${kind}` });

it('what is allowed is allowed once if that is offered', () => {
  expect(outcomeOf(question('allow_always', 'reject_once', 'allow_once'), true)).toEqual(
    selected('allow_once'),
  );
  expect(outcomeOf(question('reject_once', 'allow_always'), true)).toEqual(
    selected('allow_always'),
  );
});

it('what is not allowed is rejected once if that is offered', () => {
  expect(outcomeOf(question('allow_once', 'reject_always', 'reject_once'), false)).toEqual(
    selected('reject_once'),
  );
  expect(outcomeOf(question('allow_once', 'reject_always'), false)).toEqual(
    selected('reject_always'),
  );
});

it.each([
  {},
  { options: 'all' },
  { options: [null, 7, { kind: 'reject_once' }] },
  question('allow_once'),
])('a question without the right option is not answered: %j', (asked) => {
  expect(outcomeOf(asked, false)).toEqual({ outcome: 'cancelled' });
});
