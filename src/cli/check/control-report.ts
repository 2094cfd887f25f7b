import { plural } from '../../base/text.js';
import type { Style } from '../terminal/output.js';
import { terminalLine } from '../terminal/text.js';
import type { ProgressState } from './progress-state.js';

/** What a run without an agent says about the tasks. */
export function controlReport(state: ProgressState, style: Style): string[] {
  const { finished, plan } = state;
  const vacuous = finished.filter(({ outcome }) => outcome === 'passed');
  const noticed = finished.filter(({ outcome }) => outcome === 'failed');
  const unclear = finished.filter((run) => run.outcome !== 'passed' && run.outcome !== 'failed');
  const missing = plan.taskRuns - finished.length;
  const lines: string[] = [];
  if (vacuous.length > 0) {
    const those = vacuous.length === 1 ? 'This task checks nothing' : 'These tasks check nothing';
    lines.push(
      style(['red', 'bold'], `${those}: passed without any agent`),
      ...vacuous.map(({ task }) => `  ${style('red', terminalLine(task))}`),
      `Let ${vacuous.length === 1 ? 'it' : 'them'} verify something that is not so before the agent has done its work.`,
    );
  }
  if (unclear.length > 0) {
    lines.push(
      `${plural(unclear.length, 'task')} could not be judged:`,
      ...unclear.map(({ task, outcome, failure }) => {
        const why = failure ? `${failure.category}: ${failure.message}` : outcome;
        return `  ${terminalLine(`${task}  ${why}`)}`;
      }),
    );
  }
  if (missing > 0) lines.push(`${plural(missing, 'task')} did not run.`);
  if (noticed.length === plan.taskRuns && noticed.length > 0) {
    const every = plural(noticed.length, 'task');
    lines.push(style('green', `Every task noticed the missing agent (${every}).`));
  } else if (finished.length > 0) {
    lines.push(
      `${noticed.length} of ${plural(finished.length, 'task')} noticed the missing agent.`,
    );
  }
  return lines;
}
