import { mkdtemp, rm } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { isObject } from '../base/json.js';
import { escapeTerminalCharacters, RawJson, visitMembers } from '../base/json-text.js';
import type { AgentIdentity } from '../journal/run-events.js';
import { formatTaskRunKey } from '../journal/task-run-events.js';
import { sumJudgeUsage } from '../journal/usage.js';
import { jsonObject } from './json-object.js';
import { jsonOf } from './merge/json-of.js';
import { asDocument } from './merge/merge-drafts.js';
import { summaryOfRecord } from './merge/task-run-summary.js';
import type { Recheck, RecheckedTaskRun } from './recheck.js';
import { recheckedVerdict } from './rechecked-verdict.js';
import { ResultsDocument } from './results-document.js';
import type { RecheckRecord, ResultTotals } from './results-schema.js';
import type { TaskRunRecord } from './task-run-record.js';
import { type TaskRunSummary, totalsOf } from './totals.js';
import { writeWholeFile } from './whole-file.js';

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
    const { document } = await asDocument(path, join(drafts, 'results.json'));
    const header = await new ResultsDocument(document).header();
    const today = new Map(recheck.taskRuns.map((each) => [keyOf(each), each]));
    const notInEval = new Set(recheck.notInEval);
    const summaries: TaskRunSummary[] = [];
    const members = new Map<string, string>();
    let changed = 0;
    let leftOut = 0;
    let notRechecked = 0;
    const read = new ResultsDocument(document).taskRuns((key, text) => members.set(key, text));
    for await (const { record } of read) {
      const own = today.get(keyOf(record));
      if (!own) {
        if (notInEval.has(record.task)) {
          notRechecked += 1;
          summaries.push(summaryOfRecord(record));
        } else leftOut += 1;
        continue;
      }
      const outcome = recheckedVerdict(record, own).outcome;
      if (outcome !== record.outcome) changed += 1;
      summaries.push(summaryOfRecord({ ...record, ...judgeOf(own), outcome }));
    }
    const planned = header.planned ?? summaries.length + leftOut;
    const totals = totalsOf(summaries, Math.max(0, planned - leftOut));
    const journal = movedJournal(members.get('journal'), document, outFolder);
    const head = headOf(members, { by, judge, totals, journal, finished: header.finished });
    await writeWholeFile(outPath, async (output) => {
      await output.add(`${head.text.slice(0, -1)},\n"taskRuns":[`);
      let separator = '\n';
      for await (const { record, text, isMended } of new ResultsDocument(document).taskRuns()) {
        const own = today.get(keyOf(record));
        if (!own && !notInEval.has(record.task)) continue;
        const whole = isMended ? jsonOf(path, record) : text;
        await output.add(`${separator}${own ? recheckedText(whole, record, own) : whole}`);
        separator = ',\n';
      }
      await output.add('\n]}\n');
    });
    return { totals, changed, leftOut, notRechecked };
  } finally {
    await rm(drafts, { recursive: true, force: true });
  }
}

function keyOf({ task, variant, run }: { task: string; variant?: string | null; run: number }) {
  return formatTaskRunKey({ task, run, ...(variant && { variant }) });
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
function headOf(members: ReadonlyMap<string, string>, { by, judge, ...changed }: NewHead) {
  const { schema, ...kept } = Object.fromEntries(
    [...members].map(([key, text]) => [key, new RawJson(text)]),
  );
  return jsonObject({
    schema,
    rechecked: by,
    ...kept,
    ...(judge && { judge }),
    ...(kept.sources && { sources: sourcesRechecked(kept.sources, by) }),
    ...changed,
  });
}

/** Each evaluation in merged results says so of itself, for whoever merges them again. */
function sourcesRechecked(recorded: RawJson, by: RecheckRecord): RawJson | unknown[] {
  const sources: unknown = JSON.parse(recorded.text);
  if (!Array.isArray(sources)) return recorded;
  return sources.map((source) => (isObject(source) ? { ...source, rechecked: by } : source));
}

/** It is named from the folder of the results. */
function movedJournal(text: string | undefined, document: string, outFolder: string) {
  const journal: unknown = text === undefined ? null : JSON.parse(text);
  if (typeof journal !== 'string') return null;
  return relative(outFolder, resolve(dirname(document), journal))
    .split(sep)
    .join('/');
}

function recheckedText(text: string, record: TaskRunRecord, today: RecheckedTaskRun): string {
  const { judgements = [] } = today;
  const changed: Record<string, unknown> = {
    ...recheckedVerdict(record, today),
    ...judgeOf(today),
    ...(today.unfinished === undefined && { judging: today.judging }),
    ...(judgements.length > 0 && { phases: rejudgedPhases(record, judgements) }),
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

/** What the judgements of today took, in place of what those of then did. */
function judgeOf({ judgements = [] }: RecheckedTaskRun): Partial<Pick<TaskRunRecord, 'judge'>> {
  if (judgements.length === 0) return {};
  const { usage = null, cost = null, ...rest } = sumJudgeUsage(judgements);
  return { judge: { usage, cost, ...rest } };
}

function rejudgedPhases(
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
