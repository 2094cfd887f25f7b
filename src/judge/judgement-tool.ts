import { isObject } from '../base/json.js';
import { type JudgementCategory, judgementCategories } from '../journal/step-events.js';

export const judgementToolName = 'submit_judgement';

/** What a judge says of an answer. */
export interface Verdict {
  passed: boolean;
  reason: string;
  failureCategory: JudgementCategory;
}

/** The tool as a model is told of it. */
export const judgementTool = {
  name: judgementToolName,
  title: 'Submit the judgement',
  description:
    'Records your judgement of the answer. Call it exactly once, when you have decided. ' +
    'Nothing else that you say or do counts as a judgement.',
  inputSchema: {
    type: 'object',
    properties: {
      passed: {
        type: 'boolean',
        description: 'true if the answer meets what is asked of it, otherwise false.',
      },
      reason: {
        type: 'string',
        minLength: 1,
        description: 'Why, in one to three sentences, with the words of the answer that decide it.',
      },
      failureCategory: {
        type: 'string',
        enum: [...judgementCategories],
        description:
          'Why the answer did not pass. semantic_mismatch: it says something else. ' +
          'missing_information: something is not there. contains_extra_info: something is there ' +
          'that should not be. n/a: it passed, or nothing of these.',
      },
    },
    required: ['passed', 'reason'],
  },
} as const;

/** Reads the arguments of a call: a verdict, or what is wrong with them. */
export function readVerdict(args: unknown): { verdict: Verdict } | { mistake: string } {
  if (!isObject(args)) return { mistake: 'the arguments have to be an object' };
  const { passed, reason, failureCategory = 'n/a' } = args;
  if (typeof passed !== 'boolean') return { mistake: 'passed has to be true or false' };
  if (typeof reason !== 'string' || reason.trim() === '') {
    return { mistake: 'reason has to be a text that is not empty' };
  }
  const category = judgementCategories.find((each) => each === failureCategory);
  if (category === undefined) {
    return { mistake: `failureCategory has to be one of ${judgementCategories.join(', ')}` };
  }
  return { verdict: { passed, reason, failureCategory: passed ? 'n/a' : category } };
}
