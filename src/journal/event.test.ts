import { describe, expect, it } from 'vitest';
import { RawJson } from '../base/json-text.js';
import { formatEventLine, type JournalEvent } from './event.js';

const at = '2026-07-28T10:00:00.000Z';

function messageEvent(text: string): JournalEvent {
  return {
    type: 'mcp-message',
    server: 'memory',
    direction: 'to-server',
    message: new RawJson(text),
    bytes: text.length,
    seq: 2,
    at,
  };
}

describe('formatEventLine', () => {
  it('starts with seq, at and type, and leaves out what is not there', () => {
    const event = { code: 'slow-reader', type: 'warning', message: 'a\n"b"', at, seq: 7 } as const;
    expect(formatEventLine({ ...event, details: undefined } as unknown as JournalEvent)).toBe(
      `{"seq":7,"at":"${at}","type":"warning","code":"slow-reader","message":"a\\n\\"b\\""}`,
    );
  });

  it.each([
    '{"b":1,"a":2,"b":3}',
    '{"id":12345678901234567890,"n":1.0,"e":1E400}',
    '"\\u0041\\/\u2028\u2029"',
    '{"a" : [ ] }',
    'null',
  ])('keeps %s as it is', (text) => {
    const line = formatEventLine(messageEvent(text));
    expect(line).toBe(
      `{"seq":2,"at":"${at}","type":"mcp-message","server":"memory","direction":"to-server","message":${text},"bytes":${text.length}}`,
    );
  });

  it('makes one line of JSON on several', () => {
    const text = '{\r\n  "a": "x\\ny",\n\n  "b": [\r1\n]\n}\n';
    const line = formatEventLine(messageEvent(text));
    expect(line).not.toMatch(/[\r\n]/);
    expect(line).toContain('"a": "x\\ny",');
    expect(JSON.parse(line).message).toEqual({ a: 'x\ny', b: [1] });
  });

  it('lets members be edited, but not what says where the event stands', () => {
    const seen: string[] = [];
    const line = formatEventLine(messageEvent('{"a":1}'), (key, json) => {
      seen.push(key);
      return key === 'message' ? '"edited"' : json;
    });
    expect(seen).toEqual(['server', 'direction', 'message', 'bytes']);
    expect(JSON.parse(line)).toMatchObject({ seq: 2, server: 'memory', message: 'edited' });
  });
});
