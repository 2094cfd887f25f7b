import { plural } from '../../../base/text.js';
import type { PooledResults } from '../../../results/read/pooled-results.js';
import { type Output, writeWhole } from '../../terminal/output.js';
import { terminalColumns, wrapLine, wrapText } from '../../terminal/text.js';
import {
  makeTaskRunKey,
  type OverviewLine,
  readOverview,
  renderFileLines,
  renderOverview,
} from './overview.js';
import { renderTaskRunLines } from './task-run-lines.js';
import { type Look, readOpenTaskRuns, type Selection, type Shown } from './view-options.js';

/** With so few task runs there is nothing to choose from. */
const fewTaskRuns = 3;
/** Stories that are shown without being asked for. */
const maxFailedStories = 5;

type Write = (lines: readonly string[]) => Promise<void>;

/** Shows the selected task runs; without a selection an overview, and the task runs that did not pass. */
export async function printAsText(
  results: PooledResults,
  selection: Selection,
  output: Output,
  look: Look,
): Promise<Shown> {
  // With --max-line-length lines are not wrapped.
  const columns = look.maxLineLength === undefined ? terminalColumns(output) : undefined;
  const write: Write = (lines) => writeWhole(output, wrapText(`${lines.join('\n')}\n`, columns));
  await write(results.files.flatMap((file) => renderFileLines(file, look)));
  if (selection.isNarrow) return showSelected(results, selection, write, look);
  const overview = await readOverview(results);
  if (overview.length === 0) {
    const open = await showOpen(results, selection, write, look);
    return { covered: open, shown: open };
  }
  if (overview.length > fewTaskRuns) await write(['', ...renderOverview(overview, look)]);
  const shown = chooseStories(overview);
  await showStories(shown, results, write, look);
  const hint = describeOthers(overview, shown.length);
  if (hint !== undefined) {
    await write(['', ...wrapLine(hint, look.width).map((line) => look.style('dim', line))]);
  }
  return { covered: overview.length, shown: shown.length };
}

function chooseStories(overview: readonly OverviewLine[]): readonly OverviewLine[] {
  if (overview.length <= fewTaskRuns) return overview;
  const failed = overview.filter(({ outcome }) => outcome !== 'passed');
  return failed.length > 0 ? failed.slice(0, maxFailedStories) : overview.slice(0, 1);
}

async function showSelected(
  results: PooledResults,
  selection: Selection,
  write: Write,
  look: Look,
): Promise<Shown> {
  let covered = 0;
  let shown = 0;
  for await (const { file, taskRun } of results.taskRuns()) {
    if (selection.covers(taskRun)) covered += 1;
    if (!selection.matches(taskRun)) continue;
    await write(renderStory(results, file.path, taskRun, look));
    shown += 1;
  }
  const open = await showOpen(results, selection, write, look);
  return { covered: covered + open, shown: shown + open };
}

/** Shows task runs without a verdict as far as they came. Returns how many. */
async function showOpen(
  results: PooledResults,
  { matches }: Selection,
  write: Write,
  look: Look,
): Promise<number> {
  let shown = 0;
  for await (const { file, taskRun } of readOpenTaskRuns(results)) {
    if (!matches(taskRun)) continue;
    await write(renderStory(results, file.path, taskRun, look));
    shown += 1;
  }
  return shown;
}

async function showStories(
  shown: readonly OverviewLine[],
  results: PooledResults,
  write: Write,
  look: Look,
): Promise<void> {
  const keys = new Set(shown.map(({ key }) => key));
  if (keys.size === 0) return;
  for await (const { file, taskRun } of results.taskRuns()) {
    if (!keys.delete(makeTaskRunKey(file.path, taskRun))) continue;
    await write(renderStory(results, file.path, taskRun, look));
    if (keys.size === 0) return;
  }
}

function renderStory(
  { files }: PooledResults,
  path: string,
  taskRun: Parameters<typeof renderTaskRunLines>[0],
  look: Look,
): string[] {
  const rule = look.style('dim', look.signs.barOpen.repeat(look.width));
  return [
    '',
    rule,
    ...renderTaskRunLines(taskRun, { file: files.length > 1 ? path : undefined }, look),
  ];
}

function describeOthers(overview: readonly OverviewLine[], shown: number): string | undefined {
  if (shown === overview.length) return undefined;
  const failed = overview.filter(({ outcome }) => outcome !== 'passed').length;
  const others = '--task NAME --run N shows another';
  if (failed > shown) {
    return `${plural(failed - shown, 'more task run')} did not pass: --failed shows all; ${others}`;
  }
  return failed > 0
    ? `task runs that passed are left out: ${others}`
    : `all passed; this is the first: ${others}`;
}
