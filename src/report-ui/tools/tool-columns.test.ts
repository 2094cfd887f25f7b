import { expect, it } from 'vitest';
import { toolUse } from '../../../testing/agent-calls.js';
import { formatToolOrder, parseToolOrder, sortTools } from './tool-columns.js';

it.each(['tool', '-tool', 'errors', '-errors', 'calls'])(
  'the order of tools %s is read from the address as it was written',
  (text) => {
    expect(formatToolOrder(parseToolOrder(text))).toBe(text);
  },
);

it.each([null, '', '-', 'nothing', '-calls'])(
  'the order of tools %s in the address means the default order',
  (text) => {
    expect(parseToolOrder(text)).toEqual({ by: 'calls', descending: true });
    expect(formatToolOrder(parseToolOrder(text))).toBeNull();
  },
);

const tools = [
  toolUse({ tool: 'b', calls: 1 }),
  toolUse({ tool: 'a', calls: 1, durationMs: null }),
  toolUse({ tool: 'c', calls: 5 }),
];
const names = (by: string, descending: boolean) =>
  sortTools(tools, { by, descending }).map(({ tool }) => tool);

it('tools are sorted by a column, and equal ones by name', () => {
  expect(names('calls', true)).toEqual(['c', 'a', 'b']);
  expect(names('calls', false)).toEqual(['a', 'b', 'c']);
  expect(names('tool', true)).toEqual(['c', 'b', 'a']);
});

it('tools with unknown values are last in both directions', () => {
  expect(names('p95', true)).toEqual(['b', 'c', 'a']);
  expect(names('p95', false)).toEqual(['b', 'c', 'a']);
});
