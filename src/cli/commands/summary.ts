import { appendFile } from 'node:fs/promises';
import type { Summary } from '../../analysis/summary/summary.js';
import { summaryMarkdown } from '../../reporters/markdown/summary-markdown.js';
import type { CommandRun } from '../command.js';
import { exitCodes, UsageError } from '../exit-codes.js';
import type { CommandIo, Output } from '../io.js';
import { jsonText } from '../json-text.js';
import { variantPatternOf } from '../result/chosen-results.js';
import { githubOutput } from '../result/summary-github-output.js';
import { summaryOfFiles } from '../result/summary-of-files.js';
import { summaryText } from '../result/summary-text.js';
import { taskPatternOf } from '../result/task-pattern.js';
import { styleFor } from '../style.js';

export async function run({ arguments: paths, options, io }: CommandRun): Promise<number> {
  const format = String(options.output);
  const forGithub = options.githubOutput === true;
  const outputFile = io.environment.GITHUB_OUTPUT;
  if (forGithub && !outputFile && format !== 'text') {
    const message = `--github-output and -o ${format} both want standard output`;
    throw new UsageError(message, 'set GITHUB_OUTPUT to a file, or leave one of them out');
  }
  const tasks = taskPatternOf(options);
  const variants = variantPatternOf(options);
  const summary = await summaryOfFiles(paths, { tasks, variants, schemaTokens: true });
  if (forGithub) await putOut(githubOutput(summary), outputFile, io);
  // Scripts for mcpchecker send standard output to the file themselves: no text may get there.
  const output = forGithub && format === 'text' ? io.stderr : io.stdout;
  output.write(rendered(summary, format, output, io));
  return exitCodes.ok;
}

async function putOut(lines: string, file: string | undefined, io: CommandIo): Promise<void> {
  if (!file) {
    io.stdout.write(lines);
    return;
  }
  try {
    await appendFile(file, lines);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`cannot write to GITHUB_OUTPUT: ${reason}`);
  }
}

function rendered(summary: Summary, format: string, output: Output, io: CommandIo): string {
  if (format === 'json') return jsonText(summary);
  if (format === 'markdown') return summaryMarkdown(summary);
  const width = output.isTerminal ? output.size?.()?.columns : undefined;
  return summaryText(summary, { style: styleFor(output, io.environment), width });
}
