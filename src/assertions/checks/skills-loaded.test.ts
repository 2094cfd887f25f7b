import { describe, expect, it } from 'vitest';
import { agentCall, plainly, verdictOn } from '../../testing/agent-calls.js';
import { skillsLoaded } from './skills-loaded.js';

const kind = 'skill';
const items = [{ skill: 'greeting' }, { skillPattern: '^greet' }];

describe('skillsLoaded', () => {
  it('passes when every item matches a skill', () => {
    const calls = [agentCall(1, 'other', { kind }), agentCall(2, 'greeting', { kind })];
    expect(verdictOn(skillsLoaded(items, plainly), calls)).toEqual({
      passed: true,
      reason: 'skill greeting and a skill that matches /^greet/ were loaded',
      details: [
        'skill greeting: loaded (call 2)',
        'a skill that matches /^greet/: loaded (call 2)',
      ],
      calls: [2],
    });
  });

  it('fails when one is missing, and says what was loaded', () => {
    const check = skillsLoaded(items.slice(0, 1), plainly);
    expect(verdictOn(check, [agentCall(1, 'other', { kind })])).toEqual({
      passed: false,
      reason: 'expected skill greeting to be loaded; the agent only loaded skill other',
      details: ['skill greeting: not loaded'],
      calls: [],
    });
  });

  it('fails when only a tool has that name', () => {
    const { passed, reason } = verdictOn(skillsLoaded(items, plainly), [agentCall(1, 'greeting')]);
    expect(passed).toBe(false);
    expect(reason).toContain('; the agent loaded no skill');
  });
});
