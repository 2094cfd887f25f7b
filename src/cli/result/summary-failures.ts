import type { FailureSummary, TaskSummary } from '../../analysis/summary/summary.js';
import { shellWord } from '../check/shell-word.js';
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

function taskLines({ task, taskRuns, failures }: TaskSummary, style: Style): string[] {
  const shown = failures.slice(0, mostReasons);
  const more = failures.length - shown.length;
  const [first] = shown;
  return [
    `  ${style('bold', terminalLine(task))}`,
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
function viewCommand(task: string, { path, runs }: FailureSummary): string {
  const pattern = `^${task.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)}$`;
  const words = ['proctor', 'view', path, '--task', pattern, '--run', String(runs[0] ?? 1)];
  return terminalLine(words.map(shellWord).join(' '));
}
