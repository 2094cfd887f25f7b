import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventStreamReader } from './event-stream.js';
import { LineTooLongError } from './line-splitter.js';

function read(text: string, cuts: number[] = []) {
  const bytes = Buffer.from(text);
  const reader = new EventStreamReader(1000);
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort(
    (left, right) => left - right,
  );
  const events = places.flatMap((place, index) =>
    reader.push(bytes.subarray(place, places[index + 1] ?? bytes.length)),
  );
  return { events, reader };
}

describe('EventStreamReader', () => {
  it.each([
    ['data: a\n\n', [{ event: 'message', data: 'a' }]],
    ['data:a\ndata: b\n\n', [{ event: 'message', data: 'a\nb' }]],
    ['event: endpoint\r\ndata: /x\r\n\r\n', [{ event: 'endpoint', data: '/x' }]],
    [
      'id: 7\rdata: a\r\rdata: b\r\r',
      [
        { event: 'message', data: 'a', id: '7', ownId: '7' },
        { event: 'message', data: 'b', id: '7' },
      ],
    ],
    ['id: 7\n\ndata: a\n\n', [{ event: 'message', data: 'a', id: '7' }]],
    [': comment\n\ndata\n\n', [{ event: 'message', data: '' }]],
    ['\ufeffdata: a\n\n', [{ event: 'message', data: 'a' }]],
    ['event: ping\n\ndata: a\n\n', [{ event: 'message', data: 'a' }]],
    ['data: not the end', []],
  ])('reads %j', (text, expected) => {
    expect(read(text).events).toEqual(expected);
  });

  it('keeps where to go on, and when', () => {
    const { reader } = read('id: 1\nretry: 50\ndata:\n\nid: bad\0\nretry: soon\ndata: x\n\n');
    expect(reader).toMatchObject({ lastEventId: '1', retry: 50 });
  });

  it('goes on after the last event that came whole, also if it had no data', () => {
    expect(read('id: 1\ndata: a\n\nid: 2\ndata: half').reader.lastEventId).toBe('1');
    expect(read('id: 1\ndata: a\n\nid: 2\n\n').reader.lastEventId).toBe('2');
  });

  it('reads the same in whatever pieces it comes', () => {
    const line = fc.constantFrom(
      'data: x',
      'data: \u00e9\u{1f600}',
      'id: 1',
      ': c',
      '',
      'event: e',
    );
    const end = fc.constantFrom('\n', '\r\n', '\r');
    const stream = fc.array(fc.tuple(line, end)).map((lines) => lines.flat().join(''));
    fc.assert(
      fc.property(stream, fc.array(fc.nat()), (text, cuts) => {
        expect(read(text, cuts).events).toEqual(read(text).events);
      }),
    );
  });

  it('refuses what never ends', () => {
    expect(() => read(`data: ${'x'.repeat(2000)}`, [500, 900])).toThrow(LineTooLongError);
    expect(() => read('data: x\n'.repeat(1000))).toThrow(LineTooLongError);
  });
});
