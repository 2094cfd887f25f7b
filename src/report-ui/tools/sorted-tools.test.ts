import { expect, it } from 'vitest';
import { toolUse } from '../../testing/agent-calls.js';
import { sortedTools } from './sorted-tools.js';

const tools = [
  toolUse({ tool: 'b', calls: 1 }),
  toolUse({ tool: 'a', calls: 1, durationMs: null }),
  toolUse({ tool: 'c', calls: 5 }),
];
const names = (by: string, descending: boolean) =>
  sortedTools(tools, { by, descending }).map(({ tool }) => tool);

it('sorts by a column, and equal ones by name', () => {
  expect(names('calls', true)).toEqual(['c', 'a', 'b']);
  expect(names('calls', false)).toEqual(['a', 'b', 'c']);
  expect(names('tool', true)).toEqual(['c', 'b', 'a']);
});

it('puts what is not known last in both orders', () => {
  expect(names('p95', true)).toEqual(['b', 'c', 'a']);
  expect(names('p95', false)).toEqual(['b', 'c', 'a']);
});
