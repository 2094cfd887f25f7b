import { appendFile } from 'node:fs/promises';
import { summarizeRecordings } from '../../analysis/recording-summary.js';
import type { Summary } from '../../analysis/summary/summary.js';
import { errorMessage, exitCodes, UsageError } from '../../base/errors.js';
import type { Pattern } from '../../config/patterns/pattern.js';
import { describeRecordings } from '../../reporters/document/recording-document.js';
import {
  describeSummary,
  renderSummaryMarkdown,
} from '../../reporters/document/summary-document.js';
import type { RecordingFile } from '../../results/journal/recording-file.js';
import type { CommandRun } from '../command.js';
import {
  listLeftOutOfRecordings,
  parseTaskPattern,
  parseVariantPattern,
  recordingsIn,
  showLeftOut,
  summarizeFiles,
} from '../result/chosen-results.js';
import { printReport } from '../terminal/document.js';
import type { CommandIo } from '../terminal/output.js';

export async function run(call: CommandRun): Promise<number> {
  const { arguments: paths, options, io } = call;
  const format = String(options.output);
  const forGithub = options.githubOutput === true;
  const outputFile = io.environment.GITHUB_OUTPUT;
  if (forGithub && !outputFile && format !== 'text') {
    const message = `--github-output and -o ${format} both want standard output`;
    throw new UsageError(message, 'set GITHUB_OUTPUT to a file, or leave one of them out');
  }
  const tasks = parseTaskPattern(options);
  const recordings = await recordingsIn(call, ['variant', 'githubOutput']);
  if (recordings) {
    await printRecordings(recordings, tasks, call);
    return exitCodes.ok;
  }
  const variants = parseVariantPattern(options);
  const summary = await summarizeFiles(io, paths, { tasks, variants, schemaTokens: true });
  showLeftOut(summary.leftOut, io);
  if (forGithub) await writeOutputs(formatGithubOutput(summary), outputFile, io);
  // Scripts for mcpchecker send standard output to the file themselves: no text may get there.
  const output = forGithub && format === 'text' ? io.stderr : io.stdout;
  if (format === 'markdown') output.write(renderSummaryMarkdown(summary));
  else printReport(call, { data: summary, document: describeSummary(summary) }, output);
  return exitCodes.ok;
}

async function printRecordings(
  recordings: readonly RecordingFile[],
  sessions: Pattern | undefined,
  call: CommandRun,
): Promise<void> {
  const summary = await summarizeRecordings(
    recordings,
    (session) => sessions?.test(session) !== false,
  );
  const leftOut = listLeftOutOfRecordings(recordings);
  showLeftOut(leftOut, call.io);
  if (summary.sessions.length === 0) {
    const hint = sessions ? 'without --task it takes all there are' : 'look again later';
    throw new UsageError('there is no session to sum up', hint);
  }
  printReport(call, { data: { ...summary, leftOut }, document: describeRecordings(summary) });
}

async function writeOutputs(lines: string, file: string | undefined, io: CommandIo): Promise<void> {
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

/**
 * What a step of a GitHub workflow puts out. First the numbers of the summary, by names of their own;
 * then mcpchecker's names with its meaning, which is another one: task runs count as tasks, those that
 * were verified as passed, and schema tokens once for every task run. What was not reported is 0.
 */
function formatGithubOutput({ sources, totals }: Summary): string {
  const { taskRuns, verified, assertions, amounts } = totals;
  const { usage, judge } = amounts;
  const outputs = {
    'results-file': sources.map(({ path }) => oneLine(path)).join(','),
    'pass-rate': formatShare(totals.rate.rate),
    'pass-rate-low': formatShare(totals.rate.low),
    'pass-rate-high': formatShare(totals.rate.high),
    'task-runs': taskRuns,
    'task-runs-judged': totals.rate.judged,
    'task-runs-passed': totals.rate.passed,
    tasks: totals.tasks,
    'tasks-passed-every-run': totals.tasksPassed,
    'tool-definition-tokens': totals.schemaTokens ?? 0,
    'tasks-total': taskRuns,
    'tasks-passed': verified,
    'task-pass-rate': formatShare(verified / taskRuns),
    'assertions-total': assertions.total,
    'assertions-passed': assertions.passed,
    'assertion-pass-rate': formatShare(assertions.passed / assertions.total),
    'tokens-estimated': totals.estimatedTokens,
    'mcp-schema-tokens': totals.schemaTokensOfRuns ?? 0,
    'agent-input-tokens': usage?.inputTokens ?? 0,
    'agent-output-tokens': usage?.outputTokens ?? 0,
    'judge-input-tokens': judge.usage?.inputTokens ?? 0,
    'judge-output-tokens': judge.usage?.outputTokens ?? 0,
  };
  return Object.entries(outputs)
    .map(([key, value]) => `${key}=${value}\n`)
    .join('');
}

/** From 0 to 1; 0 where there was nothing to take a share of, so that no gate lets it pass. */
function formatShare(value: number | null): string {
  return (value === null || Number.isNaN(value) ? 0 : value).toFixed(4);
}

/** A file's name must not become an output of its own. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, '\ufffd');
}
