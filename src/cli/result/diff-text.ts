import { dollars, shortDuration, shortNumber } from '../../analysis/amount-text.js';
import { amountChanges, leftOut, methodText, points } from '../../analysis/diff/diff-words.js';
import type { FailOn } from '../../analysis/diff/gate.js';
import { nextSteps } from '../../analysis/diff/next-steps.js';
import { isNoteworthy } from '../../analysis/diff/noteworthy.js';
import type {
  Headline,
  ResultsDiff,
  TaskDiff,
  ToolChange,
} from '../../analysis/diff/results-diff.js';
import { rateWithInterval } from '../../analysis/rate-text.js';
import { plural } from '../../base/text.js';
import { taskInWords } from '../../events/task-run-key.js';
import { quoteForShell } from '../check/wording.js';
import type { Style } from '../style.js';
import { terminalLine } from '../terminal-text.js';
import { taskTable, verdictFormats } from './diff-tasks.js';
import { type Cell, type Column, tableLines } from './table.js';

interface Look {
  style: Style;
  /** Columns of the terminal, if it is one. */
  width: number | undefined;
}

interface Gate {
  failOn: FailOn;
  stopped: boolean;
}

const toneFormats: Record<Headline['tone'], Parameters<Style>[0]> = {
  better: ['bold', 'green'],
  worse: ['bold', 'red'],
  mixed: ['bold', 'yellow'],
  open: ['bold', 'yellow'],
  same: 'bold',
};

/** Nobody reads more lines than this at once; `-o json` has them all. */
const mostLines = 50;
const fewTasks = 20;

/** A comparison for people: the answer, then what it rests on, then what to do. */
export function diffText(diff: ResultsDiff, gate: Gate, look: Look): string {
  const { style } = look;
  const { tone, text } = diff.headline;
  const sections = [
    [style(toneFormats[tone], text)],
    diff.caveats.map((caveat) => style('yellow', `note: ${terminalLine(caveat)}`)),
    totalLines(diff, look),
    section('Tasks', taskLines(diff, look), style),
    section('New tasks', sideLines(diff.added), style),
    section('Removed tasks', sideLines(diff.removed), style),
    section('A task run takes, on average', amountLines(diff, look), style),
    section('Tools', toolLines(diff.tools, style), style),
    section('Next', nextLines(diff, gate), style),
  ];
  const filled = sections.filter((lines) => lines.length > 0);
  return `${filled.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function section(title: string, lines: string[], style: Style): string[] {
  return lines.length === 0 ? [] : [style('bold', title), ...lines];
}

function totalLines({ total }: ResultsDiff, { style }: Look): string[] {
  const { base, current, difference, low, high, verdict } = total;
  const interval =
    low === null || high === null ? '' : ` (${points(low)} to ${points(high)}, 95% interval)`;
  const change = difference === null ? 'unknown' : `${points(difference)} points${interval}`;
  const rows: [string, string][] = [
    ['base', sideText(base)],
    ['current', sideText(current)],
    ['difference', `${change}, mean over tasks`],
    ['as a whole', `${style(verdictFormats[verdict], verdict)} (${methodText(total)})`],
  ];
  return rows.map(([name, text]) => `${style('dim', name.padEnd(10))}  ${text}`);
}

function sideText(side: ResultsDiff['total']['base']): string {
  const aside = leftOut(side);
  const judged = `${side.passed} of ${side.judged} judged task runs passed`;
  return `${rateWithInterval(side)}, ${judged}${aside === '' ? '' : `; left out: ${aside}`}`;
}

/** Those that are alike on both sides only where there is room for all. */
function taskLines({ tasks }: ResultsDiff, look: Look): string[] {
  const wanted = tasks.length > fewTasks ? tasks.filter(isNoteworthy) : tasks;
  const alike = tasks.length - wanted.length;
  const shown = wanted.slice(0, mostLines);
  return [
    ...(shown.length > 0 ? taskTable(shown, { ...look, indent: '  ' }) : []),
    ...restOf(wanted, shown),
    ...shown.flatMap(noteLines),
    ...(alike > 0 ? [`  ${plural(alike, 'task')} with nothing to see: -o json has them all`] : []),
  ];
}

function noteLines(task: TaskDiff): string[] {
  return task.notes.map((note) => `  ${terminalLine(`${taskInWords(task)}: ${note}`)}`);
}

function sideLines(tasks: ResultsDiff['added']): string[] {
  const shown = tasks.slice(0, mostLines);
  const lines = shown.map(
    (each) => `  ${terminalLine(taskInWords(each))}  ${rateWithInterval(each.side)}`,
  );
  return [...lines, ...restOf(tasks, shown)];
}

const amountColumns: readonly Column[] = [
  { title: '' },
  { title: 'base', align: 'right' },
  { title: 'current', align: 'right' },
  { title: 'change', align: 'right' },
];

function amountLines({ total }: ResultsDiff, look: Look): string[] {
  const rows = amountChanges(total).map(({ what, amount, before, now, change }): Cell[] => {
    const show = (value: number) => {
      if (amount === 'durationMs') return shortDuration(value);
      if (amount === 'cost') return dollars(value);
      return amount.endsWith('Tokens') ? shortNumber(value) : value.toFixed(1);
    };
    return [what, show(before), show(now), change];
  });
  return rows.length === 0 ? [] : tableLines(amountColumns, rows, { ...look, indent: '  ' });
}

const toolFormats = { added: 'green', removed: 'red', redefined: 'yellow' } as const;

function toolLines(tools: readonly ToolChange[], style: Style): string[] {
  const shown = tools.slice(0, mostLines);
  const lines = shown.map(({ server, tool, change, parts }) => {
    const what = parts.length === 0 ? '' : `: ${parts.map(terminalLine).join(', ')}`;
    return `  ${style(toolFormats[change], change.padEnd(9))}  ${terminalLine(`${server}.${tool}`)}${what}`;
  });
  return [...lines, ...restOf(tools, shown)];
}

function restOf(all: readonly unknown[], shown: readonly unknown[]): string[] {
  const rest = all.length - shown.length;
  return rest > 0 ? [`  and ${rest} more: -o json has them all`] : [];
}

function nextLines(diff: ResultsDiff, { failOn, stopped }: Gate): string[] {
  const why = { regression: 'got worse by more than noise', 'any-drop': 'fell', never: '' };
  const files = diff.current.map(({ path }) => terminalLine(quoteForShell(path)));
  return [
    ...(stopped ? [`  --fail-on ${failOn}: a rate ${why[failOn]}, so the exit code is 1`] : []),
    ...(stopped ? [`  see why: proctor view ${files.join(' ')} --failed`] : []),
    ...nextSteps(diff).map((step) => `  ${step}`),
  ];
}
