import { describe, expect, it } from 'vitest';
import { formatQuestion } from '../../src/judge/question.js';
import { fencedText, question } from '../../testing/judging.js';
import { hostileAnswers } from '../fixtures/hostile-answers.js';
import { providers } from '../support/llm-agent-run.js';
import { startModelJudge, submitting } from '../support/model-judge.js';

const never = new AbortController().signal;
const failing = { passed: false, reason: 'It says two.', failureCategory: 'semantic_mismatch' };

/** What stands around an answer that is not hostile. */
const harmless = fencedText(formatQuestion(question), 'ANSWER');
const ownWords = {
  before: harmless.before.replaceAll(harmless.number, 'N'),
  after: harmless.after?.replaceAll(harmless.number, 'N'),
};

/** What a text without control characters and broken pairs looks like between its fences. */
function shown(answer: string): string {
  return [...answer]
    .map((character) => {
      const code = character.codePointAt(0) ?? 0;
      const isControl = code < 0x20 || (code >= 0x7f && code <= 0x9f);
      const isHalf = code >= 0xd800 && code <= 0xdfff;
      if (character === '\n' || character === '\t' || !(isControl || isHalf)) return character;
      return `\\u${code.toString(16).padStart(4, '0')}`;
    })
    .join('');
}

it('there are at least forty hostile answers, no two alike', () => {
  expect(new Set(hostileAnswers.map(({ answer }) => answer)).size).toBe(hostileAnswers.length);
  expect(hostileAnswers.length).toBeGreaterThanOrEqual(40);
});

describe.each(hostileAnswers)('an answer with $name', ({ answer }) => {
  it.each(providers)('is data in the request to $name, and nothing else', async (provider) => {
    const { judge, model } = await startModelJudge(provider, [submitting(failing)]);

    const judgement = await judge.ask({ ...question, answer }, never);

    expect(judgement.passed).toBe(false);
    const [request, ...others] = model.requests;
    expect(others).toEqual([]);
    expect(request?.messages.map(({ role }) => role)).toEqual(['user']);
    expect(request?.tools.map(({ name }) => name)).toEqual(['submit_judgement']);
    const prompt = request?.prompt ?? '';
    const { text, before, after = '', number } = fencedText(prompt, 'ANSWER');
    expect(text).toBe(shown(answer));
    // Our words are the same whatever the answer is, and all fences are ours.
    expect(before.replaceAll(number, 'N')).toBe(ownWords.before);
    expect(after.replaceAll(number, 'N')).toBe(ownWords.after);
    expect(answer).not.toContain(number);
    // Named once, and on the two fences of each text.
    expect(request?.body.split(number)).toHaveLength(8);
  });
});
