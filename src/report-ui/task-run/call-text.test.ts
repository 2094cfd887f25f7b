import { describe, expect, it } from 'vitest';
import { callRecord, failedCall } from '../../../testing/task-run-records.js';
import { findCallState, formatCallError, formatOneLine, splitResult } from './call-text.js';

describe('formatCallError', () => {
  it('the error of a call is the text of the tool or the message of the protocol', () => {
    expect(formatCallError(failedCall('no such\n  pet'))).toBe('no such pet');
    const error = { code: -32602, message: 'bad arguments' };
    expect(formatCallError(callRecord({ error, isError: true }))).toBe('bad arguments');
  });

  it('the error of a call without a message is its whole result', () => {
    expect(formatCallError(callRecord({ error: 'gone', result: null, isError: true }))).toBe(
      'gone',
    );
    expect(formatCallError(callRecord({ result: { content: [] }, isError: true }))).toBe(
      '{ "content": [] }',
    );
    expect(formatCallError(callRecord({ result: null, isError: true }))).toBe('');
  });

  it('a suspected error says why the result looks like one', () => {
    expect(formatCallError(callRecord({ isError: true, malformed: 'content is missing' }))).toBe(
      'malformed answer: content is missing',
    );
    expect(formatCallError(callRecord({ suspectedError: 'Error: no' }))).toBe(
      'looks like an error but is not marked isError: Error: no',
    );
    expect(formatCallError(callRecord({}))).toBeUndefined();
  });
});

describe('formatOneLine', () => {
  it('a value in one line is truncated at the end of a word', () => {
    expect(formatOneLine('many words '.repeat(50))).toMatch(/(many|words) …$/);
    expect(formatCallError(failedCall(`${'x'.repeat(200)} y`))).toBe(`${'x'.repeat(200)} y`);
  });

  it('a truncated value ends with an ellipsis', () => {
    expect(formatOneLine({ text: 'x'.repeat(5_000_000) })).toHaveLength(162);
    expect(formatOneLine('x'.repeat(500))).toMatch(/x …$/);
  });
});

describe('findCallState', () => {
  it('the state of a call is the one that explains most', () => {
    expect(findCallState(callRecord())).toBeUndefined();
    expect(findCallState(callRecord({ isError: true }))).toBe('error');
    expect(findCallState(callRecord({ isError: true, blocked: true }))).toBe('blocked');
    expect(findCallState(callRecord({ isError: true, cancelled: true }))).toBe('cancelled');
    expect(findCallState(callRecord({ isError: true, unfinished: true }))).toBe('unfinished');
  });
});

const text = (value: string) => ({ type: 'text', text: value });
const titles = (result: unknown) => splitResult(result).map(({ title }) => title);

describe('splitResult', () => {
  it('texts of a result are shown as they are, and parsed if they are JSON', () => {
    expect(splitResult({ content: [text('two\nlines'), text('{"a":1}')] })).toEqual([
      { title: 'text', value: 'two\nlines' },
      { title: 'text', value: { a: 1 } },
    ]);
  });

  it('a text that only looks like JSON is shown as it is', () => {
    expect(splitResult({ content: [text('[info] ready')] })).toEqual([
      { title: 'text', value: '[info] ready' },
    ]);
  });

  it('structured content that equals a text is shown once', () => {
    const parts = splitResult({ content: [text('{"a":1}')], structuredContent: { a: 1 } });
    expect(parts).toEqual([{ title: 'text and structured content are equal', value: { a: 1 } }]);
  });

  it('structured content that differs from the texts is shown as well', () => {
    const other = { content: [text('one item'), text('{"a":2}')], structuredContent: { a: 1 } };
    expect(titles(other)).toEqual(['text', 'text', 'structured']);
  });

  it('a result does not show isError: false', () => {
    expect(titles({ content: [text('done')], isError: false })).toEqual(['text']);
  });

  it('a result shows unknown fields and content', () => {
    const image = { type: 'image', data: 'AAAA' };
    expect(titles({ content: [image, 7], isError: true })).toEqual([
      'content: image',
      'content: unknown',
      'other fields',
    ]);
    expect(splitResult({ contents: [] })).toEqual([{ title: 'result', value: { contents: [] } }]);
    expect(splitResult({ content: 'x' })).toEqual([{ title: 'result', value: { content: 'x' } }]);
    expect(splitResult(null)).toEqual([{ title: 'result', value: null }]);
    expect(splitResult({})).toEqual([{ title: 'result', value: {} }]);
  });

  it('a result with deeply nested JSON is shown', () => {
    const deep = '['.repeat(30_000) + ']'.repeat(30_000);
    expect(titles({ content: [text(deep)], structuredContent: {} })).toEqual([
      'text',
      'structured',
    ]);
  });

  it('the text of a resource is shown with its URI and type', () => {
    const contents = [{ uri: 'pets://cat', mimeType: 'application/json', text: '{"a":1}' }];
    expect(splitResult({ contents })).toEqual([
      { title: 'text pets://cat application/json', value: { a: 1 } },
    ]);
    const odd = { uri: 'pets://cat', blob: 'AAAA' };
    expect(splitResult({ contents: [odd, 1] })).toEqual([
      { title: 'resource', value: odd },
      { title: 'resource', value: 1 },
    ]);
  });
});
