import type { RecordingFile } from '../../results/journal/recording-file.js';
import type { CountTokens } from '../../tokens/token-counter.js';
import { JudgingsFold } from '../judging-differences.js';
import { CompletenessFold } from '../summary/completeness.js';
import type { Sample } from '../summary/summarize.js';
import type { ToolsReport } from './tool-usage.js';
import { ToolsFold } from './tools-fold.js';

export interface ToolsOptions {
  /** Selects tasks; all if it is missing. */
  isWanted?: (task: string) => boolean;
  /** Without it, schema tokens are not known. */
  countTokens?: CountTokens;
}

/** Reports how agents used the tools of servers, with one task run in memory at a time. */
export async function reportTools(
  sample: Sample,
  { isWanted = () => true, countTokens }: ToolsOptions = {},
): Promise<ToolsReport> {
  const fold = new ToolsFold();
  for (const { header } of sample.files) fold.addHeader(header);
  const evaluations = new CompletenessFold(sample.files);
  const judgings = new JudgingsFold();
  for await (const { file, taskRun } of sample.taskRuns()) {
    evaluations.add(file, taskRun);
    if (!isWanted(taskRun.task)) continue;
    fold.add(taskRun, file.header);
    judgings.add(file, taskRun);
  }
  const report = fold.report(
    countTokens ? await countDefinitionTokens(fold, countTokens) : new Map(),
  );
  const { unfinished } = evaluations;
  const { unlike } = judgings;
  return {
    ...report,
    ...(unfinished.length > 0 && { unfinished }),
    ...(unlike.length > 0 && { unlikeJudging: unlike }),
  };
}

/** Reports on the tools of recordings, which have no plan and no verdicts. */
export async function reportRecordingTools(
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
  const tokens = countTokens ? await countDefinitionTokens(fold, countTokens) : new Map();
  return { ...fold.report(tokens), recorded: true };
}

async function countDefinitionTokens(
  { definitions }: ToolsFold,
  countTokens: CountTokens,
): Promise<Map<unknown, number>> {
  const texts = definitions.flatMap(({ definition }) => {
    const text = stringifyDefinition(definition);
    return text === undefined ? [] : [{ definition, text }];
  });
  const counts = (await countTokens(texts.map(({ text }) => text))) ?? [];
  return new Map(counts.map((count, index) => [texts[index]?.definition, count]));
}

function stringifyDefinition(definition: unknown): string | undefined {
  try {
    return JSON.stringify(definition);
  } catch (error) {
    // Nested so deeply that it cannot be written.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
