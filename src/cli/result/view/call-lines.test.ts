import { describe, expect, it } from 'vitest';
import { callRecord } from '../../../../testing/task-run-records.js';
import { formatArguments, formatError, formatResult } from './call-lines.js';

const deep = JSON.parse(`${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}`);

describe('arguments', () => {
  it('stand in one line if they fit, else in a line each', () => {
    const args = { pet: 'cat', food: ['hay'] };
    expect(formatArguments(args, 40)).toBe('{"pet":"cat","food":["hay"]}');
    expect(formatArguments(args, 10)).toBe('pet: cat\nfood: ["hay"]');
  });

  it.each([null, undefined, {}])('that are %j are not shown', (args) => {
    expect(formatArguments(args, 40)).toBe('');
  });

  it('that are nested without end are cut', () => {
    expect(formatArguments(deep, 40).length).toBeLessThan(3000);
    expect(formatArguments([deep], 40)).toMatch(/^\[\{"a":\{"a":.* …$/);
  });
});

describe('a result', () => {
  it('is the text that the agent got', () => {
    const content = [
      { type: 'text', text: 'one' },
      { type: 'image', mimeType: 'image/png', data: 'AAAA' },
      { type: 'resource_link', uri: 'pets://cat' },
      { type: 'resource', resource: { uri: 'pets://dog', text: 'two' } },
    ];
    expect(formatResult(callRecord({ result: { content } }))).toBe(
      'one\n[image/png, 4 characters of base64]\n[resource_link pets://cat]\ntwo',
    );
  });

  it('without text is what else it has', () => {
    const result = { content: [], structuredContent: { fed: true } };
    expect(formatResult(callRecord({ result }))).toBe('{"fed":true}');
  });

  it('of a resource or a prompt is its text', () => {
    const contents = [
      { uri: 'pets://cat', text: 'meow' },
      { uri: 'pets://dog', blob: 'AA' },
    ];
    expect(formatResult(callRecord({ kind: 'resource', result: { contents } }))).toBe(
      'meow\n[pets://dog, 2 characters of base64]',
    );
    const messages = [{ role: 'user', content: { type: 'text', text: 'hi' } }];
    expect(formatResult(callRecord({ kind: 'prompt', result: { messages } }))).toBe('user: hi');
  });

  const noText = { type: { toString: 1 }, uri: 'pets://cat' };

  it.each([
    [[1]],
    ['text'],
    [{ content: [null, 1, {}] }],
    [{ content: [noText] }],
    [deep],
    [{ content: [deep] }],
  ])('of any other shape is shown as JSON', (result) => {
    expect(formatResult(callRecord({ result })).length).toBeLessThan(5000);
  });
});

describe('an error', () => {
  it('is shown with its code and data', () => {
    const error = { code: -32602, message: 'no', data: { pet: 'cow' } };
    expect(formatError(callRecord({ error, isError: true }))).toBe('-32602: no\n{"pet":"cow"}');
  });

  it('in a result is its text', () => {
    const result = { content: [{ type: 'text', text: 'asleep' }], isError: true };
    expect(formatError(callRecord({ result, isError: true }))).toBe('asleep');
  });
});
