import type { AgentCall } from '../assertions/check.js';
import { type AssertionName, createCheck } from '../assertions/registry.js';
import { skillCall } from '../assertions/skill-call.js';
import type { PlannedAssertion, PlannedTask } from '../plan/plan.js';
import { type AssertionChange, assertionChanges } from './assertion-changes.js';
import { placeFrom } from './eval-place.js';
import type { RecordedTaskRun } from './recorded-task-run.js';
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
  /** Calls that it compares although a part of their arguments is redacted. */
  redactedCalls?: number[];
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

/** Judges recorded calls by the assertions of tasks as they are now. */
export async function recheck(
  recorded: AsyncIterable<RecordedTaskRun>,
  tasks: readonly Pick<PlannedTask, 'name' | 'assertions'>[],
  context: RecheckContext,
): Promise<Recheck> {
  // As records name them.
  const assertionsOf = new Map(
    tasks.map(({ name, assertions }) => [context.redact(name), assertions]),
  );
  const missing = new Set(assertionsOf.keys());
  const notInEval = new Set<string>();
  const nothingToCheck = new Set<string>();
  const taskRuns: RecheckedTaskRun[] = [];
  for await (const each of recorded) {
    const assertions = assertionsOf.get(each.task);
    if (!assertions) {
      if (!context.isLeftOut(each.task)) notInEval.add(each.task);
      continue;
    }
    missing.delete(each.task);
    const rechecked = recheckTaskRun(each, assertions, context);
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
  planned: readonly PlannedAssertion[],
  context: RecheckContext,
): RecheckedTaskRun {
  const { task, variant, run, unfinished } = recorded;
  const which = { task, ...(variant !== null && { variant }), run };
  const skillTool = context.skillTool(variant);
  const skills = recorded.toolSteps?.flatMap((step) => skillCall(step, skillTool) ?? []);
  const calls = [...recorded.calls, ...(skills ?? [])];
  const assertions = planned.flatMap((each) =>
    skills === undefined && isAboutSkills(each)
      ? [unknownSkills(each, context)]
      : checkAssertion(each, calls, context),
  );
  // What an agent did before it broke off says nothing about what it would have done.
  if (unfinished !== undefined && assertions.length > 0) {
    return { ...which, unfinished, assertions: [], changed: [] };
  }
  return { ...which, assertions, changed: assertionChanges(recorded.assertions, assertions) };
}

/** None if the assertion covers nothing, such as `minToolCalls: 0`. */
function checkAssertion(
  planned: PlannedAssertion,
  calls: readonly AgentCall[],
  context: RecheckContext,
): RecheckedAssertion[] {
  // The schema has checked that the name is one, and that the value is of its kind.
  const name = planned.name as AssertionName;
  const check = createCheck(name, planned.expected as never, context.redact);
  if (!check) return [];
  for (const call of calls) check.see(call);
  const { details = [], ...verdict } = check.verdict();
  const redacted = redactedCalls(planned, calls);
  return [
    {
      name,
      passed: verdict.passed,
      reason: verdict.reason,
      details,
      at: placeFrom(context.evalFolder, planned.at),
      calls: verdict.calls,
      ...(redacted.length > 0 && { redactedCalls: redacted }),
    },
  ];
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
