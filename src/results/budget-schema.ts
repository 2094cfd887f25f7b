import * as z from 'zod/mini';
import { described } from '../config/schemas/fields.js';
import { budgetKinds } from '../journal/run-events.js';

const amount = () => z.number().check(z.minimum(0));

/** A budget of a whole check that was reached. */
export const budgetSchema = () =>
  z.object({
    kind: described(z.enum(budgetKinds), 'What was limited.', { examples: ['cost'] }),
    limit: described(amount(), 'How much was given, in US dollars, tokens or milliseconds.', {
      examples: [5],
    }),
    spent: described(
      amount(),
      'How much it was in the end: task runs that are under way come to their end.',
      { examples: [5.12] },
    ),
  });
