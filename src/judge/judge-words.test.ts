import { describe, expect, it } from 'vitest';
import { failureText, saidText } from './judge-words.js';

describe('failureText', () => {
  const failed = (details?: string) =>
    failureText({
      code: 'failed',
      message: 'judge.sh exited with code 3',
      ...(details && { details }),
    });

  it('has what the program logged last', () => {
    expect(failed('starting\r\n\n the model is overloaded\n')).toBe(
      'judge.sh exited with code 3; its log ends with: starting the model is overloaded',
    );
  });

  it('says nothing of a log that is empty', () => {
    expect([failed(), failed(' \n ')]).toEqual(Array(2).fill('judge.sh exited with code 3'));
  });

  it('has no more than ten lines, and no part of a word', () => {
    const lines = Array.from({ length: 30 }, (_, index) => `line-${index + 1}`);
    expect(failed(lines.join('\n'))).toMatch(/with: line-21 line-22 .* line-30$/);
    const long = failed(`${'secret'.repeat(200)} the end`);
    expect(long).toMatch(/with: … the end$/);
  });
});

describe('saidText', () => {
  it('quotes in one line what was said', () => {
    expect(saidText(' I would \r\n\n  rather not.\n')).toBe('; it said: "I would rather not."');
  });

  it('is empty where nothing was said', () => {
    expect(saidText(' \n')).toBe('');
  });

  it('is cut between words, also where there is no space to cut at', () => {
    expect(saidText(`${'no '.repeat(99)}a-token-that-goes-on`)).toBe(
      `; it said: "${'no '.repeat(99)}…"`,
    );
    expect(saidText('x'.repeat(1000))).toBe('; it said: "…"');
    expect(saidText('不'.repeat(1000))).toBe(`; it said: "${'不'.repeat(300)}…"`);
  });

  it('is cut in a million spaces too', () => {
    expect(saidText(`no${' '.repeat(1_000_000)}way`)).toMatch(/^; it said: "no +…"$/);
  });
});
