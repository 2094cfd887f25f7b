import type { FailureSummary, TaskSummary } from '../../analysis/summary/summary.js';
import { taskInWords } from '../../events/task-run-key.js';
import { quoteForShell } from '../check/wording.js';
import type { Style } from '../style.js';
import { terminalLine } from '../terminal-text.js';

/** Nobody reads more at once; `-o json` has them all. */
const mostTasks = 20;
const mostReasons = 3;
const mostRuns = 10;

/** Why tasks did not pass, and what to type to see more of it. */
export function failureLines(tasks: readonly TaskSummary[], style: Style): string[] {
  const failed = tasks.filter(({ failures }) => failures.length > 0);
  const lines = failed.slice(0, mostTasks).flatMap((task) => taskLines(task, style));
  const more = failed.length - mostTasks;
  return more > 0 ? [...lines, `  and ${more} more tasks: -o json has them all`] : lines;
}

function taskLines(task: TaskSummary, style: Style): string[] {
  const { taskRuns, failures } = task;
  const shown = failures.slice(0, mostReasons);
  const more = failures.length - shown.length;
  const [first] = shown;
  return [
    `  ${style('bold', terminalLine(taskInWords(task)))}`,
    ...shown.map((failure) => {
      const why = `${style('red', failure.category)}: ${terminalLine(failure.message)}`;
      return `    ${why}${taskRuns > 1 ? style('dim', `  ${runsText(failure)}`) : ''}`;
    }),
    ...(more > 0 ? [`    and for ${more} more reasons`] : []),
    ...(first ? [`    ${style('dim', viewCommand(task, first))}`] : []),
  ];
}

function runsText({ runs, count }: FailureSummary): string {
  const shown = runs.slice(0, mostRuns);
  const more = count - shown.length;
  const numbers = `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return `${count === 1 ? 'run' : 'runs'} ${numbers}`;
}

/** Shows the first of these task runs. */
function viewCommand({ task, variant }: TaskSummary, { path, runs }: FailureSummary): string {
  const words = [
    ...['proctor', 'view', path, '--task', exactly(task)],
    ...(variant === null ? [] : ['--variant', exactly(variant)]),
    ...['--run', String(runs[0] ?? 1)],
  ];
  return terminalLine(words.map(quoteForShell).join(' '));
}

function exactly(name: string): string {
  return `^${name.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)}$`;
}
