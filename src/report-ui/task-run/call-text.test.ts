import { describe, expect, it } from 'vitest';
import { callRecord, failedCall } from '../../../test/support/task-run-record.js';
import { callState, errorLine, inOneLine, resultParts } from './call-text.js';

describe('errorLine', () => {
  it('is what the tool said, or the message of the protocol', () => {
    expect(errorLine(failedCall('no such\n  pet'))).toBe('no such pet');
    const error = { code: -32602, message: 'bad arguments' };
    expect(errorLine(callRecord({ error, isError: true }))).toBe('bad arguments');
  });

  it('is all there is where it has no words', () => {
    expect(errorLine(callRecord({ error: 'gone', result: null, isError: true }))).toBe('gone');
    expect(errorLine(callRecord({ result: { content: [] }, isError: true }))).toBe(
      '{ "content": [] }',
    );
    expect(errorLine(callRecord({ result: null, isError: true }))).toBe('');
  });

  it('says why an answer that does not call itself an error may be one', () => {
    expect(errorLine(callRecord({ isError: true, malformed: 'content is missing' }))).toBe(
      'malformed answer: content is missing',
    );
    expect(errorLine(callRecord({ suspectedError: 'Error: no' }))).toBe(
      'looks like an error, and is not marked isError: Error: no',
    );
    expect(errorLine(callRecord({}))).toBeUndefined();
  });
});

describe('inOneLine', () => {
  it('ends with a whole word, if there are words', () => {
    expect(inOneLine('many words '.repeat(50))).toMatch(/(many|words) …$/);
    expect(errorLine(failedCall(`${'x'.repeat(200)} y`))).toBe(`${'x'.repeat(200)} y`);
  });

  it('is cut with a mark', () => {
    expect(inOneLine({ text: 'x'.repeat(5_000_000) })).toHaveLength(162);
    expect(inOneLine('x'.repeat(500))).toMatch(/x …$/);
  });
});

describe('callState', () => {
  it('is what explains it best', () => {
    expect(callState(callRecord())).toBeUndefined();
    expect(callState(callRecord({ isError: true }))).toBe('error');
    expect(callState(callRecord({ isError: true, blocked: true }))).toBe('blocked');
    expect(callState(callRecord({ isError: true, cancelled: true }))).toBe('cancelled');
    expect(callState(callRecord({ isError: true, unfinished: true }))).toBe('unfinished');
  });
});

const text = (value: string) => ({ type: 'text', text: value });
const titles = (result: unknown) => resultParts(result).map(({ title }) => title);

describe('resultParts', () => {
  it('takes texts as they are, and those that are JSON as what they hold', () => {
    expect(resultParts({ content: [text('two\nlines'), text('{"a":1}')] })).toEqual([
      { title: 'text', value: 'two\nlines' },
      { title: 'text', value: { a: 1 } },
    ]);
  });

  it('leaves a text alone that only looks like JSON', () => {
    expect(resultParts({ content: [text('[info] ready')] })).toEqual([
      { title: 'text', value: '[info] ready' },
    ]);
  });

  it('says once what is there twice', () => {
    const parts = resultParts({ content: [text('{"a":1}')], structuredContent: { a: 1 } });
    expect(parts).toEqual([{ title: 'text, and the same structured', value: { a: 1 } }]);
  });

  it('shows what is structured beside a text that says something else', () => {
    const other = { content: [text('one item'), text('{"a":2}')], structuredContent: { a: 1 } };
    expect(titles(other)).toEqual(['text', 'text', 'structured']);
  });

  it('does not mention that nothing went wrong', () => {
    expect(titles({ content: [text('done')], isError: false })).toEqual(['text']);
  });

  it('hides nothing that it does not know', () => {
    const image = { type: 'image', data: 'AAAA' };
    expect(titles({ content: [image, 7], isError: true })).toEqual([
      'content: image',
      'content: unknown',
      'other fields',
    ]);
    expect(resultParts({ contents: [] })).toEqual([{ title: 'result', value: { contents: [] } }]);
    expect(resultParts({ content: 'x' })).toEqual([{ title: 'result', value: { content: 'x' } }]);
    expect(resultParts(null)).toEqual([{ title: 'result', value: null }]);
    expect(resultParts({})).toEqual([{ title: 'result', value: {} }]);
  });

  it('survives a text of any depth', () => {
    const deep = '['.repeat(30_000) + ']'.repeat(30_000);
    expect(titles({ content: [text(deep)], structuredContent: {} })).toEqual([
      'text',
      'structured',
    ]);
  });

  it('shows the text of a resource as what it holds, and which one it is', () => {
    const contents = [{ uri: 'pets://cat', mimeType: 'application/json', text: '{"a":1}' }];
    expect(resultParts({ contents })).toEqual([
      { title: 'text pets://cat application/json', value: { a: 1 } },
    ]);
    const odd = { uri: 'pets://cat', blob: 'AAAA' };
    expect(resultParts({ contents: [odd, 1] })).toEqual([
      { title: 'resource', value: odd },
      { title: 'resource', value: 1 },
    ]);
  });
});
