import { describe, expect, it } from 'vitest';
import {
  type Document,
  makeSection,
  makeTable,
  quote,
  right,
  verdict,
} from '../../reporters/document/document.js';
import { renderMarkdown } from '../../reporters/document/markdown.js';
import { chooseColumns, renderDocument } from './document.js';

const plain = (_format: unknown, text: string) => text;
const evil = 'a\u001b[2J\nb\u202e | <b>';

const document: Document = {
  title: 'Report',
  answer: verdict('worse', 'bad'),
  notes: [evil],
  blocks: [
    {
      type: 'facts',
      noun: 'figure',
      rows: [
        { name: 'rate', text: '50%' },
        { name: quote(evil), text: quote(evil) },
      ],
    },
    makeSection('Empty', { type: 'list', items: [], noun: 'item' }),
    makeSection(quote(evil), {
      type: 'list',
      noun: 'item',
      limit: 1,
      items: [{ text: ['see ', quote(evil)], details: ['more'] }, { text: 'second' }],
    }),
    makeTable(
      [
        { title: 'name', isFlexible: true, cell: (name: string) => quote(name) },
        { title: 'never known', cell: () => undefined },
        { title: 'size', ...right, note: 'size: in letters', cell: ({ length }) => String(length) },
      ],
      [evil, 'c'],
      { noun: 'name' },
    ),
  ],
};

describe('a document', () => {
  it('is shown on a terminal without any character that acts on it', () => {
    const shown = 'a␛[2J␊b\ufffd | <b>';
    expect(renderDocument(document, { style: plain })).toBe(`worse

note: ${shown}

rate${' '.repeat(shown.length - 2)}50%
${shown}  ${shown}

${shown}
  see ${shown}
    more
  and 1 more item: -o json has them all

name${' '.repeat(shown.length - 4)}  size
${shown}    14
c${' '.repeat(shown.length - 1)}     1
size: in letters
`);
  });

  it('says the same in Markdown, in which nothing quoted is markup', () => {
    const code = '`a\ufffd[2J b\ufffd | <b>`';
    const cell = code.replace('|', '¦');
    expect(renderMarkdown(document)).toBe(`## Report: ❌ worse

> ⚠️ ${code}

- rate: 50%
- ${code}: ${code}

### ${code}

- see ${code}
  - more

and 1 more item

| name | size |
| --- | ---: |
| ${cell} | 14 |
| \`c\` | 1 |

<sub>size: in letters</sub>
`);
  });
});

describe('chooseColumns', () => {
  const columns = [
    { title: 'tool', isFlexible: true as const },
    { title: 'calls' },
    { title: 'blocked', spare: 0 },
    { title: 'p50', spare: 1 },
  ];
  const choose = (width: number | undefined) =>
    chooseColumns(columns, [['x'.repeat(50), '1', '2', '3']], width).map(({ title }) => title);

  it('keeps all columns where there is room, or no terminal', () => {
    expect(choose(60)).toHaveLength(4);
    expect(choose(undefined)).toHaveLength(4);
  });

  it('leaves out the columns with the lowest number first, and never the others', () => {
    expect(choose(45)).toEqual(['tool', 'calls', 'p50']);
    expect(choose(10)).toEqual(['tool', 'calls']);
  });
});
