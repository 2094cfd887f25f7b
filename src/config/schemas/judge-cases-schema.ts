import * as z from 'zod/mini';
import { described, nonEmptyText, optional, text } from './fields.js';

const caseSchema = described(
  z.strictObject({
    name: optional(nonEmptyText(), 'What the case is called. None: its number.', {
      examples: ['names-another-city'],
    }),
    prompt: described(nonEmptyText(), 'What an agent was asked to do.', {
      examples: ['What is the capital of France?'],
    }),
    answer: described(text(), 'What it answered. May be empty: some agents say nothing.', {
      examples: ['It is Lyon.'],
    }),
    reference: described(nonEmptyText(), 'What the answer is held against.', {
      examples: ['Paris is the capital of France'],
    }),
    mode: described(
      z.enum(['contains', 'exact', 'rubric']),
      'How it is held against the reference, as in an `llmJudge` step.',
    ),
    expected: described(
      z.literal(['pass', 'fail', 'passed', 'failed', true, false]),
      'What a good judge says of it.',
      { examples: ['fail'] },
    ),
  }),
  'An answer, and whether it is right.',
  { id: 'judgeCase' },
);

export const judgeCasesSchema = described(
  z.array(caseSchema).check(z.minLength(1)),
  'Labelled answers that a judge is measured against.',
);

export type JudgeCaseData = z.infer<typeof caseSchema>;
