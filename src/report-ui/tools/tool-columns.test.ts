import { expect, it } from 'vitest';
import { toolUse } from '../../../test/support/tool-use.js';
import { orderText, parseOrder, sortedTools } from './tool-columns.js';

it.each(['tool', '-tool', 'errors', '-errors', 'calls'])('%s is read as it was written', (text) => {
  expect(orderText(parseOrder(text))).toBe(text);
});

it.each([null, '', '-', 'nothing', '-calls'])('%s is the order at first', (text) => {
  expect(parseOrder(text)).toEqual({ by: 'calls', descending: true });
  expect(orderText(parseOrder(text))).toBeNull();
});

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
