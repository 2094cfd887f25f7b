import { plural } from '../../../base/text.js';
import type { PooledResults } from '../../../results/read/pooled-results.js';
import type { Output } from '../../io.js';
import { writeWhole } from '../../whole-output.js';
import { terminalColumns, wrapLine, wrapText } from '../../wrapped-text.js';
import { fileLines } from './file-lines.js';
import type { Look } from './look.js';
import { openTaskRuns } from './open-task-runs.js';
import { keyOf, type OverviewLine, overviewLines, overviewOf } from './overview.js';
import type { Selection, Shown } from './selection.js';
import { taskRunLines } from './task-run-lines.js';

/** With so few task runs there is nothing to choose from. */
const fewTaskRuns = 3;
/** Stories that are told without being asked for. */
const maxFailedStories = 5;

type Write = (lines: readonly string[]) => Promise<void>;

/** Tells the stories that were asked for; else what there is, and the stories of what did not pass. */
export async function viewAsText(
  results: PooledResults,
  selection: Selection,
  output: Output,
  look: Look,
): Promise<Shown> {
  // Who asks for longer lines gets them.
  const columns = look.maxLineLength === undefined ? terminalColumns(output) : undefined;
  const write: Write = (lines) => writeWhole(output, wrapText(`${lines.join('\n')}\n`, columns));
  await write(results.files.flatMap((file) => fileLines(file, look)));
  if (selection.isNarrow) return tellSelected(results, selection, write, look);
  const overview = await overviewOf(results);
  if (overview.length === 0) {
    const open = await tellOpen(results, selection, write, look);
    return { covered: open, shown: open };
  }
  if (overview.length > fewTaskRuns) await write(['', ...overviewLines(overview, look)]);
  const told = toldOf(overview);
  await tell(told, results, write, look);
  const hint = hintFor(overview, told.length);
  if (hint !== undefined) {
    await write(['', ...wrapLine(hint, look.width).map((line) => look.style('dim', line))]);
  }
  return { covered: overview.length, shown: told.length };
}

function toldOf(overview: readonly OverviewLine[]): readonly OverviewLine[] {
  if (overview.length <= fewTaskRuns) return overview;
  const failed = overview.filter(({ outcome }) => outcome !== 'passed');
  return failed.length > 0 ? failed.slice(0, maxFailedStories) : overview.slice(0, 1);
}

async function tellSelected(
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
    await write(storyLines(results, file.path, taskRun, look));
    shown += 1;
  }
  const open = await tellOpen(results, selection, write, look);
  return { covered: covered + open, shown: shown + open };
}

/** What there is so far of those that have no verdict yet. Gives how many it told. */
async function tellOpen(
  results: PooledResults,
  { matches }: Selection,
  write: Write,
  look: Look,
): Promise<number> {
  let told = 0;
  for await (const { file, taskRun } of openTaskRuns(results)) {
    if (!matches(taskRun)) continue;
    await write(storyLines(results, file.path, taskRun, look));
    told += 1;
  }
  return told;
}

async function tell(
  told: readonly OverviewLine[],
  results: PooledResults,
  write: Write,
  look: Look,
): Promise<void> {
  const keys = new Set(told.map(({ key }) => key));
  if (keys.size === 0) return;
  for await (const { file, taskRun } of results.taskRuns()) {
    if (!keys.delete(keyOf(file.path, taskRun))) continue;
    await write(storyLines(results, file.path, taskRun, look));
    if (keys.size === 0) return;
  }
}

function storyLines(
  { files }: PooledResults,
  path: string,
  taskRun: Parameters<typeof taskRunLines>[0],
  look: Look,
): string[] {
  const rule = look.style('dim', look.signs.barOpen.repeat(look.width));
  return ['', rule, ...taskRunLines(taskRun, { file: files.length > 1 ? path : undefined }, look)];
}

function hintFor(overview: readonly OverviewLine[], told: number): string | undefined {
  if (told === overview.length) return undefined;
  const failed = overview.filter(({ outcome }) => outcome !== 'passed').length;
  const others = '--task NAME --run N shows any other';
  if (failed > told) {
    return `${plural(failed - told, 'more task run')} did not pass: --failed shows all; ${others}`;
  }
  return failed > 0
    ? `stories of task runs that passed are left out: ${others}`
    : `all passed, and this was the first: ${others}`;
}
