import { describe, expect, it } from 'vitest';
import { agentCall, plainly, verdictOn } from '../../testing/agent-calls.js';
import { promptsNotUsed } from './prompts-not-used.js';

const kind = 'prompt';
const items = [
  { server: 'shop', prompt: 'secret' },
  { server: 'shop', promptPattern: '^sum' },
];

describe('promptsNotUsed', () => {
  it('passes when no item matches a prompt; a tool may have the name', () => {
    const calls = [agentCall(1, 'other', { kind }), agentCall(2, 'summarize')];
    expect(verdictOn(promptsNotUsed(items.slice(1), plainly), calls)).toEqual({
      passed: true,
      reason: 'expected a prompt of shop that matches /^sum/ not to be used; the agent did without',
      details: ['a prompt of shop that matches /^sum/: not used'],
      calls: [],
    });
  });

  it('fails with the calls that should not be there', () => {
    const calls = [agentCall(1, 'other', { kind }), agentCall(2, 'summarize', { kind })];
    expect(verdictOn(promptsNotUsed(items, plainly), calls)).toMatchObject({
      passed: false,
      reason:
        'expected a prompt of shop that matches /^sum/ not to be used; the agent used prompt shop.summarize',
      calls: [2],
    });
  });
});
