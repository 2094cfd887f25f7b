import { describe, expect, it } from 'vitest';
import { chooseColumns, listColumnNotes, type ToolColumn } from './tools-columns.js';

const column = (title: string): ToolColumn => ({ title, cell: () => '100%' });

describe('the columns of tools', () => {
  const all = ['calls', 'blocked', 'in', 'p50', 'used in'].map(column);

  it('are all there where there is room', () => {
    expect(chooseColumns(all, [], 80)).toEqual(all);
    expect(listColumnNotes(all, all, 'task run')).toBe('');
  });

  it('say which of them had no room', () => {
    const fitting = chooseColumns(all, [], 21);
    expect(fitting.map(({ title }) => title)).toEqual(['calls', 'p50', 'used in']);
    expect(listColumnNotes(fitting, all, 'task run')).toBe(
      'no room for blocked, in: make the terminal wider',
    );
  });
});
