import { mkdtemp, rm } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { isObject } from '../../base/json.js';
import { escapeTerminalCharacters, RawJson, visitMembers } from '../../base/json-text.js';
import type { AgentIdentity } from '../../journal/run-events.js';
import { formatTaskRunKey } from '../../journal/task-run-events.js';
import { sumJudgeUsage } from '../../journal/usage.js';
import { ResultsDocument } from '../read/results-document.js';
import type { RecheckRecord, ResultTotals } from '../schema/results-schema.js';
import type { TaskRunRecord } from '../task-run-record.js';
import { convertToDocument } from '../write/document-conversion.js';
import { stringifyFileValue, stringifyWithRaw, writeJsonFile } from '../write/json-output.js';
import { computeTotals, summarizeRecord, type TaskRunSummary } from '../write/totals.js';
import type { Recheck, RecheckedTaskRun } from './recheck.js';
import { decideRecheckedVerdict } from './rechecked-verdict.js';

export interface WrittenRecheck {
  totals: ResultTotals;
  /** How many task runs have another outcome now. */
  changed: number;
  /** How many recorded task runs are not written because they were filtered out. */
  leftOut: number;
  /** How many task runs are written unchanged because the eval does not have their tasks. */
  notRechecked: number;
}

/**
 * Writes the results of a recheck: the recorded task runs with their new verdicts, and `rechecked`. Everything
 * but the verdicts is written byte for byte as it was recorded, and so are task runs whose tasks the eval does
 * not have: without them a failure would be gone. The file appears complete, or not at all.
 */
export async function writeRechecked(
  path: string,
  outPath: string,
  { recheck, by, judge }: { recheck: Recheck; by: RecheckRecord; judge: AgentIdentity | undefined },
): Promise<WrittenRecheck> {
  const outFolder = dirname(resolve(outPath));
  const tempFolder = await mkdtemp(join(outFolder, '.proctor-recheck-'));
  try {
    const { document } = await convertToDocument(path, join(tempFolder, 'results.json'));
    const header = await new ResultsDocument(document).header();
    const recheckedByKey = new Map(
      recheck.taskRuns.map((taskRun) => [makeRecheckKey(taskRun), taskRun]),
    );
    const notInEval = new Set(recheck.notInEval);
    const summaries: TaskRunSummary[] = [];
    const members = new Map<string, string>();
    let changed = 0;
    let leftOut = 0;
    let notRechecked = 0;
    const read = new ResultsDocument(document).taskRuns((key, text) => members.set(key, text));
    for await (const { record } of read) {
      const rechecked = recheckedByKey.get(makeRecheckKey(record));
      if (!rechecked) {
        if (notInEval.has(record.task)) {
          notRechecked += 1;
          summaries.push(summarizeRecord(record));
        } else leftOut += 1;
        continue;
      }
      const outcome = decideRecheckedVerdict(record, rechecked).outcome;
      if (outcome !== record.outcome) changed += 1;
      summaries.push(summarizeRecord({ ...record, ...sumJudgements(rechecked), outcome }));
    }
    const planned = header.planned ?? summaries.length + leftOut;
    const totals = computeTotals(summaries, Math.max(0, planned - leftOut));
    const journal = relocateJournalText(members.get('journal'), document, outFolder);
    const head = buildRecheckedHead(members, {
      by,
      judge,
      totals,
      journal,
      finished: header.finished,
    });
    await writeJsonFile(outPath, async (output) => {
      await output.add(`${head.slice(0, -1)},\n"taskRuns":[`);
      let separator = '\n';
      for await (const { record, text, isMended } of new ResultsDocument(document).taskRuns()) {
        const rechecked = recheckedByKey.get(makeRecheckKey(record));
        if (!rechecked && !notInEval.has(record.task)) continue;
        const whole = isMended ? stringifyFileValue(path, record) : text;
        await output.add(
          `${separator}${rechecked ? formatRechecked(whole, record, rechecked) : whole}`,
        );
        separator = ',\n';
      }
      await output.add('\n]}\n');
    });
    return { totals, changed, leftOut, notRechecked };
  } finally {
    await rm(tempFolder, { recursive: true, force: true });
  }
}

function makeRecheckKey({
  task,
  variant,
  run,
}: {
  task: string;
  variant?: string | null;
  run: number;
}) {
  return formatTaskRunKey({ task, run, ...(variant && { variant }) });
}

interface NewHead {
  by: RecheckRecord;
  judge: AgentIdentity | undefined;
  totals: ResultTotals;
  journal: string | null;
  /** False also if the recorded value cannot be read. */
  finished: boolean;
}

/** Builds the recorded header with the members that rechecking changes. */
function buildRecheckedHead(
  members: ReadonlyMap<string, string>,
  { by, judge, ...changed }: NewHead,
) {
  const { schema, ...kept } = Object.fromEntries(
    [...members].map(([key, text]) => [key, new RawJson(text)]),
  );
  return stringifyWithRaw({
    schema,
    rechecked: by,
    ...kept,
    ...(judge && { judge }),
    ...(kept.sources && { sources: markSourcesRechecked(kept.sources, by) }),
    ...changed,
  });
}

/** Marks each run in merged results as rechecked, so that merging them again keeps it. */
function markSourcesRechecked(recorded: RawJson, by: RecheckRecord): RawJson | unknown[] {
  const sources: unknown = JSON.parse(recorded.text);
  if (!Array.isArray(sources)) return recorded;
  return sources.map((source) => (isObject(source) ? { ...source, rechecked: by } : source));
}

/** Makes the path of the journal relative to the folder of the new results. */
function relocateJournalText(text: string | undefined, document: string, outFolder: string) {
  const journal: unknown = text === undefined ? null : JSON.parse(text);
  if (typeof journal !== 'string') return null;
  return relative(outFolder, resolve(dirname(document), journal))
    .split(sep)
    .join('/');
}

/** Formats a task run with its new verdict; all other members stay byte for byte. */
function formatRechecked(text: string, record: TaskRunRecord, rechecked: RecheckedTaskRun): string {
  const { judgements = [] } = rechecked;
  const changed: Record<string, unknown> = {
    ...decideRecheckedVerdict(record, rechecked),
    ...sumJudgements(rechecked),
    ...(rechecked.unfinished === undefined && { judging: rechecked.judging }),
    ...(judgements.length > 0 && { phases: replaceJudgements(record, judgements) }),
  };
  const members: string[] = [];
  visitMembers(text, (key, start, end) => {
    if (!Object.hasOwn(changed, key)) {
      members.push(`${JSON.stringify(key)}:${text.slice(start, end)}`);
    }
  });
  for (const [key, value] of Object.entries(changed)) {
    members.push(`${JSON.stringify(key)}:${JSON.stringify(value)}`);
  }
  return escapeTerminalCharacters(`{${members.join(',')}}`);
}

/** Sums tokens and cost of the new judgements, which replace the recorded ones. */
function sumJudgements({
  judgements = [],
}: RecheckedTaskRun): Partial<Pick<TaskRunRecord, 'judge'>> {
  if (judgements.length === 0) return {};
  const { usage = null, cost = null, ...rest } = sumJudgeUsage(judgements);
  return { judge: { usage, cost, ...rest } };
}

function replaceJudgements(
  { phases }: TaskRunRecord,
  judgements: NonNullable<RecheckedTaskRun['judgements']>,
): TaskRunRecord['phases'] {
  const { verify } = phases;
  if (!verify) return phases;
  const steps = verify.steps.map((step) => {
    const current = judgements.find((judged) =>
      judged.id === undefined ? judged.step === step.step : judged.id === step.id,
    );
    if (step.kind !== 'llmJudge' || !current) return step;
    const { step: _, id, at, notes, before, ...judgement } = current;
    const { message, ...rest } = step;
    const outcome = judgement.passed === null ? 'error' : judgement.passed ? 'passed' : 'failed';
    return {
      ...rest,
      passed: judgement.passed === true,
      outcome: outcome as typeof step.outcome,
      ...(judgement.passed !== true && { message: judgement.reason }),
      judgement,
    };
  });
  const failed = steps.find(({ passed }) => !passed);
  const outcome = failed ? (failed.outcome === 'error' ? 'error' : 'failed') : 'passed';
  return { ...phases, verify: { ...verify, outcome, steps } };
}
