import { appendFile } from 'node:fs/promises';
import type { Summary } from '../../analysis/summary/summary.js';
import { errorMessage } from '../../base/errors.js';
import type { Pattern } from '../../config/patterns/pattern.js';
import { summaryMarkdown } from '../../reporters/markdown/summary-markdown.js';
import type { RecordingFile } from '../../results/recording-file.js';
import type { CommandRun } from '../command.js';
import { exitCodes, UsageError } from '../exit-codes.js';
import type { CommandIo, Output } from '../io.js';
import { jsonText } from '../json-text.js';
import { recordingsIn, variantPatternOf } from '../result/chosen-results.js';
import { showLeftOut } from '../result/left-out.js';
import {
  recordingSummaryMarkdown,
  recordingSummaryText,
  summarizeRecordings,
} from '../result/recording-summary.js';
import { githubOutput } from '../result/summary-github-output.js';
import { summaryOfFiles } from '../result/summary-of-files.js';
import { summaryText } from '../result/summary-text.js';
import { taskPatternOf } from '../result/task-pattern.js';
import { styleFor } from '../style.js';
import { terminalLine } from '../terminal-text.js';
import { terminalColumns, wrapText } from '../wrapped-text.js';

export async function run(call: CommandRun): Promise<number> {
  const { arguments: paths, options, io } = call;
  const format = String(options.output);
  const forGithub = options.githubOutput === true;
  const outputFile = io.environment.GITHUB_OUTPUT;
  if (forGithub && !outputFile && format !== 'text') {
    const message = `--github-output and -o ${format} both want standard output`;
    throw new UsageError(message, 'set GITHUB_OUTPUT to a file, or leave one of them out');
  }
  const tasks = taskPatternOf(options);
  const recordings = await recordingsIn(call, ['variant', 'githubOutput']);
  if (recordings) {
    await summarize(recordings, tasks, format, io);
    return exitCodes.ok;
  }
  const variants = variantPatternOf(options);
  const summary = await summaryOfFiles(io, paths, { tasks, variants, schemaTokens: true });
  showLeftOut(summary.leftOut, io);
  if (forGithub) await putOut(githubOutput(summary), outputFile, io);
  // Scripts for mcpchecker send standard output to the file themselves: no text may get there.
  const output = forGithub && format === 'text' ? io.stderr : io.stdout;
  output.write(rendered(summary, format, output, io));
  return exitCodes.ok;
}

async function summarize(
  recordings: readonly RecordingFile[],
  sessions: Pattern | undefined,
  format: string,
  io: CommandIo,
): Promise<void> {
  const summary = await summarizeRecordings(
    recordings,
    (session) => sessions?.test(session) !== false,
  );
  showLeftOut(summary.leftOut, io);
  if (summary.sessions.length === 0) {
    const hint = sessions ? 'without --task it takes all there are' : 'look again later';
    throw new UsageError('there is no session to sum up', hint);
  }
  if (format === 'json') io.stdout.write(jsonText(summary));
  else if (format === 'markdown') io.stdout.write(recordingSummaryMarkdown(summary));
  else {
    const width = terminalColumns(io.stdout);
    const look = { style: styleFor(io.stdout, io.environment), width };
    io.stdout.write(wrapText(recordingSummaryText(summary, look, terminalLine), width));
  }
}

async function putOut(lines: string, file: string | undefined, io: CommandIo): Promise<void> {
  if (!file) {
    io.stdout.write(lines);
    return;
  }
  try {
    await appendFile(file, lines);
  } catch (error) {
    const reason = errorMessage(error);
    throw new UsageError(`cannot write to GITHUB_OUTPUT: ${reason}`);
  }
}

function rendered(summary: Summary, format: string, output: Output, io: CommandIo): string {
  if (format === 'json') return jsonText(summary);
  if (format === 'markdown') return summaryMarkdown(summary);
  const width = terminalColumns(output);
  const style = styleFor(output, io.environment);
  return wrapText(summaryText(summary, { style, width }), width);
}
