import { isObject } from '../base/json.js';
import { type JudgementCategory, judgementCategories } from '../journal/step-events.js';

export const judgementToolName = 'submit_judgement';

/** The verdict of a judge on an answer. */
export interface JudgeVerdict {
  passed: boolean;
  reason: string;
  failureCategory: JudgementCategory;
}

/** The tool as the judge's model sees it. */
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

/** Reads the arguments of a call as a verdict, or says what is wrong with them. */
export function readVerdict(args: unknown): { verdict: JudgeVerdict } | { mistake: string } {
  if (!isObject(args)) return { mistake: 'the arguments have to be an object' };
  const { passed, reason, failureCategory = 'n/a' } = args;
  if (typeof passed !== 'boolean') return { mistake: 'passed has to be true or false' };
  if (typeof reason !== 'string' || reason.trim() === '') {
    return { mistake: 'reason has to be a text that is not empty' };
  }
  const category = judgementCategories.find((known) => known === failureCategory);
  if (category === undefined) {
    return { mistake: `failureCategory has to be one of ${judgementCategories.join(', ')}` };
  }
  return { verdict: { passed, reason, failureCategory: passed ? 'n/a' : category } };
}

/**
 * The calls of `submit_judgement` in one attempt. Only what decides is kept, in bounded memory:
 * a judge that contradicts itself, or makes an invalid call, has given no verdict.
 */
export class JudgementCalls {
  #first: JudgeVerdict | undefined;
  #mistake: string | undefined;
  #isContradicting = false;

  /** Takes the arguments of a call; returns what is wrong with them. */
  take(args: unknown): string | undefined {
    const read = readVerdict(args);
    if ('mistake' in read) return this.refuse(read.mistake);
    this.#first ??= read.verdict;
    if (this.#first.passed === read.verdict.passed) return undefined;
    this.#isContradicting = true;
    return 'you have already submitted the opposite judgement';
  }

  /** Records an invalid call without reading its arguments. */
  refuse(mistake: string): string {
    this.#mistake ??= mistake;
    return mistake;
  }

  get hasValid(): boolean {
    return this.#first !== undefined;
  }

  /** The verdict, or why there is none, with what the judge said instead. */
  outcome(said = ''): { verdict: JudgeVerdict } | { error: string } {
    if (this.#isContradicting)
      return { error: 'it submitted judgements that contradict each other' };
    if (this.#mistake !== undefined) {
      return { error: `it submitted a judgement that is not valid: ${this.#mistake}` };
    }
    if (!this.#first) return { error: `it did not call submit_judgement${said}` };
    return { verdict: this.#first };
  }
}
