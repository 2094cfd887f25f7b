import type * as z from 'zod/mini';
import { isObject } from '../base/json.js';
import { describeFound, formatLeftOut, type LeftOut } from '../journal/left-out.js';
import { repairValue } from '../journal/repair.js';
import type { Outcome } from '../journal/task-run-events.js';
import { contradictionOf } from './self-contradiction.js';
import type { CallRecord, TaskRunRecord, TaskRunSoFar } from './task-run-record.js';
import { categories, openTaskRunSchema, outcomes, taskRunSchema } from './task-run-schema.js';

type OnLeftOut = (part: LeftOut) => void;

/** A task run of ours, as far as it can be read. Undefined: it cannot be said which one it is. */
export function readOwnTaskRun(
  value: unknown,
  place: string,
  onLeftOut: OnLeftOut,
): TaskRunRecord | undefined {
  const faults = new Faults(place, onLeftOut);
  const unknownOutcome = faults.unless(isKnownOutcome, value, 'outcome', outcomes);
  if (unknownOutcome !== undefined && isObject(value)) value.outcome = 'error' satisfies Outcome;
  if (!mendTaskRun(taskRunSchema, value, faults)) return undefined;
  if (unknownOutcome !== undefined) return notJudged(value, formatLeftOut(unknownOutcome));
  if (value.outcome === 'passed' && faults.ofVerdict) {
    return notJudged(value, formatLeftOut(faults.ofVerdict));
  }
  return withoutContradiction(value, `${place}.outcome`, onLeftOut);
}

/** A task run whose record contradicts its pass is not judged. The place is that of the verdict. */
export function withoutContradiction(
  record: TaskRunRecord,
  place: string,
  onLeftOut: OnLeftOut,
): TaskRunRecord {
  const contradiction = contradictionOf(record);
  if (contradiction === undefined) return record;
  const expected = 'a record that does not contradict itself';
  onLeftOut({ place, expected, found: contradiction });
  return notJudged(record, `the record contradicts itself: ${contradiction}`);
}

/** A task run that stands in a file once more, with another verdict, is not judged by either. */
export function withoutVerdict(record: TaskRunRecord): TaskRunRecord {
  return notJudged(record, toldDifferently);
}

export const toldDifferently = 'recorded twice, with different outcomes';

/** The same of one that has not ended. */
export function readOpenTaskRun(
  value: unknown,
  place: string,
  onLeftOut: OnLeftOut,
): TaskRunSoFar | undefined {
  const isFit = mendTaskRun(openTaskRunSchema, value, new Faults(place, onLeftOut));
  return isFit ? value : undefined;
}

/** What is wrong with a task run. */
class Faults {
  readonly place: string;
  readonly #onLeftOut: OnLeftOut;
  /** The first of what its verdict rests on. */
  ofVerdict: LeftOut | undefined;
  hasNoCounts = false;
  isIncomplete = false;
  /** Parts of its judging of which something is lost: what is left would be another judging. */
  readonly ofJudging = new Set<string | number>();

  constructor(place: string, onLeftOut: OnLeftOut) {
    this.place = place;
    this.#onLeftOut = onLeftOut;
  }

  add(part: LeftOut, path: readonly (string | number)[]): void {
    const [member = '', within] = path;
    if (verdictMembers.has(member)) this.ofVerdict ??= part;
    if (member === 'judging' && within !== undefined) this.ofJudging.add(within);
    if (member === 'callCounts') this.hasNoCounts = true;
    if (evidenceMembers.has(member) && !harmlessMembers.has(path.at(-1) ?? '')) {
      this.isIncomplete = true;
    }
    this.#onLeftOut(part);
  }

  /** Leaves out a member that is none of the values it can have. */
  unless(
    isFine: (value: unknown) => boolean,
    owner: unknown,
    member: string,
    values: readonly string[],
    place = this.place,
  ): LeftOut | undefined {
    if (!isObject(owner) || isFine(owner[member])) return undefined;
    const expected = `one of ${values.join(', ')}`;
    const found = describeFound(owner[member]);
    const part = { place: `${place}.${member}`, expected, found };
    this.#onLeftOut(part);
    return part;
  }
}

const verdictMembers = new Set<string | number>(['verified', 'assertionsHeld', 'failure']);
/** What somebody who judges it again looks at. */
const evidenceMembers = new Set<string | number>([
  'calls',
  'phases',
  'assertions',
  'prompt',
  'output',
]);
/** Their loss changes no verdict. */
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
    const category = faults.unless(isKnownCategory, failure, 'category', categories, at);
    if (category && isObject(failure)) failure.category = 'unknown';
    if (!isIdentified(value, faults)) return false;
  }
  const onLeftOut: Faults['add'] = (part, path) => faults.add(part, path);
  if (!repairValue(schema, value, { place: faults.place, onLeftOut, fallbacks })) return false;
  const record = value as TaskRunRecord | TaskRunSoFar;
  if (record.id === '') record.id = `${record.task}-${record.run}`;
  if (faults.hasNoCounts) record.callCounts = countsOf(record.calls);
  for (const part of faults.ofJudging) Reflect.deleteProperty(record.judging ?? {}, part);
  if (faults.isIncomplete) record.incomplete = true;
  return true;
}

/** Which task run it is has to be certain: it would take the place of another one. */
function isIdentified({ variant, from }: Record<string, unknown>, faults: Faults): boolean {
  const isVariant = variant === null || typeof variant === 'string';
  const isFrom =
    from === undefined ||
    (isObject(from) &&
      typeof from.id === 'string' &&
      isPositive(from.run) &&
      isPositive(from.runs));
  const [member, value, expected] = isVariant
    ? ['from', from, 'the evaluation it is out of']
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

function notJudged(record: TaskRunRecord, message: string): TaskRunRecord {
  const evidence = record.failure?.evidence ?? 1;
  return Object.assign(record, {
    outcome: 'error' satisfies Outcome,
    verified: null,
    failure: { category: 'unknown', message, evidence },
  });
}

/** The calls, counted: what a task run that has not ended does not say itself. */
export function countsOf(calls: readonly CallRecord[]): TaskRunRecord['callCounts'] {
  const counts = { ...noCounts };
  for (const { kind, isError, tokens } of calls) {
    counts[kind] += 1;
    if (isError) counts.errors += 1;
    counts.tokens += (tokens?.args ?? 0) + (tokens?.result ?? 0);
  }
  return counts;
}
