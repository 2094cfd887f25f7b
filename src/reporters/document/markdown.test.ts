import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCodeSpan } from './markdown.js';

describe('codeSpan', () => {
  it.each([
    ['create-pod', '`create-pod`'],
    ['a `b` c', '`` a `b` c ``'],
    ['```', '```` ``` ````'],
    ['two\n\nlines', '`two lines`'],
    ['', '` `'],
    ['\u202eevil\u0007', '`\ufffdevil\ufffd`'],
    ['\ud800', '`\ufffd`'],
    ['a|b', '`a|b`'],
  ])('makes code of %j', (text, code) => {
    expect(formatCodeSpan(text)).toBe(code);
  });

  it('lets nothing end a cell of a table', () => {
    expect(formatCodeSpan('a|b \\| c', 'table')).toBe('`a¦b \\¦ c`');
  });

  it('cuts what is too long', () => {
    expect(formatCodeSpan('x'.repeat(1000))).toBe(`\`${'x'.repeat(300)} …\``);
  });

  it('is always one line whose fence does not occur inside', () => {
    const text = fc.string({
      unit: fc.constantFrom('`', '``', '|', '\\', '\n', ' ', 'a', '<', '\u2028'),
    });
    fc.assert(
      fc.property(text, (given) => {
        const code = formatCodeSpan(given, 'table');
        const [fence = ''] = /^`+/.exec(code) ?? [];
        expect(code.endsWith(fence)).toBe(true);
        const inside = code.slice(fence.length, -fence.length);
        expect(inside.match(/`+/g) ?? []).not.toContain(fence);
        expect(code).not.toMatch(/[\n\u2028|]/);
      }),
    );
  });
});
