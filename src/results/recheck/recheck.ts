import {
  type AgentCall,
  type RedactionAssumption,
  readSkillCall,
} from '../../assertions/assertion.js';
import { type AssertionName, createAssertion } from '../../assertions/registry.js';
import { compilePattern } from '../../config/patterns/pattern.js';
import { findAssertion } from '../../config/schemas/assertions-schema.js';
import { holdsRedaction } from '../../config/secrets/redactor.js';
import type { Judging } from '../../journal/task-run-events.js';
import type { PlannedAssertion, PlannedTask } from '../../plan/plan.js';
import { mergeRecheckedJudging } from '../judging.js';
import type { AssertionResult } from '../schema/task-run-schema.js';
import {
  makePlaceFromEval,
  type RecordedAssertion,
  type RecordedTaskRun,
} from './recorded-task-run.js';
import type { Rejudgement } from './rejudgement.js';

export interface RecheckContext {
  /** Absolute path of the eval's folder; the places of assertions are recorded relative to it. */
  evalFolder: string;
  /** The tool by which the agent of a variant loads skills. */
  skillTool(variant: string | null): string;
  /** Redacts what verdicts quote: records of other programs may hold secrets. */
  redact(text: string): string;
  /** Whether the filters of this recheck leave out a recorded task: then it need not be in the eval. */
  isLeftOut(task: string): boolean;
}

export interface RecheckedAssertion extends AssertionResult {
  /** Numbers of the calls that the verdict depends on and that are redacted in the record. */
  redactedCalls?: number[];
  /**
   * Set if the verdict depends on redacted calls. `as-recorded`: the run had the same assertion and saw the calls
   * unredacted, so this is its verdict. `unknown`: there is no verdict, and the assertion does not count as
   * one that holds.
   */
  certainty?: 'as-recorded' | 'unknown';
}

/** A recorded task run, checked against the current assertions. */
export interface RecheckedTaskRun {
  task: string;
  /** The variant, if there is a matrix. */
  variant?: string;
  run: number;
  /** Why its assertions could not be checked; undefined if they were. */
  unfinished?: string;
  assertions: RecheckedAssertion[];
  changed: AssertionChange[];
  /** Digests of the assertions and judges by which it is judged now, as far as they are known. */
  judging: Judging;
  /** New judgements, if a judge was asked again. */
  judgements?: Rejudgement[];
}

/** The verdicts of the current assertions on all recorded task runs. */
export interface Recheck {
  taskRuns: RecheckedTaskRun[];
  /** Names of recorded tasks that the eval does not have. */
  notInEval: string[];
  /** Names of selected tasks that the record does not have. */
  notRecorded: string[];
  /** Names of recorded tasks that no assertion covers. */
  nothingToCheck: string[];
  /** How many answers were not judged because the judge was stopped. */
  notJudged?: number;
}

type RecordedVerdict = Pick<RecordedAssertion, 'passed' | 'reason'>;

type RecheckTask = Pick<PlannedTask, 'name' | 'assertions' | 'judging'>;

/** Checks recorded calls against the current assertions of tasks. */
export async function recheck(
  recorded: AsyncIterable<RecordedTaskRun>,
  tasks: readonly RecheckTask[],
  context: RecheckContext,
): Promise<Recheck> {
  // The names of tasks are redacted in records.
  const taskByName = new Map(tasks.map((task) => [context.redact(task.name), task]));
  const missing = new Set(taskByName.keys());
  const notInEval = new Set<string>();
  const nothingToCheck = new Set<string>();
  const taskRuns: RecheckedTaskRun[] = [];
  for await (const taskRun of recorded) {
    const task = taskByName.get(taskRun.task);
    if (!task) {
      if (!context.isLeftOut(taskRun.task)) notInEval.add(taskRun.task);
      continue;
    }
    missing.delete(taskRun.task);
    const rechecked = recheckTaskRun(taskRun, task, context);
    if (rechecked.unfinished === undefined && rechecked.assertions.length === 0) {
      nothingToCheck.add(taskRun.task);
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
  { assertions: planned, judging: current }: RecheckTask,
  context: RecheckContext,
): RecheckedTaskRun {
  const { task, variant, run } = recorded;
  const unfinished = recorded.unfinished ?? explainUnknownServers(recorded);
  const judging = mergeRecheckedJudging(recorded.judging, current);
  const identity = { task, ...(variant !== null && { variant }), run, judging };
  const skillTool = context.skillTool(variant);
  const skills = recorded.toolSteps?.flatMap((step) => readSkillCall(step, skillTool) ?? []);
  const calls = [...recorded.calls, ...(skills ?? [])];
  const assertions = planned.flatMap((assertion) =>
    skills === undefined && isAboutSkills(assertion)
      ? [buildUnknownSkillsResult(assertion, context)]
      : checkAssertion(assertion, calls, context, () =>
          findRecordedVerdict(assertion, planned, recorded, current),
        ),
  );
  // The calls of an unfinished agent do not show what it would still have done.
  if (unfinished !== undefined && assertions.length > 0) {
    return { ...identity, unfinished, assertions: [], changed: [] };
  }
  const changes = findAssertionChanges(recorded.assertions, assertions);
  const unknown = assertions.filter(({ certainty }) => certainty === 'unknown');
  // A failure in the run may be of the same assertion as one that is unknown now, even if that has moved.
  const isKnown = ({ name, at, after, change }: AssertionChange) =>
    after === null ||
    !unknown.some((other) => other.name === name && (other.at === at || change === 'now-holds'));
  return { ...identity, assertions, changed: changes.filter(isKnown) };
}

/** Says why calls cannot be checked if the name of a server is redacted; undefined if none is. */
function explainUnknownServers({ calls }: RecordedTaskRun): string | undefined {
  const isUnknown = calls.some(({ server }) => holdsRedaction(server ?? ''));
  return isUnknown ? 'the name of a server is redacted in the record' : undefined;
}

/** Checks one assertion. The list is empty if the assertion is vacuous, such as `minToolCalls: 0`. */
function checkAssertion(
  planned: PlannedAssertion,
  calls: readonly AgentCall[],
  context: RecheckContext,
  findRecorded: () => RecordedVerdict | undefined,
): RecheckedAssertion[] {
  // The schema has checked name and value.
  const name = planned.name as AssertionName;
  const redacted = new Set(findRedactedCalls(planned, calls));
  const evaluateAssuming = (assumption: RedactionAssumption) => {
    const assertion = createAssertion(name, planned.expected as never, context.redact);
    for (const call of calls)
      assertion?.see(redacted.has(call) ? { ...call, redacted: assumption } : call);
    return assertion?.verdict();
  };
  const verdict = evaluateAssuming('differs');
  if (!verdict) return [];
  const { passed, reason, details = [] } = verdict;
  const at = makePlaceFromEval(context.evalFolder, planned.at);
  const certain = { name, passed, reason, details, at, calls: verdict.calls };
  if (redacted.size === 0 || evaluateAssuming('matches')?.passed === passed) return [certain];
  const unclear = { name, details: [], at, calls: [] as number[] };
  const numbers = [...redacted].map(({ number }) => number);
  const kept = findRecorded();
  if (kept) return [{ ...unclear, ...kept, redactedCalls: numbers, certainty: 'as-recorded' }];
  const callList = `${numbers.length === 1 ? 'call' : 'calls'} ${numbers.join(', ')}`;
  const unknownReason = `it depends on what is redacted in the record of ${callList}`;
  return [
    {
      ...unclear,
      passed: false,
      reason: unknownReason,
      redactedCalls: numbers,
      certainty: 'unknown',
    },
  ];
}

/** Finds the verdict of the run, which saw the calls unredacted; undefined if the assertion has changed since. */
function findRecordedVerdict(
  { name }: PlannedAssertion,
  planned: readonly PlannedAssertion[],
  recorded: RecordedTaskRun,
  current: Judging,
): RecordedVerdict | undefined {
  const [before, now] = [recorded.judging, current].map((judging) =>
    new Map(Object.entries(judging?.assertions ?? {})).get(name),
  );
  if (before === undefined || before !== now) return undefined;
  const hasName = (assertion: { name: string }) => assertion.name === name;
  const [verdicts, assertions] = [recorded.assertions.filter(hasName), planned.filter(hasName)];
  const [first, ...others] = verdicts;
  if (!first || verdicts.length !== assertions.length) return undefined;
  // Assertions of one name share a digest, so that only verdicts that agree can be assigned to them.
  if (others.some(({ passed }) => passed !== first.passed)) return undefined;
  const reasons = new Set(verdicts.map(({ reason }) => reason));
  return { passed: first.passed, reason: [...reasons].join('; or ') };
}

function isAboutSkills({ name }: PlannedAssertion): boolean {
  return findAssertion(name)?.items?.kind === 'skill';
}

/** Fails an assertion about skills, as the record does not say which skills were loaded. */
function buildUnknownSkillsResult(
  planned: PlannedAssertion,
  context: RecheckContext,
): RecheckedAssertion {
  const reason = 'the record does not say which skills the agent loaded';
  const at = makePlaceFromEval(context.evalFolder, planned.at);
  return { name: planned.name, passed: false, reason, details: [], at, calls: [] };
}

/**
 * Finds the calls with redacted parts that an assertion looks at. Its verdict on them is not reliable: different
 * secrets may have the same redacted text, and a redacted text does not match the secret that an assertion expects.
 */
function findRedactedCalls(
  { name, expected }: PlannedAssertion,
  calls: readonly AgentCall[],
): AgentCall[] {
  const looksAtArgs = createArgumentsTest(name, expected);
  return calls.filter(
    (call) =>
      holdsRedaction(call.name) ||
      (call.kind === 'tool' && looksAtArgs(call) && hasRedactedPart(call.args)),
  );
}

interface ToolItem {
  server?: string;
  tool?: string;
  toolPattern?: string;
  args?: unknown;
  argumentsMatch?: unknown;
}

/** Creates a test whether an assertion looks at the arguments of a call. */
function createArgumentsTest(name: string, expected: unknown): (call: AgentCall) => boolean {
  if (findAssertion(name)?.comparesArguments) return () => true;
  const items: ToolItem[] = Array.isArray(expected) ? expected : [];
  const itemsWithArgs = items.filter(
    ({ args, argumentsMatch }) => (args ?? argumentsMatch) !== undefined,
  );
  return (call) => itemsWithArgs.some((item) => namesToolOf(item, call));
}

function namesToolOf({ server, tool, toolPattern }: ToolItem, call: AgentCall): boolean {
  if (call.server !== server) return false;
  if (tool === undefined && toolPattern === undefined) return true;
  if (tool === call.name) return true;
  const compiled = toolPattern === undefined ? undefined : compilePattern(toolPattern);
  return compiled?.ok === true && compiled.pattern.test(call.name);
}

/** Whether a part of arguments is redacted; without recursion, as they can be nested to any depth. */
function hasRedactedPart(args: unknown): boolean {
  const pending: unknown[] = [args];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === 'string' && holdsRedaction(value)) return true;
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, item] of Object.entries(value)) pending.push(key, item);
  }
  return false;
}

export type ChangeKind = 'now-fails' | 'now-holds' | 'new' | 'removed';

/** How the verdict of an assertion differs from the recorded one. */
export interface AssertionChange {
  name: string;
  change: ChangeKind;
  at: { file: string; line: number } | null;
  before: { passed: boolean; reason: string } | null;
  after: { passed: boolean; reason: string } | null;
}

/**
 * Compares verdicts with recorded ones. Lines move while a file is edited, so assertions are paired by name and file,
 * and several of one name in one file in their order. What is then left on both sides has moved to another file.
 */
export function findAssertionChanges(
  before: readonly RecordedAssertion[],
  after: readonly AssertionResult[],
): AssertionChange[] {
  const pairs = new Map<AssertionResult, RecordedAssertion>();
  const unpaired = new Set(before);
  const pair = (isSame: (now: AssertionResult, then: RecordedAssertion) => boolean) => {
    for (const now of after) {
      if (pairs.has(now)) continue;
      const then = [...unpaired].find(
        (recorded) => recorded.name === now.name && isSame(now, recorded),
      );
      if (!then) continue;
      pairs.set(now, then);
      unpaired.delete(then);
    }
  };
  pair((now, then) => now.at.file === then.at?.file);
  pair(() => true);
  return [
    ...after.flatMap((now) => compareVerdicts(pairs.get(now), now)),
    ...[...unpaired].map((then) => ({ ...removed, name: then.name, before: pickVerdict(then) })),
  ];
}

const removed = { change: 'removed', at: null, after: null } as const;

function compareVerdicts(
  then: RecordedAssertion | undefined,
  now: AssertionResult,
): AssertionChange[] {
  if (then?.passed === now.passed) return [];
  const change = then ? (now.passed ? 'now-holds' : 'now-fails') : 'new';
  const { name, at } = now;
  return [{ name, change, at, before: then ? pickVerdict(then) : null, after: pickVerdict(now) }];
}

function pickVerdict({ passed, reason }: RecordedAssertion | AssertionResult) {
  return { passed, reason };
}
