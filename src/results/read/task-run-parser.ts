import type * as z from 'zod/mini';
import { isObject } from '../../base/json.js';
import { describeFound, formatLeftOut, type LeftOut } from '../../journal/left-out.js';
import { repairValue } from '../../journal/repair.js';
import { failureCategories, type Outcome, outcomes } from '../../journal/task-run-events.js';
import { openTaskRunSchema, taskRunSchema } from '../schema/task-run-schema.js';
import {
  type CallRecord,
  findContradiction,
  type TaskRunRecord,
  type TaskRunSoFar,
} from '../task-run-record.js';

const categories = Object.keys(failureCategories);

type OnLeftOut = (part: LeftOut) => void;

/** Parses a task run of Proctor as far as possible. Undefined: it is not known which task run it is. */
export function parseTaskRun(
  value: unknown,
  place: string,
  onLeftOut: OnLeftOut,
): TaskRunRecord | undefined {
  const faults = new Faults(place, onLeftOut);
  const unknownOutcome = faults.leaveOutUnless(isKnownOutcome, value, 'outcome', outcomes);
  if (unknownOutcome !== undefined && isObject(value)) value.outcome = 'error' satisfies Outcome;
  if (!mendTaskRun(taskRunSchema, value, faults)) return undefined;
  if (unknownOutcome !== undefined) return markNotJudged(value, formatLeftOut(unknownOutcome));
  if (value.outcome === 'passed' && faults.verdictFault) {
    return markNotJudged(value, formatLeftOut(faults.verdictFault));
  }
  return rejectContradiction(value, `${place}.outcome`, onLeftOut);
}

/** Marks a task run as not judged if its record contradicts its pass. `place` is the place of the verdict. */
export function rejectContradiction(
  record: TaskRunRecord,
  place: string,
  onLeftOut: OnLeftOut,
): TaskRunRecord {
  const contradiction = findContradiction(record);
  if (contradiction === undefined) return record;
  const expected = 'a record that does not contradict itself';
  onLeftOut({ place, expected, found: contradiction });
  return markNotJudged(record, `the record contradicts itself: ${contradiction}`);
}

/** Marks a task run as not judged because the file has it again with another verdict. */
export function dropVerdict(record: TaskRunRecord): TaskRunRecord {
  return markNotJudged(record, disputedReason);
}

export const disputedReason = 'recorded twice, with different outcomes';

/** Parses a task run that has not ended yet. */
export function parseOpenTaskRun(
  value: unknown,
  place: string,
  onLeftOut: OnLeftOut,
): TaskRunSoFar | undefined {
  const isFit = mendTaskRun(openTaskRunSchema, value, new Faults(place, onLeftOut));
  return isFit ? value : undefined;
}

/** Collects what is malformed in a task run. */
class Faults {
  readonly place: string;
  readonly #onLeftOut: OnLeftOut;
  /** The first malformed member that the verdict depends on. */
  verdictFault: LeftOut | undefined;
  hasNoCounts = false;
  isIncomplete = false;
  /** Parts of `judging` that are damaged: what is left of them would mean another judging. */
  readonly judgingFaults = new Set<string | number>();

  constructor(place: string, onLeftOut: OnLeftOut) {
    this.place = place;
    this.#onLeftOut = onLeftOut;
  }

  add(part: LeftOut, path: readonly (string | number)[]): void {
    const [member = '', within] = path;
    if (verdictMembers.has(member)) this.verdictFault ??= part;
    if (member === 'judging' && within !== undefined) this.judgingFaults.add(within);
    if (member === 'callCounts') this.hasNoCounts = true;
    if (evidenceMembers.has(member) && !harmlessMembers.has(path.at(-1) ?? '')) {
      this.isIncomplete = true;
    }
    this.#onLeftOut(part);
  }

  /** Leaves out a member that has none of its possible values. */
  leaveOutUnless(
    isValid: (value: unknown) => boolean,
    owner: unknown,
    member: string,
    values: readonly string[],
    place = this.place,
  ): LeftOut | undefined {
    if (!isObject(owner) || isValid(owner[member])) return undefined;
    const expected = `one of ${values.join(', ')}`;
    const found = describeFound(owner[member]);
    const part = { place: `${place}.${member}`, expected, found };
    this.#onLeftOut(part);
    return part;
  }
}

const verdictMembers = new Set<string | number>(['verified', 'assertionsHeld', 'failure']);
/** Members that are needed to judge a task run again. */
const evidenceMembers = new Set<string | number>([
  'calls',
  'phases',
  'assertions',
  'prompt',
  'output',
]);
/** Members whose loss changes no verdict. */
const harmlessMembers = new Set<string | number>(['durationMs', 'startedAt', 'tokens', 'at']);

const noPhases = { setup: null, agent: null, verify: null, cleanup: null };
const noCounts = { tool: 0, resource: 0, prompt: 0, errors: 0, tokens: 0 };
const fallbacks = {
  id: '',
  path: '',
  runs: 1,
  attempt: 1,
  output: '',
  phases: noPhases,
  callCounts: noCounts,
  cleanupFailed: false,
};

function mendTaskRun<Schema extends typeof taskRunSchema | typeof openTaskRunSchema>(
  schema: Schema,
  value: unknown,
  faults: Faults,
): value is z.infer<Schema> {
  if (isObject(value)) {
    const { failure } = value;
    const at = `${faults.place}.failure`;
    const category = faults.leaveOutUnless(isKnownCategory, failure, 'category', categories, at);
    if (category && isObject(failure)) failure.category = 'unknown';
    if (!isIdentified(value, faults)) return false;
  }
  const onLeftOut: Faults['add'] = (part, path) => faults.add(part, path);
  if (!repairValue(schema, value, { place: faults.place, onLeftOut, fallbacks })) return false;
  const record = value as TaskRunRecord | TaskRunSoFar;
  if (record.id === '') record.id = `${record.task}-${record.run}`;
  if (faults.hasNoCounts) record.callCounts = countCalls(record.calls);
  for (const part of faults.judgingFaults) Reflect.deleteProperty(record.judging ?? {}, part);
  if (faults.isIncomplete) record.incomplete = true;
  return true;
}

/** Whether it is certain which task run it is: otherwise it could replace another one. */
function isIdentified({ variant, from }: Record<string, unknown>, faults: Faults): boolean {
  const isVariant = variant === null || typeof variant === 'string';
  const isFrom =
    from === undefined ||
    (isObject(from) &&
      typeof from.id === 'string' &&
      isPositive(from.run) &&
      isPositive(from.runs));
  const [member, value, expected] = isVariant
    ? ['from', from, 'the evaluation it comes from']
    : ['variant', variant, 'a string or null'];
  if (isVariant && isFrom) return true;
  faults.add({ place: `${faults.place}.${member}`, expected, found: describeFound(value) }, [
    member,
  ]);
  return false;
}

function isPositive(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) > 0;
}

function isKnownOutcome(value: unknown): boolean {
  return outcomes.some((outcome) => outcome === value);
}

function isKnownCategory(value: unknown): boolean {
  return typeof value !== 'string' || categories.some((category) => category === value);
}

function markNotJudged(record: TaskRunRecord, message: string): TaskRunRecord {
  const evidence = record.failure?.evidence ?? 1;
  return Object.assign(record, {
    outcome: 'error' satisfies Outcome,
    verified: null,
    failure: { category: 'unknown', message, evidence },
  });
}

/** Counts calls: a task run that has not ended has no counts of its own. */
export function countCalls(calls: readonly CallRecord[]): TaskRunRecord['callCounts'] {
  const counts = { ...noCounts };
  for (const { kind, isError, tokens } of calls) {
    counts[kind] += 1;
    if (isError) counts.errors += 1;
    counts.tokens += (tokens?.args ?? 0) + (tokens?.result ?? 0);
  }
  return counts;
}
