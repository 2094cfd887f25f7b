import type { AgentCall, Redacted } from '../assertions/check.js';
import { type AssertionName, createCheck } from '../assertions/registry.js';
import { skillCall } from '../assertions/skill-call.js';
import { holdsRedaction } from '../config/redactor.js';
import type { Judging } from '../journal/task-run-events.js';
import type { PlannedAssertion, PlannedTask } from '../plan/plan.js';
import { type AssertionChange, assertionChanges } from './assertion-changes.js';
import { placeFrom } from './eval-place.js';
import { recheckedJudging } from './judging.js';
import type { RecordedAssertion, RecordedTaskRun } from './recorded-task-run.js';
import { redactedCalls } from './redacted-calls.js';
import type { Rejudgement } from './rejudgement.js';
import type { AssertionResult } from './task-run-schema.js';

export interface RecheckContext {
  /** Absolute; places are told from here. */
  evalFolder: string;
  /** The tool that loads skills, of the agent that did a variant. */
  skillTool(variant: string | null): string;
  /** Takes secrets out of what verdicts quote: records of others may have some. */
  redact(text: string): string;
  /** Whether a recorded task was not asked for: then it need not be in the eval. */
  isLeftOut(task: string): boolean;
}

export interface RecheckedAssertion extends AssertionResult {
  /** Calls that the verdict depends on, and that are redacted in the record. */
  redactedCalls?: number[];
  /**
   * What the verdict is where it depends on them: that of then, when all could be seen and the assertion was
   * the same; or none, and the assertion does not count as one that held.
   */
  certainty?: 'as-recorded' | 'unknown';
}

/** A recorded task run under the assertions of today. */
export interface RecheckedTaskRun {
  task: string;
  /** Of a matrix. */
  variant?: string;
  run: number;
  /** Why its assertions could not be checked. */
  unfinished?: string;
  assertions: RecheckedAssertion[];
  changed: AssertionChange[];
  /** What it is judged by now, as far as that is known. */
  judging: Judging;
  /** Where a judge was asked again. */
  judgements?: Rejudgement[];
}

/** What the assertions of today say of a whole record. */
export interface Recheck {
  taskRuns: RecheckedTaskRun[];
  /** Names of recorded tasks that the eval does not have. */
  notInEval: string[];
  /** Names of tasks that were asked for, and that the record does not have. */
  notRecorded: string[];
  /** Names of recorded tasks that no assertion covers. */
  nothingToCheck: string[];
  /** How many answers a judge did not come to, as it was stopped. */
  notJudged?: number;
}

type VerdictOfThen = Pick<RecordedAssertion, 'passed' | 'reason'>;

type RecheckTask = Pick<PlannedTask, 'name' | 'assertions' | 'judging'>;

/** Judges recorded calls by the assertions of tasks as they are now. */
export async function recheck(
  recorded: AsyncIterable<RecordedTaskRun>,
  tasks: readonly RecheckTask[],
  context: RecheckContext,
): Promise<Recheck> {
  // As records name them.
  const taskOf = new Map(tasks.map((task) => [context.redact(task.name), task]));
  const missing = new Set(taskOf.keys());
  const notInEval = new Set<string>();
  const nothingToCheck = new Set<string>();
  const taskRuns: RecheckedTaskRun[] = [];
  for await (const each of recorded) {
    const task = taskOf.get(each.task);
    if (!task) {
      if (!context.isLeftOut(each.task)) notInEval.add(each.task);
      continue;
    }
    missing.delete(each.task);
    const rechecked = recheckTaskRun(each, task, context);
    if (rechecked.unfinished === undefined && rechecked.assertions.length === 0) {
      nothingToCheck.add(each.task);
    }
    taskRuns.push(rechecked);
  }
  return {
    taskRuns,
    notInEval: [...notInEval],
    notRecorded: [...missing],
    nothingToCheck: [...nothingToCheck],
  };
}

function recheckTaskRun(
  recorded: RecordedTaskRun,
  { assertions: planned, judging: today }: RecheckTask,
  context: RecheckContext,
): RecheckedTaskRun {
  const { task, variant, run } = recorded;
  const unfinished = recorded.unfinished ?? unknownServers(recorded);
  const judging = recheckedJudging(recorded.judging, today);
  const which = { task, ...(variant !== null && { variant }), run, judging };
  const skillTool = context.skillTool(variant);
  const skills = recorded.toolSteps?.flatMap((step) => skillCall(step, skillTool) ?? []);
  const calls = [...recorded.calls, ...(skills ?? [])];
  const assertions = planned.flatMap((each) =>
    skills === undefined && isAboutSkills(each)
      ? [unknownSkills(each, context)]
      : checkAssertion(each, calls, context, () => verdictOfThen(each, planned, recorded, today)),
  );
  // What an agent did before it broke off says nothing about what it would have done.
  if (unfinished !== undefined && assertions.length > 0) {
    return { ...which, unfinished, assertions: [], changed: [] };
  }
  const changes = assertionChanges(recorded.assertions, assertions);
  const unknown = assertions.filter(({ certainty }) => certainty === 'unknown');
  // What did not hold then may be the one that is unknown now, from another place.
  const isKnown = ({ name, at, after, change }: AssertionChange) =>
    after === null ||
    !unknown.some((each) => each.name === name && (each.at === at || change === 'now-holds'));
  return { ...which, assertions, changed: changes.filter(isKnown) };
}

/** Why nothing can be said of calls to a server whose name is not in the record. */
function unknownServers({ calls }: RecordedTaskRun): string | undefined {
  const isUnknown = calls.some(({ server }) => holdsRedaction(server ?? ''));
  return isUnknown ? 'the name of a server is redacted in the record' : undefined;
}

/** None if the assertion covers nothing, such as `minToolCalls: 0`. */
function checkAssertion(
  planned: PlannedAssertion,
  calls: readonly AgentCall[],
  context: RecheckContext,
  verdictThen: () => VerdictOfThen | undefined,
): RecheckedAssertion[] {
  // The schema has checked that the name is one, and that the value is of its kind.
  const name = planned.name as AssertionName;
  const redacted = new Set(redactedCalls(planned, calls));
  const verdictIf = (taken: Redacted) => {
    const check = createCheck(name, planned.expected as never, context.redact);
    for (const call of calls) check?.see(redacted.has(call) ? { ...call, redacted: taken } : call);
    return check?.verdict();
  };
  const verdict = verdictIf('differs');
  if (!verdict) return [];
  const { passed, reason, details = [] } = verdict;
  const at = placeFrom(context.evalFolder, planned.at);
  const certain = { name, passed, reason, details, at, calls: verdict.calls };
  if (redacted.size === 0 || verdictIf('fits')?.passed === passed) return [certain];
  const unclear = { name, details: [], at, calls: [] as number[] };
  const numbers = [...redacted].map(({ call }) => call);
  const then = verdictThen();
  if (then) {
    const kept = { ...unclear, passed: then.passed, reason: then.reason };
    return [{ ...kept, redactedCalls: numbers, certainty: 'as-recorded' }];
  }
  const which = `${numbers.length === 1 ? 'call' : 'calls'} ${numbers.join(', ')}`;
  const why = `it depends on what is redacted in the record of ${which}`;
  return [{ ...unclear, passed: false, reason: why, redactedCalls: numbers, certainty: 'unknown' }];
}

/** What an assertion said when all could be seen, if it is the same today. */
function verdictOfThen(
  { name }: PlannedAssertion,
  planned: readonly PlannedAssertion[],
  recorded: RecordedTaskRun,
  today: Judging,
): VerdictOfThen | undefined {
  const [before, now] = [recorded.judging, today].map((judging) =>
    new Map(Object.entries(judging?.assertions ?? {})).get(name),
  );
  if (before === undefined || before !== now) return undefined;
  const isOfName = (each: { name: string }) => each.name === name;
  const [verdicts, assertions] = [recorded.assertions.filter(isOfName), planned.filter(isOfName)];
  const [first, ...others] = verdicts;
  if (!first || verdicts.length !== assertions.length) return undefined;
  // All of one name have one digest, in any order: which verdict is whose is not known, unless they agree.
  if (others.some(({ passed }) => passed !== first.passed)) return undefined;
  const reasons = new Set(verdicts.map(({ reason }) => reason));
  return { passed: first.passed, reason: [...reasons].join('; or ') };
}

function isAboutSkills({ name }: PlannedAssertion): boolean {
  return name === 'skillsLoaded' || name === 'skillsNotLoaded';
}

/** What cannot be known must not pass. */
function unknownSkills(planned: PlannedAssertion, context: RecheckContext): RecheckedAssertion {
  const reason = 'the record does not tell which skills the agent loaded';
  const at = placeFrom(context.evalFolder, planned.at);
  return { name: planned.name, passed: false, reason, details: [], at, calls: [] };
}
