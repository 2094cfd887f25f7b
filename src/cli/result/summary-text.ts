import { formatInterval, formatPassed, formatRate } from '../../analysis/figure-text.js';
import { listCaveats } from '../../analysis/summary/caveats.js';
import type { GroupSummary, Summary } from '../../analysis/summary/summary.js';
import type { Style } from '../style.js';
import { displayWidth, terminalLine } from '../terminal-text.js';
import { failureLines } from './summary-failures.js';
import { tasksTable } from './summary-tasks.js';
import { totalsRows } from './summary-totals.js';
import { variantLines } from './summary-variants.js';
import { type Cell, type Column, tableLines } from './table.js';

interface Look {
  style: Style;
  /** Columns of the terminal, if it is one. */
  width: number | undefined;
}

/** A summary for people. */
export function summaryText(summary: Summary, look: Look): string {
  const { style } = look;
  const { columns, rows } = tasksTable(summary.tasks);
  const sections = [
    listCaveats(summary).map((caveat) => style('yellow', terminalLine(caveat))),
    summary.tasks.length > 0 ? tableLines(columns, rows, look) : [],
    section('Did not pass', failureLines(summary.tasks, style), style),
    section('Flaky', flakyLines(summary), style),
    section('By variant', variantLines(summary, look), style),
    section('By difficulty', groupLines(Object.entries(summary.byDifficulty), look), style),
    section('By label', groupLines(labelGroups(summary), look), style),
    section('Totals', totalsLines(summary, style), style),
  ];
  const filled = sections.filter((lines) => lines.length > 0);
  return `${filled.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function section(title: string, lines: string[], style: Style): string[] {
  return lines.length === 0 ? [] : [style('bold', title), ...lines];
}

const mostFlaky = 50;

function flakyLines({ totals: { flaky } }: Summary): string[] {
  if (flaky.length === 0) return [];
  const names = flaky.slice(0, mostFlaky).map(terminalLine).join(', ');
  const more = flaky.length > mostFlaky ? ` and ${flaky.length - mostFlaky} more` : '';
  return [`  passed in some runs and not in others: ${names}${more}`];
}

type Groups = [name: string, group: GroupSummary][];

function labelGroups({ byLabel }: Summary): Groups {
  return Object.entries(byLabel).flatMap(([key, values]) =>
    Object.entries(values).map(([value, group]): Groups[number] => [`${key}=${value}`, group]),
  );
}

const mostGroups = 50;

const groupColumns: readonly Column[] = [
  { title: '', flexible: true },
  { title: 'passed', align: 'right' },
  { title: 'rate', align: 'right' },
  { title: '95% interval', align: 'right' },
];

function groupLines(groups: Groups, look: Look): string[] {
  if (groups.length === 0) return [];
  const rows = groups
    .slice(0, mostGroups)
    .map(([name, { rate }]): Cell[] => [
      name,
      formatPassed(rate),
      formatRate(rate),
      formatInterval(rate),
    ]);
  const more = groups.length - mostGroups;
  return [
    ...tableLines(groupColumns, rows, { ...look, indent: '  ' }),
    ...(more > 0 ? [`  and ${more} more: -o json has them all`] : []),
  ];
}

function totalsLines(summary: Summary, style: Style): string[] {
  const rows = totalsRows(summary);
  const width = Math.max(...rows.map(([name]) => displayWidth(name)));
  return rows.map(([name, text]) => {
    const padding = ' '.repeat(width - displayWidth(name));
    return `  ${style('dim', name)}${padding}  ${text}`;
  });
}
