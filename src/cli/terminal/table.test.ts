import { describe, expect, it } from 'vitest';
import { type Column, tableLines } from './table.js';
import { displayWidth } from './text.js';

const plain = (_format: unknown, text: string) => text;

const columns: readonly Column[] = [
  { title: 'name', isFlexible: true },
  { title: 'calls', align: 'right' },
  { title: 'note' },
];

describe('tableLines', () => {
  it('puts text left and numbers right, without spaces at the end', () => {
    const rows = [
      ['list', '3', 'fine'],
      ['a longer one', '1200', ''],
    ];
    expect(tableLines(columns, rows, { style: plain })).toEqual([
      'name          calls  note',
      'list              3  fine',
      'a longer one   1200',
    ]);
  });

  it('cuts the flexible column where the terminal is too narrow', () => {
    const rows = [['a name that is much too long', '3', 'fine']];
    expect(tableLines(columns, rows, { style: plain, width: 30, indent: '  ' })).toEqual([
      '  name             calls  note',
      '  a name that is…      3  fine',
    ]);
  });

  it('leaves something of it however narrow the terminal is', () => {
    const [, row] = tableLines(columns, [['a name that is long', '3', 'fine']], {
      style: plain,
      width: 5,
    });
    expect(row).toBe('a name …      3  fine');
  });

  it('counts the columns that wide characters take', () => {
    const rows = [
      ['漢字', '1', 'x'],
      ['ab', '2', 'x'],
      ['👍', '3', 'x'],
    ];
    const lines = tableLines(columns, rows, { style: plain });
    expect(new Set(lines.slice(1).map(displayWidth)).size).toBe(1);
  });

  it('makes one harmless line of whatever a cell holds', () => {
    const [, ...lines] = tableLines(columns, [['a\nb\u001b[2J\u202e', '1', '']], { style: plain });
    expect(lines).toEqual(['a␊b␛[2J�      1'.trimEnd()]);
  });

  it('styles what is shown, and not the space around it', () => {
    const marked = (format: unknown, text: string) => `<${format}>${text}</>`;
    const rows = [
      [
        { text: 'x', format: 'red' as const },
        { text: '1', format: 'dim' as const },
      ],
    ];
    expect(tableLines(columns, rows, { style: marked })[1]).toBe('<red>x</>         <dim>1</>');
  });

  it('cuts very long cells, also without a terminal', () => {
    const [, row = ''] = tableLines([{ title: 'x' }], [['y'.repeat(10_000)]], { style: plain });
    expect(row).toMatch(/^y{199}…$/);
  });
});
