import type { Judging, StepDigest } from '../journal/task-run-events.js';

/** A part of what judges a task that differs between two records of the task. */
export interface JudgingChange {
  part: 'prompt' | 'assertion' | 'setup' | 'verify' | 'judge' | 'timeout';
  change: 'added' | 'removed' | 'changed';
  /** A sentence without the name of the task: `the assertion callOrder is gone`. */
  text: string;
}

/** Further changes of a task are not listed. */
const maxChanges = 20;
/** Further versions of a task within one sample are not kept. */
export const maxJudgings = 20;
/** Longer names are cut: they come from files of other programs. */
const maxNameLength = 100;

/** What changed from one record of a task to a later one. A part that one of them does not have is no change. */
export function findJudgingChanges(
  base: Judging | undefined,
  current: Judging | undefined,
): JudgingChange[] {
  if (!base || !current) return [];
  const changes = [
    ...findPromptChanges(base.prompt, current.prompt),
    ...findAssertionDigestChanges(base.assertions, current.assertions),
    ...findStepChanges('setup', base.setup, current.setup),
    ...findStepChanges('verify', base.verify, current.verify),
    ...findJudgeChanges(base.judge, current.judge),
    ...findTimeoutChanges(base.timeoutMs, current.timeoutMs),
  ];
  return changes.slice(0, maxChanges);
}

/** `the assertion callOrder is gone; verify step 1 (script) changed`. */
export function describeJudgingChanges(changes: readonly JudgingChange[]): string {
  return changes.map(({ text }) => text).join('; ');
}

/** The change that is reported if the prompt of a task differs. */
export const changedPrompt: JudgingChange = {
  part: 'prompt',
  change: 'changed',
  text: 'the prompt changed',
};

function findPromptChanges(base?: string, current?: string): JudgingChange[] {
  return isChanged(base, current) ? [changedPrompt] : [];
}

function findAssertionDigestChanges(
  base: Judging['assertions'],
  current: Judging['assertions'],
): JudgingChange[] {
  if (!base || !current) return [];
  const names = [...new Set([...Object.keys(base), ...Object.keys(current)])].sort();
  return names.flatMap((name) => {
    const [before, now] = [getOwnDigest(base, name), getOwnDigest(current, name)];
    if (before === now) return [];
    return [buildChange('assertion', `the assertion ${name.slice(0, maxNameLength)}`, before, now)];
  });
}

function getOwnDigest(
  digests: NonNullable<Judging['assertions']>,
  name: string,
): string | undefined {
  return Object.hasOwn(digests, name) ? digests[name] : undefined;
}

/** Steps have no names: if there are as many as before, they are compared by their places. */
function findStepChanges(
  part: 'setup' | 'verify',
  base: Judging['setup'],
  current: Judging['setup'],
): JudgingChange[] {
  if (!base || !current) return [];
  if (base.length === current.length) {
    return current.flatMap((step, index) => {
      const before = base[index];
      if (before?.digest === step.digest) return [];
      const title = `${part} step ${index + 1} (${truncateStepType(step)})`;
      return [buildChange(part, title, before?.digest, step.digest)];
    });
  }
  const gone = findStepsMissingFrom(base, current);
  const added = findStepsMissingFrom(current, base);
  const moved = { part, change: 'changed', text: `the ${part} steps changed` } as const;
  const changes = [
    ...gone.map(({ step, place }) =>
      buildChange(
        part,
        `${part} step ${place} (${truncateStepType(step)})`,
        step.digest,
        undefined,
      ),
    ),
    ...added.map(({ step, place }) =>
      buildChange(
        part,
        `${part} step ${place} (${truncateStepType(step)})`,
        undefined,
        step.digest,
      ),
    ),
  ];
  return changes.length > 0 ? changes : [moved];
}

function findStepsMissingFrom(steps: readonly StepDigest[], others: readonly StepDigest[]) {
  const known = new Set(others.map(({ digest }) => digest));
  return steps
    .map((step, index) => ({ step, place: index + 1 }))
    .filter(({ step }) => !known.has(step.digest));
}

function truncateStepType({ type }: StepDigest): string {
  return type.slice(0, maxNameLength);
}

function findJudgeChanges(base: Judging['judge'], current: Judging['judge']): JudgingChange[] {
  if (base === undefined || current === undefined) return [];
  if (base?.digest === current?.digest) return [];
  const [before, now] = [
    base?.model?.slice(0, maxNameLength),
    current?.model?.slice(0, maxNameLength),
  ];
  if (base && current && before !== now) {
    const text = `the judge is ${now ?? 'another one'}, it was ${before ?? 'another one'}`;
    return [{ part: 'judge', change: 'changed', text }];
  }
  const title = base && current ? 'the settings of the judge' : 'the judge';
  return [buildChange('judge', title, base?.digest, current?.digest)];
}

function findTimeoutChanges(base?: number | null, current?: number | null): JudgingChange[] {
  if (!isChanged(base, current)) return [];
  const text = `the time limit is ${formatTimeLimit(current)}, it was ${formatTimeLimit(base)}`;
  return [{ part: 'timeout', change: 'changed', text }];
}

function formatTimeLimit(milliseconds: number | null | undefined): string {
  return typeof milliseconds === 'number' ? `${milliseconds / 1000} s` : 'none';
}

function isChanged<Value>(base: Value | undefined, current: Value | undefined): boolean {
  return base !== undefined && current !== undefined && base !== current;
}

function buildChange(
  part: JudgingChange['part'],
  title: string,
  before: string | undefined,
  now: string | undefined,
): JudgingChange {
  if (before === undefined) return { part, change: 'added', text: `${title} is new` };
  if (now === undefined) return { part, change: 'removed', text: `${title} is gone` };
  return { part, change: 'changed', text: `${title} changed` };
}

const parts = Object.keys({
  prompt: true,
  assertions: true,
  setup: true,
  verify: true,
  judge: true,
  timeoutMs: true,
} satisfies Record<keyof Judging, true>) as (keyof Judging)[];

/** The ways in which runs of a task were judged: one, unless the task was edited in between. */
export class Judgings {
  readonly #known = new Map<string, Judging>();
  #hasUnknown = false;

  add(judging: Judging | undefined): void {
    if (!judging || parts.some((part) => judging[part] === undefined)) this.#hasUnknown = true;
    if (judging && this.#known.size < maxJudgings)
      this.#known.set(JSON.stringify(judging), judging);
  }

  addAll({ known, hasUnknown }: Judgings): void {
    for (const judging of known) this.add(judging);
    if (hasUnknown) this.add(undefined);
  }

  get known(): Judging[] {
    return [...this.#known.values()];
  }

  /** True if some run does not say what judged it, or not all of it: rechecked results have some parts only. */
  get hasUnknown(): boolean {
    return this.#hasUnknown;
  }

  /** All differences among these judgings. */
  static changes(...all: readonly Judgings[]): JudgingChange[] {
    let first: Judging = {};
    const changes = all
      .flatMap(({ known }) => known)
      .flatMap((other) => {
        const found = findJudgingChanges(first, other);
        first = fillMissingParts(first, other);
        return found;
      });
    return [...new Map(changes.map((change) => [change.text, change])).values()];
  }
}

/** Fills parts that one record of a task does not have from another record. */
function fillMissingParts(judging: Judging, other: Judging): Judging {
  return {
    prompt: judging.prompt ?? other.prompt,
    assertions: judging.assertions ?? other.assertions,
    setup: judging.setup ?? other.setup,
    verify: judging.verify ?? other.verify,
    judge: judging.judge === undefined ? other.judge : judging.judge,
    timeoutMs: judging.timeoutMs === undefined ? other.timeoutMs : judging.timeoutMs,
  };
}

/** The judgings of a task in a map by task name; they are added if there are none. */
export function getOrAddJudgings(byTask: Map<string, Judgings>, task: string): Judgings {
  const known = byTask.get(task) ?? new Judgings();
  byTask.set(task, known);
  return known;
}

/** What judges a recorded task run after its calls were checked against the current assertions. */
export function mergeRecheckedJudging(recorded: Judging | undefined, today: Judging): Judging {
  const { assertions } = today;
  return { ...recorded, ...(assertions && { assertions }) };
}

/** What judges a task run after a judge was asked again; other steps were not run again. */
export function mergeRejudgedJudging(rechecked: Judging, today: Judging): Judging {
  const { verify: recorded, ...others } = rechecked;
  const { verify = [], judge } = today;
  const judged = {
    ...others,
    ...(judge !== undefined && { judge }),
  };
  const isJudge = ({ type }: StepDigest) => type === 'llmJudge';
  const isAlike =
    recorded?.length === verify.length &&
    recorded.every((step, index) => step.type === verify[index]?.type);
  // It is not known which step is which.
  if (!isAlike) return judged;
  return {
    ...judged,
    verify: recorded.map((step, i) => (isJudge(step) ? (verify[i] ?? step) : step)),
  };
}
