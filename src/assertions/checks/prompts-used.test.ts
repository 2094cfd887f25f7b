import { describe, expect, it } from 'vitest';
import { agentCall, plainly, verdictOn } from '../../testing/agent-calls.js';
import { promptsUsed } from './prompts-used.js';

const kind = 'prompt';
const items = [
  { server: 'shop', prompt: 'summarize' },
  { server: 'shop', promptPattern: '^sum' },
];

describe('promptsUsed', () => {
  it('passes when every item matches a prompt', () => {
    const calls = [agentCall(1, 'other', { kind }), agentCall(2, 'summarize', { kind })];
    expect(verdictOn(promptsUsed(items, plainly), calls)).toEqual({
      passed: true,
      reason: 'prompt shop.summarize and a prompt of shop that matches /^sum/ were used',
      details: [
        'prompt shop.summarize: used (call 2)',
        'a prompt of shop that matches /^sum/: used (call 2)',
      ],
      calls: [2],
    });
  });

  it('fails when one is missing, and says what was used', () => {
    const check = promptsUsed(items.slice(0, 1), plainly);
    expect(verdictOn(check, [agentCall(1, 'other', { kind })])).toEqual({
      passed: false,
      reason: 'expected prompt shop.summarize to be used; the agent only used prompt shop.other',
      details: ['prompt shop.summarize: not used'],
      calls: [],
    });
  });

  it('fails when only a tool has that name', () => {
    const { passed, reason } = verdictOn(promptsUsed(items, plainly), [agentCall(1, 'summarize')]);
    expect(passed).toBe(false);
    expect(reason).toContain('; the agent used no prompt');
  });
});
