import type { LanguageModelV3Message, LanguageModelV3Usage } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import { TokenEstimate } from './token-usage.js';

const said = (length: number): LanguageModelV3Message => ({
  role: 'user',
  content: [{ type: 'text', text: 'x'.repeat(length) }],
});

function usage(input?: number, output?: number): LanguageModelV3Usage {
  return {
    inputTokens: { total: input, noCache: input, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: output, text: output, reasoning: undefined },
  };
}

describe('an estimate of tokens', () => {
  it('goes by the length of what is sent, and a usual answer', () => {
    const estimate = new TokenEstimate([]).next([said(4_000)]);
    expect(estimate).toBeGreaterThan(1_500);
    expect(estimate).toBeLessThan(1_550);
  });

  it('counts the tools', () => {
    const tool = { type: 'function', name: 'x'.repeat(4_000), inputSchema: {} } as const;
    expect(new TokenEstimate([tool]).next([])).toBeGreaterThan(1_500);
  });

  it('expects no longer answer than there may be', () => {
    expect(new TokenEstimate([], { maxOutputTokens: 7 }).next([])).toBe(7);
    expect(new TokenEstimate([], { maxOutputTokens: 100_000 }).next([])).toBe(500);
  });

  it('goes by what the model has counted, and by the length of what is new', () => {
    const estimate = new TokenEstimate([]);
    const messages = [said(4_000)];
    estimate.next(messages);
    messages.push(said(100));
    estimate.learn(usage(3_000, 80), messages);
    expect(estimate.next(messages)).toBe(3_000 + 80 + 80);
    const grown = estimate.next([...messages, said(400)]);
    expect(grown).toBeGreaterThan(3_160 + 100);
    expect(grown).toBeLessThan(3_160 + 150);
  });

  it('goes on as before when the model does not count', () => {
    const estimate = new TokenEstimate([]);
    const messages = [said(400)];
    const before = estimate.next(messages);
    estimate.learn(usage(), messages);
    expect(estimate.next(messages)).toBe(before);
  });
});
