import { expect, it } from 'vitest';
import type { AgentCall } from '../../assertions/assertion.js';
import { RawJson } from '../../base/json-text.js';
import type { AgentStep } from '../../journal/step-events.js';
import { SkillLoads } from './skill-loads.js';

function loadsOf(steps: AgentStep[]): [name: string, blocked: boolean][] {
  const seen: AgentCall[] = [];
  const loads = new SkillLoads('Skill', (call) => seen.push(call));
  for (const step of steps) loads.step(step);
  loads.end();
  return seen.map(({ name, blocked }) => [name, blocked]);
}

const call = (skill: string, id?: string): AgentStep => ({
  kind: 'tool-call',
  tool: 'Skill',
  args: new RawJson(JSON.stringify({ skill })),
  ...(id !== undefined && { id }),
});
const result = (id: string, isError: boolean): AgentStep => ({
  kind: 'tool-result',
  id,
  isError,
  text: '',
});

it('tells a skill that was loaded from one that was refused', () => {
  const steps = [call('pdf', '1'), call('xls', '2'), result('2', false), result('1', true)];
  expect(loadsOf(steps)).toEqual([
    ['xls', false],
    ['pdf', true],
  ]);
});

it('believes an agent that does not say how it went', () => {
  expect(loadsOf([call('pdf', '1'), call('xls')])).toEqual([
    ['xls', false],
    ['pdf', false],
  ]);
});

it('takes no other tool for one', () => {
  expect(loadsOf([{ kind: 'tool-call', tool: 'Read', id: '1' }, result('1', false)])).toEqual([]);
});
