import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CallOutcome } from '../../mcp/mcp-client.js';
import { fillJsonQuotes, fillQuotes, type Quotable } from './quotes.js';

function outcome(text: string, structuredContent?: string): CallOutcome {
  const content = JSON.stringify([{ type: 'text', text }]);
  const structured =
    structuredContent === undefined ? '' : `,"structuredContent":${structuredContent}`;
  const answerText = `{"jsonrpc":"2.0","id":1,"result":{"content":${content}${structured}}}`;
  return { isError: false, text, result: JSON.parse(answerText).result, answerText };
}

const deep = `${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}`;

const quotable: Quotable = {
  prompt: 'Say "hi"\n',
  results: new Map([
    [1, outcome('plain text')],
    [2, outcome('ignored', '{"items":[{"id":12345678901234567890,"name":"Ada"}],"ok":true}')],
    [4, outcome(`[{"id":"x\\"y"},${deep},null]`)],
  ]),
};

describe('a text with quotes', () => {
  it.each([
    ['{prompt}', 'Say "hi"\n'],
    ['first: {results.1}, prompt: {prompt}', 'first: plain text, prompt: Say "hi"\n'],
    ['{results.2}', 'ignored'],
    ['{results.2.items[0].name} has {results.2.items[0].id}', 'Ada has 12345678901234567890'],
    ['{results.2.items[0]}', '{"id":12345678901234567890,"name":"Ada"}'],
    ['{results.2.ok}{results.4[2]}', 'truenull'],
    ['{result[0].id}', 'x"y'],
    ['{results.4[1]}', deep],
  ])('%s', (text, expected) => {
    expect(fillQuotes(text, quotable)).toBe(expected);
  });

  it('does not look for quotes in what it quotes', () => {
    const results = new Map([[1, outcome('{prompt} $& $1')]]);
    expect(fillQuotes('<{result}>', { prompt: 'secret', results })).toBe('<{prompt} $& $1>');
  });

  it.each(['{}', '{ result }', '{"result": 1}', '{resulting}', '{prompts}', '${x} {{ .Prompt }}'])(
    'leaves other braces alone: %s',
    (text) => {
      expect(fillQuotes(text, quotable)).toBe(text);
      expect(fillJsonQuotes([text], quotable)).toBe(JSON.stringify([text]));
    },
  );

  it.each([
    ['{results.3}', 'action 3 has no result'],
    ['{results}', 'a number has to follow: {results.1}'],
    ['{results.x}', 'a number has to follow: {results.1}'],
    ['{results.1x}', 'a number has to follow: {results.1}'],
    ['{results.1.a}', 'the result is not JSON'],
    ['{results.2.items[1].id}', 'the result has no such part'],
    ['{results.2.items.length}', 'the result has no such part'],
    ['{results.2.items[0}', 'the result has no such part'],
    ['{results.2.}', 'the result has no such part'],
    ['{results.2.constructor}', 'the result has no such part'],
    ['{results.2.ok.more}', 'the result has no such part'],
    ['{prompt.x}', 'the prompt is a text without parts'],
  ])('refuses %s', (text, reason) => {
    const message = `The script quotes ${text}, but ${reason}.`;
    expect(() => fillQuotes(`a ${text} b`, quotable)).toThrow(message);
    expect(() => fillJsonQuotes({ a: [text] }, quotable)).toThrow(message);
  });

  it('needs a result to quote', () => {
    expect(() => fillQuotes('{result}', { prompt: '', results: new Map() })).toThrow(
      'The script quotes {result}, but there is no result yet.',
    );
  });
});

describe('arguments with quotes', () => {
  it('keep the type of what is quoted alone', () => {
    const args = {
      id: '{results.2.items[0].id}',
      text: 'id {results.2.items[0].id}',
      list: ['{results.2.items}', '{results.1}'],
      ok: '{results.2.ok}',
      count: 2,
      nothing: null,
    };
    expect(fillJsonQuotes(args, quotable)).toBe(
      '{"id":12345678901234567890,"text":"id 12345678901234567890",' +
        '"list":[[{"id":12345678901234567890,"name":"Ada"}],"plain text"],' +
        '"ok":true,"count":2,"nothing":null}',
    );
  });

  it('are what they are where nothing is quoted', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = JSON.stringify(value);
        fc.pre(!/\{(prompt|results?)/.test(json));
        expect(fillJsonQuotes(value, quotable)).toBe(json);
      }),
    );
  });
});
