import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findSpan, readTextAt, replaceAt } from '../base/json-text.js';
import { readIdKey, readIdText, readMessage, readMessages } from './message.js';

describe('readMessages', () => {
  it.each([
    ['{"jsonrpc":"2.0","id":1,"method":"ping"}', ['request']],
    ['{"id":null,"method":"ping"}', ['request']],
    ['{"method":"notifications/x"}', ['notification']],
    ['{"id":1,"result":{}}', ['response']],
    ['{"id":null,"error":{"code":1,"message":""}}', ['response']],
    ['{"id":1,"method":"a","result":1}', ['request']],
    ['{"level":30,"msg":"up"}', ['unknown']],
    ['{"id":1,"method":2}', ['unknown']],
    [
      ' [ {"id":1,"method":"a"} , {"method":"b","params":{"x":"],["}} ] ',
      ['request', 'notification'],
    ],
  ])('the messages of %s are read', (text, kinds) => {
    expect(readMessages(text)?.list.map(({ kind }) => kind)).toEqual(kinds);
  });

  it.each(['', 'hello', '{', '[]', '1', 'null', '"{}"', '[1]', '[[]]'])(
    'finds no message in %j',
    (text) => expect(readMessages(text)).toBeUndefined(),
  );

  it('takes the text of every message of a batch as it stands', () => {
    const first = '{"id": 1.0,"method":"a"}';
    const second = '{"method":"b","params":{"x":"],["}}';
    const texts = readMessages(`[\n${first} ,\t${second}]`)?.list.map(({ text }) => text);
    expect(texts).toEqual([first, second]);
  });

  it('keeps an id as it was written, and compares it as a value', () => {
    const message = readMessage('{"id":12345678901234567890,"method":"a"}');
    expect(message && readIdText(message)).toBe('12345678901234567890');
    const [text, number] = ['{"id":"1","method":"a"}', '{"id":1,"method":"a"}'].map(readMessage);
    expect(text && readIdKey(text)).not.toBe(number && readIdKey(number));
  });
});

const otherKey = fc.string().map((key) => `k${key}`);

describe('places in JSON', () => {
  it('are found whatever stands around them', () => {
    const text = ' { "a\\u0062" : {"c": [1, {"d": "}"}] , "e":"\\"" } , "id" :7}';
    expect(readTextAt(text, ['ab', 'e'])).toBe('"\\""');
    expect(readTextAt(text, ['ab', 'c'])).toBe('[1, {"d": "}"}]');
    expect(readTextAt(text, ['id'])).toBe('7');
    expect(findSpan(text, ['ab', 'nope'])).toBeUndefined();
    expect(findSpan(text, ['id', 'nope'])).toBeUndefined();
  });

  it('can get another value while everything else stays', () => {
    fc.assert(
      fc.property(fc.dictionary(otherKey, fc.jsonValue()), fc.nat(), (object, id) => {
        const text = JSON.stringify({ ...object, id: 'old' }, undefined, 1);
        const edited = replaceAt(text, [{ path: ['id'], by: String(id) }]);
        expect(edited).toBe(text.replace(/"old"(?=\n\}$)/, String(id)));
        expect(JSON.stringify(JSON.parse(edited))).toBe(JSON.stringify({ ...object, id }));
      }),
    );
  });

  it('can be several at once', () => {
    const replacements = [
      { path: ['id'], by: '99' },
      { path: ['params', '_meta', 'progressToken'], by: '"t"' },
      { path: ['missing'], by: 'x' },
    ];
    const text = '{"params":{"_meta":{"progressToken":1},"a":1},"id":1}';
    expect(replaceAt(text, replacements)).toBe(
      '{"params":{"_meta":{"progressToken":"t"},"a":1},"id":99}',
    );
  });
});
