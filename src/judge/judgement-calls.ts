import { type JudgeVerdict, readVerdict } from './judgement-tool.js';

/**
 * The calls of `submit_judgement` in one attempt. Only what decides is kept, however many there are:
 * a judge that cannot make up its mind, or does not know how to say it, has given no verdict.
 */
export class JudgementCalls {
  #first: JudgeVerdict | undefined;
  #mistake: string | undefined;
  #isContradicting = false;

  /** Takes the arguments of a call; tells what is wrong with it. */
  take(args: unknown): string | undefined {
    const read = readVerdict(args);
    if ('mistake' in read) return this.refuse(read.mistake);
    this.#first ??= read.verdict;
    if (this.#first.passed === read.verdict.passed) return undefined;
    this.#isContradicting = true;
    return 'you have already submitted the opposite judgement';
  }

  /** Notes a call whose arguments are not even looked at. */
  refuse(mistake: string): string {
    this.#mistake ??= mistake;
    return mistake;
  }

  get hasValid(): boolean {
    return this.#first !== undefined;
  }

  /** The verdict, or why there is none: with what was said instead. */
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
