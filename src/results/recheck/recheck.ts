import { type AgentCall, type Redacted, readSkillCall } from '../../assertions/assertion.js';
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
  /** Absolute path of the eval's folder; places are relative to it. */
  evalFolder: string;
  /** The tool by which the agent of a variant loads skills. */
  skillTool(variant: string | null): string;
  /** Redacts what verdicts quote: records of other programs may hold secrets. */
  redact(text: string): string;
  /** Whether a recorded task was filtered out: then it need not be in the eval. */
  isLeftOut(task: string): boolean;
}

export interface RecheckedAssertion extends AssertionResult {
  /** Calls that the verdict depends on, and that are redacted in the record. */
  redactedCalls?: number[];
  /**
   * Set if the verdict depends on redacted calls. `as-recorded`: it is the verdict of the run, which saw all
   * and had the same assertion. `unknown`: there is none, and the assertion does not count as one that held.
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
  /** What judges it now, as far as that is known. */
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
  // Records have redacted names.
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
  { assertions: planned, judging: today }: RecheckTask,
  context: RecheckContext,
): RecheckedTaskRun {
  const { task, variant, run } = recorded;
  const unfinished = recorded.unfinished ?? explainUnknownServers(recorded);
  const judging = mergeRecheckedJudging(recorded.judging, today);
  const identity = { task, ...(variant !== null && { variant }), run, judging };
  const skillTool = context.skillTool(variant);
  const skills = recorded.toolSteps?.flatMap((step) => readSkillCall(step, skillTool) ?? []);
  const calls = [...recorded.calls, ...(skills ?? [])];
  const assertions = planned.flatMap((assertion) =>
    skills === undefined && isAboutSkills(assertion)
      ? [buildUnknownSkillsResult(assertion, context)]
      : checkAssertion(assertion, calls, context, () =>
          findRecordedVerdict(assertion, planned, recorded, today),
        ),
  );
  // The calls of an unfinished agent do not show what it would still have done.
  if (unfinished !== undefined && assertions.length > 0) {
    return { ...identity, unfinished, assertions: [], changed: [] };
  }
  const changes = findAssertionChanges(recorded.assertions, assertions);
  const unknown = assertions.filter(({ certainty }) => certainty === 'unknown');
  // An assertion that failed in the run may be the same as one that is unknown now, though its place changed.
  const isKnown = ({ name, at, after, change }: AssertionChange) =>
    after === null ||
    !unknown.some((other) => other.name === name && (other.at === at || change === 'now-holds'));
  return { ...identity, assertions, changed: changes.filter(isKnown) };
}

/** Why calls cannot be checked if the name of a server is redacted; undefined if none is. */
function explainUnknownServers({ calls }: RecordedTaskRun): string | undefined {
  const isUnknown = calls.some(({ server }) => holdsRedaction(server ?? ''));
  return isUnknown ? 'the name of a server is redacted in the record' : undefined;
}

/** The verdict of an assertion. Empty if it is vacuous, such as `minToolCalls: 0`. */
function checkAssertion(
  planned: PlannedAssertion,
  calls: readonly AgentCall[],
  context: RecheckContext,
  verdictThen: () => RecordedVerdict | undefined,
): RecheckedAssertion[] {
  // The schema has checked that the name is one, and that the value is of its kind.
  const name = planned.name as AssertionName;
  const redacted = new Set(findRedactedCalls(planned, calls));
  /** The verdict if redacted values are taken to fit, or to differ. */
  const verdictIf = (assumption: Redacted) => {
    const assertion = createAssertion(name, planned.expected as never, context.redact);
    for (const call of calls)
      assertion?.see(redacted.has(call) ? { ...call, redacted: assumption } : call);
    return assertion?.verdict();
  };
  const verdict = verdictIf('differs');
  if (!verdict) return [];
  const { passed, reason, details = [] } = verdict;
  const at = makePlaceFromEval(context.evalFolder, planned.at);
  const certain = { name, passed, reason, details, at, calls: verdict.callNumbers };
  if (redacted.size === 0 || verdictIf('fits')?.passed === passed) return [certain];
  const unclear = { name, details: [], at, calls: [] as number[] };
  const numbers = [...redacted].map(({ number }) => number);
  const then = verdictThen();
  if (then) {
    const kept = { ...unclear, passed: then.passed, reason: then.reason };
    return [{ ...kept, redactedCalls: numbers, certainty: 'as-recorded' }];
  }
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

/** The verdict of the run itself, which saw everything, if the assertion has not changed since. */
function findRecordedVerdict(
  { name }: PlannedAssertion,
  planned: readonly PlannedAssertion[],
  recorded: RecordedTaskRun,
  today: Judging,
): RecordedVerdict | undefined {
  const [before, now] = [recorded.judging, today].map((judging) =>
    new Map(Object.entries(judging?.assertions ?? {})).get(name),
  );
  if (before === undefined || before !== now) return undefined;
  const hasName = (assertion: { name: string }) => assertion.name === name;
  const [verdicts, assertions] = [recorded.assertions.filter(hasName), planned.filter(hasName)];
  const [first, ...others] = verdicts;
  if (!first || verdicts.length !== assertions.length) return undefined;
  // Assertions of one name share a digest: which verdict belongs to which is only known if they agree.
  if (others.some(({ passed }) => passed !== first.passed)) return undefined;
  const reasons = new Set(verdicts.map(({ reason }) => reason));
  return { passed: first.passed, reason: [...reasons].join('; or ') };
}

function isAboutSkills({ name }: PlannedAssertion): boolean {
  return findAssertion(name)?.items === 'skill';
}

/** Which skills were loaded is not known, so the assertion must not pass. */
function buildUnknownSkillsResult(
  planned: PlannedAssertion,
  context: RecheckContext,
): RecheckedAssertion {
  const reason = 'the record does not say which skills the agent loaded';
  const at = makePlaceFromEval(context.evalFolder, planned.at);
  return { name: planned.name, passed: false, reason, details: [], at, calls: [] };
}

/**
 * The calls whose redacted parts an assertion looks at. Its verdict on them is not reliable: after redaction
 * two different secrets are equal, and a secret is not equal to itself.
 */
function findRedactedCalls(
  { name, expected }: PlannedAssertion,
  calls: readonly AgentCall[],
): AgentCall[] {
  const isCompared = compileComparison(name, expected);
  return calls.filter(
    (call) =>
      holdsRedaction(call.name) ||
      (call.kind === 'tool' && isCompared(call) && isRedacted(call.args)),
  );
}

interface ToolItem {
  server?: string;
  tool?: string;
  toolPattern?: string;
  args?: unknown;
  argumentsMatch?: unknown;
}

function compileComparison(name: string, expected: unknown): (call: AgentCall) => boolean {
  if (findAssertion(name)?.comparesArguments) return () => true;
  const items: ToolItem[] = Array.isArray(expected) ? expected : [];
  const comparing = items.filter(
    ({ args, argumentsMatch }) => (args ?? argumentsMatch) !== undefined,
  );
  return (call) => comparing.some((item) => isAbout(item, call));
}

function isAbout({ server, tool, toolPattern }: ToolItem, call: AgentCall): boolean {
  if (call.server !== server) return false;
  if (tool === undefined && toolPattern === undefined) return true;
  if (tool === call.name) return true;
  const compiled = toolPattern === undefined ? undefined : compilePattern(toolPattern);
  return compiled?.ok === true && compiled.pattern.test(call.name);
}

/** Whether arguments hold a redaction; without recursion, as they can be nested to any depth. */
function isRedacted(args: unknown): boolean {
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
 * Compares verdicts. Lines move while a file is edited, so assertions are matched by key and file, and
 * several of these in order. One that is then left on both sides has moved to another file.
 */
export function findAssertionChanges(
  before: readonly RecordedAssertion[],
  after: readonly AssertionResult[],
): AssertionChange[] {
  const partners = new Map<AssertionResult, RecordedAssertion>();
  const left = new Set(before);
  const pair = (fits: (now: AssertionResult, then: RecordedAssertion) => boolean) => {
    for (const now of after) {
      if (partners.has(now)) continue;
      const then = [...left].find((recorded) => recorded.name === now.name && fits(now, recorded));
      if (!then) continue;
      partners.set(now, then);
      left.delete(then);
    }
  };
  pair((now, then) => now.at.file === then.at?.file);
  pair(() => true);
  return [
    ...after.flatMap((now) => compareVerdicts(partners.get(now), now)),
    ...[...left].map((then) => ({ ...removed, name: then.name, before: pickVerdict(then) })),
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
