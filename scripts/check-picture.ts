import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { measureNameColumn } from '../src/cli/check/live/live-frame.js';
import { ProgressState } from '../src/cli/check/live/progress-state.js';
import { chooseFigures, formatFinishedTask } from '../src/cli/check/live/terminal-line.js';
import { renderFinalReport } from '../src/cli/check/report/final-report.js';
import { main } from '../src/cli/main.js';
import { styleFor } from '../src/cli/terminal/output.js';
import { wrapText } from '../src/cli/terminal/text.js';
import type { JournalEvent } from '../src/journal/event.js';
import { readJournal } from '../src/journal/journal-reader.js';
import { closeRun } from '../testing/check-closing.js';
import { terminalPicture } from './terminal-picture.js';

const columns = 100;
const selection = ['-l', 'uses=tools'];

/** What `proctor check` leaves on a terminal when a task of the quickstart fails. */
export async function checkPicture(quickstart: string): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'proctor-picture-'));
  try {
    const agent = path.join(quickstart, 'agents/hasty.yaml');
    const events = await eventsOfCheck(path.join(quickstart, 'eval.yaml'), agent, folder);
    const command = `proctor check eval.yaml ${selection.join(' ')} --agent agents/hasty.yaml`;
    return terminalPicture(command, await shown(events.flatMap(settled)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One task run at a time, so that they come in the same order each time. */
async function eventsOfCheck(
  evalFile: string,
  agent: string,
  folder: string,
): Promise<JournalEvent[]> {
  const said: string[] = [];
  const stream = { write: (text: string) => void said.push(text), isTerminal: false };
  const { PATH = '', TMPDIR = tmpdir() } = process.env;
  const code = await main(
    [
      ...['check', evalFile, ...selection, '--agent', agent],
      ...['-p', '1', '--out', path.join(folder, 'out.json')],
    ],
    { stdout: stream, stderr: stream, environment: { PATH, TMPDIR } },
  );
  if (code !== 1) throw new Error(`one task should fail; exit code ${code}:\n${said.join('')}`);
  const events: JournalEvent[] = [];
  for await (const event of readJournal(path.join(folder, 'out.jsonl'))) events.push(event);
  return events;
}

/** With values in place of those that are different each time; tokens are counted in the build only. */
function settled(event: JournalEvent): JournalEvent[] {
  if (event.type === 'warning' && event.code === 'tokens-not-counted') return [];
  if (event.type === 'mcp-call')
    return [{ ...event, durationMs: 2 + ((event.call ?? 0) % 3) * 0.7 }];
  if (event.type !== 'task-run-ended') return [event];
  const { tool, resource, prompt } = event.calls;
  const calls = tool + resource + prompt;
  const ended = {
    ...event,
    durationMs: 500 + 90 * calls,
    calls: { ...event.calls, tokens: 43 * calls },
    ...(event.failure && { failure: { ...event.failure, evidence: 237 } }),
  };
  return [ended];
}

/** By the code that shows it. */
async function shown(events: readonly JournalEvent[]): Promise<string> {
  const style = styleFor({ write: () => {}, isTerminal: true }, { FORCE_COLOR: '1' });
  const signs = chooseFigures({ LANG: 'C.UTF-8' });
  const state = new ProgressState(planOf(events), String, () => 0);
  for (const event of events) state.apply(event);
  const look = {
    columns,
    nameWidth: measureNameColumn(state.plan, columns),
    style,
    signs,
    control: false,
  };
  const lines = state.plan.tasks.map(({ name, runs }) =>
    formatFinishedTask(state.finishedRunsOf(name), runs, look),
  );
  const options = ['--label-selector', 'uses=tools', '--agent', 'agents/hasty.yaml'];
  const repeat = ['check', 'eval.yaml', ...options];
  const report = renderFinalReport(
    {
      resultsPath: 'proctor-quickstart-out.json',
      journalPath: 'proctor-quickstart-out.jsonl',
      ...(await closeRun(events, { taskRuns: state.plan.taskRuns })),
    },
    { state, program: 'proctor', repeat, control: false, elapsedMs: 4_000, style, width: columns },
  );
  return `${lines.join('\n')}\n\n${wrapText(report, columns)}`;
}

function planOf(events: readonly JournalEvent[]) {
  const started = events.flatMap((event) => (event.type === 'task-run-started' ? [event] : []));
  const tasks = started
    .filter(({ run }) => run === 1)
    .map(({ task, runs, difficulty, labels }) => ({
      name: task,
      task,
      runs,
      ...(difficulty !== undefined && { difficulty }),
      labels,
      parallel: true,
    }));
  return { tasks, taskRuns: started.length, parallel: 4 };
}
