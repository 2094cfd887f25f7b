import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { callRecord, failedCall } from '../../../testing/task-run-records.js';
import { isRejected, readErrorText } from './call-errors.js';

const megabyte = 1_000_000;

function heapInUse(): number {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  collectGarbage();
  return getHeapStatistics().used_heap_size;
}

it('keeps nothing of a long error but its beginning', () => {
  const before = heapInUse();
  const texts = Array.from({ length: 50 }, (_, index) =>
    readErrorText(failedCall(`error ${index}: ${'x'.repeat(megabyte)}`)),
  );
  expect(heapInUse() - before).toBeLessThan(10 * megabyte);
  expect(texts.at(-1)).toMatch(/^error 49: x{1990}$/);
});

describe('isRejected', () => {
  it.each([
    [
      'TypeScript SDK 1',
      'MCP error -32602: Input validation error: Invalid arguments for tool feed: []',
    ],
    ['TypeScript SDK 2', 'Input validation error: Invalid arguments for tool feed: pet: Required'],
    ['Python SDK', "Input validation error: 'pet' is a required property"],
    [
      'FastMCP',
      'Error executing tool feed: 1 validation error for feedArguments\npet\n  Field required',
    ],
    ['Go SDK', 'validating "arguments": validating root: required: missing properties: ["pet"]'],
    ['mark3labs/mcp-go', 'required argument "pet" not found'],
    ['mark3labs/mcp-go, of a type', 'argument "pet" is not a string'],
    ['Rust SDK', 'failed to deserialize parameters: missing field `pet`'],
  ])('knows the words of %s', (_, text) => {
    expect(isRejected(failedCall(text))).toBe(true);
  });

  it('knows the code of JSON-RPC', () => {
    const error = { code: -32602, message: 'pet is missing' };
    expect(isRejected(callRecord({ isError: true, result: null, error }))).toBe(true);
  });

  it.each([
    ['another error', failedCall('the cat is asleep')],
    ['a tool that is not there', failedCall('MCP error -32602: Tool fed not found')],
    [
      'an unknown tool by its code',
      callRecord({ isError: true, error: { code: -32602, message: 'Unknown tool: fed' } }),
    ],
    [
      'such words of a call that worked',
      { ...failedCall('Input validation error'), isError: false },
    ],
    ['a call that reached no server', failedCall('Input validation error', { blocked: true })],
    ['an error without a text', callRecord({ isError: true, result: null })],
  ])('is not %s', (_, call) => {
    expect(isRejected(call)).toBe(false);
  });
});
