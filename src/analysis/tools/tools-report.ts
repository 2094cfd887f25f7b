import type { CountTokens } from '../../tokens/with-token-counter.js';
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
  for await (const { file, taskRun } of sample.taskRuns()) {
    evaluations.add(file, taskRun);
    if (isWanted(taskRun.task)) fold.add(taskRun, file.header);
  }
  const report = fold.report(countTokens ? await schemaTokens(fold, countTokens) : new Map());
  const { unfinished } = evaluations;
  return unfinished.length > 0 ? { ...report, unfinished } : report;
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
