import { formatCallCounts, formatShortDuration } from '../../../analysis/figure-text.js';
import { plural } from '../../../base/text.js';
import type { RecordedSession, RecordingFile } from '../../../results/journal/recording-file.js';
import { cleanLine } from '../../check/live/terminal-line.js';
import { type Output, writeWhole } from '../../terminal/output.js';
import { tableLines } from '../../terminal/table.js';
import { wrapLine } from '../../terminal/text.js';
import { renderFileLines } from './overview.js';
import { renderWarningLines } from './step-lines.js';
import { renderTaskRunLines } from './task-run-lines.js';
import type { Look, Selection, Shown } from './view-options.js';

/** With so few sessions there is nothing to choose from. */
const fewSessions = 3;
/** Sessions that are shown without being asked for. */
const maxShown = 5;

/** Shows the sessions of recordings: those that were asked for; else a list, and the first of them. */
export async function printRecordings(
  recordings: readonly RecordingFile[],
  { isNarrow, covers }: Selection,
  output: Output,
  look: Look,
): Promise<Shown> {
  const write = (lines: readonly string[]) => writeWhole(output, `${lines.join('\n')}\n`);
  for (const recording of recordings) await write(renderRecordingHead(recording, look));
  if (!isNarrow) {
    const list = await readList(recordings);
    if (list.length > fewSessions) await write(['', ...renderList(list, look)]);
  }
  let covered = 0;
  let shown = 0;
  for (const { sessions } of recordings) {
    for await (const session of sessions()) {
      if (!covers(session)) continue;
      covered += 1;
      if (!isNarrow && shown === maxShown) continue;
      const rule = look.style('dim', look.signs.barOpen.repeat(look.width));
      await write(['', rule, ...renderTaskRunLines(session, { isRecorded: true }, look)]);
      shown += 1;
    }
  }
  if (covered > shown) {
    const hint = `${plural(covered - shown, 'more session')}: --task 'session ${shown + 1}$' shows one of them`;
    await write(['', ...wrapLine(hint, look.width).map((line) => look.style('dim', line))]);
  }
  return { covered, shown };
}

/** The file, its servers, and warnings that belong to no session. */
function renderRecordingHead(recording: RecordingFile, look: Look): string[] {
  const { mcpServers, warnings } = recording.header;
  const servers = mcpServers.map(({ name, transport, serverInfo, tools }) => {
    const about = [
      transport,
      ...(serverInfo ? [`${serverInfo.name} ${serverInfo.version}`] : []),
      ...(tools ? [plural(tools.length, 'tool')] : []),
    ];
    return `${name} (${about.join(', ')})`;
  });
  const line = cleanLine(`${plural(servers.length, 'server')}: ${servers.join('; ')}`);
  return [
    ...renderFileLines(recording, look),
    ...wrapLine(line, look.width),
    ...warnings.flatMap(({ message, details }) => renderWarningLines(message, details ?? '', look)),
  ];
}

type Listed = Pick<RecordedSession, 'task' | 'labels' | 'durationMs' | 'callCounts'>;

async function readList(recordings: readonly RecordingFile[]): Promise<Listed[]> {
  const list: Listed[] = [];
  for (const { sessions } of recordings) {
    for await (const { task, labels, durationMs, callCounts } of sessions({
      withoutCallResults: true,
    })) {
      list.push({ task, labels, durationMs, callCounts });
    }
  }
  return list;
}

/** Longer lists are cut. */
const maxRows = 200;

function renderList(list: readonly Listed[], { style, width }: Look): string[] {
  const rows = list.slice(0, maxRows).map(({ task, labels, durationMs, callCounts }) => {
    const { tool, resource, prompt, errors, suspected = 0 } = callCounts;
    const time = durationMs === null ? '' : formatShortDuration(durationMs);
    const calls = formatCallCounts(tool + resource + prompt, errors, suspected);
    return [task, labels.client ?? '', time, calls];
  });
  const columns = [
    { title: 'session' },
    { title: 'agent' },
    { title: 'time', align: 'right' as const },
    { title: 'calls', isFlexible: true as const },
  ];
  const more = list.length - rows.length;
  return [
    ...tableLines(columns, rows, { style, width }),
    ...(more > 0 ? [style('dim', `and ${more} more`)] : []),
  ];
}
