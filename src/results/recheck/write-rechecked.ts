import { mkdtemp, rm } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { isObject } from '../../base/json.js';
import { visitMembers } from '../../events/json-members.js';
import { sumOfJudging } from '../../events/judge-usage.js';
import { printableJson } from '../../events/printable-json.js';
import { RawJson } from '../../events/raw-json.js';
import type { AgentIdentity } from '../../events/run-events.js';
import { taskRunKey } from '../../events/task-run-key.js';
import { ResultsDocument } from '../read/results-document.js';
import type { RecheckRecord, ResultTotals } from '../schema/results-schema.js';
import type { TaskRunRecord } from '../task-run-record.js';
import { convertToDocument } from '../write/document-conversion.js';
import { buildJsonObject, stringifyFileValue, writeJsonFile } from '../write/json-output.js';
import { computeTotals, summarizeRecord, type TaskRunSummary } from '../write/totals.js';
import type { Recheck, RecheckedTaskRun } from './recheck.js';
import { decideRecheckedVerdict } from './rechecked-verdict.js';

export interface WrittenRecheck {
  totals: ResultTotals;
  /** Task runs whose outcome is another one now. */
  changed: number;
  /** Recorded task runs that nobody asked for, and so are not in it. */
  leftOut: number;
  /** Task runs that are in it as they were recorded: the eval does not have their tasks. */
  notRechecked: number;
}

/**
 * Writes the results that rechecking comes to: everything recorded of the task runs that were rechecked,
 * with the verdicts of today, and `rechecked` to say so. What is no verdict stands there as it was
 * recorded, to the letter, and so do task runs whose tasks the eval does not have: without them, a failure
 * would be gone. The file is there at once and whole, or not at all.
 */
export async function writeRechecked(
  path: string,
  outPath: string,
  { recheck, by, judge }: { recheck: Recheck; by: RecheckRecord; judge: AgentIdentity | undefined },
): Promise<WrittenRecheck> {
  const outFolder = dirname(resolve(outPath));
  const drafts = await mkdtemp(join(outFolder, '.proctor-recheck-'));
  try {
    const { document } = await convertToDocument(path, join(drafts, 'results.json'));
    const header = await new ResultsDocument(document).header();
    const today = new Map(recheck.taskRuns.map((each) => [makeRecheckKey(each), each]));
    const notInEval = new Set(recheck.notInEval);
    const summaries: TaskRunSummary[] = [];
    const members = new Map<string, string>();
    let changed = 0;
    let leftOut = 0;
    let notRechecked = 0;
    const read = new ResultsDocument(document).taskRuns((key, text) => members.set(key, text));
    for await (const { record } of read) {
      const own = today.get(makeRecheckKey(record));
      if (!own) {
        if (notInEval.has(record.task)) {
          notRechecked += 1;
          summaries.push(summarizeRecord(record));
        } else leftOut += 1;
        continue;
      }
      const outcome = decideRecheckedVerdict(record, own).outcome;
      if (outcome !== record.outcome) changed += 1;
      summaries.push(summarizeRecord({ ...record, ...sumJudgements(own), outcome }));
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
      await output.add(`${head.text.slice(0, -1)},\n"taskRuns":[`);
      let separator = '\n';
      for await (const { record, text, isMended } of new ResultsDocument(document).taskRuns()) {
        const own = today.get(makeRecheckKey(record));
        if (!own && !notInEval.has(record.task)) continue;
        const whole = isMended ? stringifyFileValue(path, record) : text;
        await output.add(`${separator}${own ? formatRechecked(whole, record, own) : whole}`);
        separator = ',\n';
      }
      await output.add('\n]}\n');
    });
    return { totals, changed, leftOut, notRechecked };
  } finally {
    await rm(drafts, { recursive: true, force: true });
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
  return taskRunKey({ task, run, ...(variant && { variant }) });
}

interface NewHead {
  by: RecheckRecord;
  judge: AgentIdentity | undefined;
  totals: ResultTotals;
  journal: string | null;
  /** As far as it can be read. */
  finished: boolean;
}

/** As it was, but for what rechecking changes. */
function buildRecheckedHead(
  members: ReadonlyMap<string, string>,
  { by, judge, ...changed }: NewHead,
) {
  const { schema, ...kept } = Object.fromEntries(
    [...members].map(([key, text]) => [key, new RawJson(text)]),
  );
  return buildJsonObject({
    schema,
    rechecked: by,
    ...kept,
    ...(judge && { judge }),
    ...(kept.sources && { sources: markSourcesRechecked(kept.sources, by) }),
    ...changed,
  });
}

/** Each evaluation in merged results says so of itself, for whoever merges them again. */
function markSourcesRechecked(recorded: RawJson, by: RecheckRecord): RawJson | unknown[] {
  const sources: unknown = JSON.parse(recorded.text);
  if (!Array.isArray(sources)) return recorded;
  return sources.map((source) => (isObject(source) ? { ...source, rechecked: by } : source));
}

/** It is named from the folder of the results. */
function relocateJournalText(text: string | undefined, document: string, outFolder: string) {
  const journal: unknown = text === undefined ? null : JSON.parse(text);
  if (typeof journal !== 'string') return null;
  return relative(outFolder, resolve(dirname(document), journal))
    .split(sep)
    .join('/');
}

function formatRechecked(text: string, record: TaskRunRecord, today: RecheckedTaskRun): string {
  const { judgements = [] } = today;
  const changed: Record<string, unknown> = {
    ...decideRecheckedVerdict(record, today),
    ...sumJudgements(today),
    ...(today.unfinished === undefined && { judging: today.judging }),
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
  return printableJson(`{${members.join(',')}}`);
}

/** What the judgements of today took, in place of what those of then did. */
function sumJudgements({
  judgements = [],
}: RecheckedTaskRun): Partial<Pick<TaskRunRecord, 'judge'>> {
  if (judgements.length === 0) return {};
  const { usage = null, cost = null, ...rest } = sumOfJudging(judgements);
  return { judge: { usage, cost, ...rest } };
}

function replaceJudgements(
  { phases }: TaskRunRecord,
  judgements: NonNullable<RecheckedTaskRun['judgements']>,
): TaskRunRecord['phases'] {
  const { verify } = phases;
  if (!verify) return phases;
  const steps = verify.steps.map((step) => {
    const today = judgements.find((each) =>
      each.id === undefined ? each.step === step.step : each.id === step.id,
    );
    if (step.kind !== 'llmJudge' || !today) return step;
    const { step: _, id, at, notes, before, ...judgement } = today;
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
