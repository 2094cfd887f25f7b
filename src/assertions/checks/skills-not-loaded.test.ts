import { describe, expect, it } from 'vitest';
import { agentCall, plainly, verdictOn } from '../../testing/agent-calls.js';
import { skillsNotLoaded } from './skills-not-loaded.js';

const kind = 'skill';
const items = [{ skill: 'secret' }, { skillPattern: '^greet' }];

describe('skillsNotLoaded', () => {
  it('passes when no item matches a skill; a tool may have the name', () => {
    const calls = [agentCall(1, 'other', { kind }), agentCall(2, 'greeting')];
    expect(verdictOn(skillsNotLoaded(items.slice(1), plainly), calls)).toEqual({
      passed: true,
      reason: 'expected a skill that matches /^greet/ not to be loaded; the agent did without',
      details: ['a skill that matches /^greet/: not loaded'],
      calls: [],
    });
  });

  it('fails with the calls that should not be there', () => {
    const calls = [agentCall(1, 'other', { kind }), agentCall(2, 'greeting', { kind })];
    expect(verdictOn(skillsNotLoaded(items, plainly), calls)).toMatchObject({
      passed: false,
      reason:
        'expected a skill that matches /^greet/ not to be loaded; the agent loaded skill greeting',
      calls: [2],
    });
  });
});
