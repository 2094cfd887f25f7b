import { describe, expect, it } from 'vitest';
import { callRecord, failedCall } from '../../testing/task-run-records.js';
import { callState, errorLine, inOneLine } from './call-words.js';

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
