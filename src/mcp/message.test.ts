import { describe, expect, it } from 'vitest';
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
