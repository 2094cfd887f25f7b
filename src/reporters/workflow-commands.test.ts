import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WorkflowCommandEscaper } from './workflow-commands.js';

/** As GitHub's runner looks for commands, line by line. */
function hasCommand(text: string): boolean {
  return text.split(/\r\n|\r|\n/).some((line) => /^\s*::/.test(line) || line.includes('##['));
}

const hostile = fc
  .array(fc.constantFrom(':', '::', '#', '##', '[', '##[', '\n', '\r', ' ', '\t', 'a', 'error'))
  .map((parts) => parts.join(''));

describe('WorkflowCommandEscaper', () => {
  it.each([
    ['::stop-commands::x', ':\u200b:stop-commands::x'],
    ['a\n  ::set-output name=x::y', 'a\n  :\u200b:set-output name=x::y'],
    ['say ##[error]no', 'say ##\u200b[error]no'],
    ['a::b #[x] ## [y]', 'a::b #[x] ## [y]'],
  ])('makes %j harmless', (text, inert) => {
    expect(new WorkflowCommandEscaper().escape(text)).toBe(inert);
  });

  it('lets no command through, however the text is cut into pieces', () => {
    fc.assert(
      fc.property(fc.array(hostile), (pieces) => {
        const inert = new WorkflowCommandEscaper();
        const text = pieces.map((piece) => inert.escape(piece)).join('');
        expect(hasCommand(text)).toBe(false);
        expect(text.replaceAll('\u200b', '')).toBe(pieces.join(''));
      }),
    );
  });

  it('leaves JSON what it says', () => {
    fc.assert(
      fc.property(fc.string(), hostile, fc.nat(), (before, text, place) => {
        const value = [before, text, { [text]: [[text]] }];
        const json = JSON.stringify(value);
        const cut = place % json.length;
        const inert = new WorkflowCommandEscaper('json');
        const written = inert.escape(json.slice(0, cut)) + inert.escape(json.slice(cut));
        expect(hasCommand(written)).toBe(false);
        expect(JSON.parse(written)).toEqual(value);
      }),
    );
  });
});
