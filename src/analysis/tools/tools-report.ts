import type { RecordingFile } from '../../results/recording-file.js';
import type { CountTokens } from '../../tokens/token-counter.js';
import { JudgingsFold } from '../judgings-fold.js';
import { EvaluationsFold } from '../summary/evaluations.js';
import type { Sample } from '../summary/summarize.js';
import type { ToolsReport } from './tool-usage.js';
import { ToolsFold } from './tools-fold.js';

export interface ToolsOptions {
  /** Of which tasks; without it, of all. */
  isWanted?: (task: string) => boolean;
  /** Without it, schema tokens are not known. */
  countTokens?: CountTokens;
}

/** How agents used the tools, one task run in memory at a time. */
export async function toolsReport(
  sample: Sample,
  { isWanted = () => true, countTokens }: ToolsOptions = {},
): Promise<ToolsReport> {
  const fold = new ToolsFold();
  for (const { header } of sample.files) fold.addHeader(header);
  const evaluations = new EvaluationsFold(sample.files);
  const judgings = new JudgingsFold();
  for await (const { file, taskRun } of sample.taskRuns()) {
    evaluations.add(file, taskRun);
    if (!isWanted(taskRun.task)) continue;
    fold.add(taskRun, file.header);
    judgings.add(file, taskRun);
  }
  const report = fold.report(countTokens ? await schemaTokens(fold, countTokens) : new Map());
  const { unfinished } = evaluations;
  const { unlike } = judgings;
  return {
    ...report,
    ...(unfinished.length > 0 && { unfinished }),
    ...(unlike.length > 0 && { unlikeJudging: unlike }),
  };
}

/** The same of recordings: nothing was planned there, and nothing judged. */
export async function toolsOfRecordings(
  recordings: readonly RecordingFile[],
  { isWanted = () => true, countTokens }: ToolsOptions = {},
): Promise<ToolsReport> {
  const fold = new ToolsFold();
  for (const { header } of recordings) fold.addHeader(header);
  for (const { header, sessions } of recordings) {
    for await (const session of sessions()) {
      if (isWanted(session.task)) fold.add(session, header);
    }
  }
  const tokens = countTokens ? await schemaTokens(fold, countTokens) : new Map();
  return { ...fold.report(tokens), recorded: true };
}

async function schemaTokens(
  { definitions }: ToolsFold,
  countTokens: CountTokens,
): Promise<Map<unknown, number>> {
  const texts = definitions.flatMap(({ definition }) => {
    const text = jsonOf(definition);
    return text === undefined ? [] : [{ definition, text }];
  });
  const counts = (await countTokens(texts.map(({ text }) => text))) ?? [];
  return new Map(counts.map((count, index) => [texts[index]?.definition, count]));
}

function jsonOf(definition: unknown): string | undefined {
  try {
    return JSON.stringify(definition);
  } catch (error) {
    // Nested so deeply that it cannot be written.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
