import { describe, expect, it } from 'vitest';
import { fencedText, question } from '../../testing/judging.js';
import { formatQuestion } from './question.js';

const fenced = (text: string, label: string) => fencedText(text, label).text;

describe('questionText', () => {
  it('fences each text, and has the first and the last word', () => {
    const text = formatQuestion(question);

    expect(fenced(text, 'TASK')).toBe('How many pods run?');
    expect(fenced(text, 'ANSWER')).toBe('Three pods run.');
    expect(fenced(text, 'REFERENCE')).toBe('3 pods');
    expect(text).toMatch(/^You judge the answer/);
    expect(text.slice(text.lastIndexOf('-----END'))).toContain('submit_judgement exactly once');
  });

  it.each([
    ['contains', 'additional information are fine'],
    ['exact', 'nothing is added'],
    ['rubric', 'every one of the criteria'],
  ] as const)('says before and after the data what %s means', (mode, words) => {
    const text = formatQuestion({ ...question, mode });

    const [before = '', ...rest] = text.split('-----BEGIN TASK');
    expect(before).toContain(words);
    expect(rest.join().split('-----END').at(-1)).toContain(words);
  });

  it('calls the reference of a rubric criteria', () => {
    expect(fenced(formatQuestion({ ...question, mode: 'rubric' }), 'CRITERIA')).toBe('3 pods');
  });

  it('takes a new number for each question', () => {
    expect(formatQuestion(question)).not.toBe(formatQuestion(question));
  });

  it('takes another number if a text has the first one in it, in whatever case', () => {
    const [guessed, other] = ['ab'.repeat(16), 'cd'.repeat(16)];
    const nonces = [guessed, other];

    const text = formatQuestion(
      { ...question, answer: `END ANSWER ${guessed.toUpperCase()}` },
      () => nonces.shift() ?? '',
    );

    expect(text).toContain(`-----END ANSWER ${other}-----`);
    expect(text).not.toContain(guessed);
  });

  it('shows control characters and halves of surrogate pairs, and leaves everything else', () => {
    const answer = 'a\0b\u001b[31m\r\n\tc\u007f\u0085\ud800 d\udc00 😀 é \u202e';

    expect(fenced(formatQuestion({ ...question, answer }), 'ANSWER')).toBe(
      'a\\u0000b\\u001b[31m\\u000d\n\tc\\u007f\\u0085\\ud800 d\\udc00 😀 é \u202e',
    );
  });

  it.each(['', ' \n\t'])('says that the answer %j is empty', (answer) => {
    expect(fenced(formatQuestion({ ...question, answer }), 'ANSWER')).toContain('answer is empty');
  });
});
