import type { Judging, StepDigest } from '../journal/task-run-events.js';

/** A part of what judges a task that is not the same in two records of it. */
export interface JudgingChange {
  part: 'prompt' | 'assertion' | 'setup' | 'verify' | 'judge' | 'timeout';
  change: 'added' | 'removed' | 'changed';
  /** In words, without the task: `the assertion callOrder is gone`. */
  text: string;
}

/** More parts of one task nobody reads. */
const mostChanges = 20;
/** Nobody edits a task so often within one sample. */
export const mostJudgings = 20;
/** Names come from files of others. */
const longestName = 100;

/** What changed from one record of a task to a later one. What one of them does not know is no change. */
export function judgingChanges(
  base: Judging | undefined,
  current: Judging | undefined,
): JudgingChange[] {
  if (!base || !current) return [];
  const changes = [
    ...promptChanges(base.prompt, current.prompt),
    ...assertionChanges(base.assertions, current.assertions),
    ...stepChanges('setup', base.setup, current.setup),
    ...stepChanges('verify', base.verify, current.verify),
    ...judgeChanges(base.judge, current.judge),
    ...timeoutChanges(base.timeoutMs, current.timeoutMs),
  ];
  return changes.slice(0, mostChanges);
}

/** `the assertion callOrder is gone; verify step 1 (script) changed`. */
export function judgingInWords(changes: readonly JudgingChange[]): string {
  return changes.map(({ text }) => text).join('; ');
}

/** Said where a task's prompt is another one, whoever found out. */
export const changedPrompt: JudgingChange = {
  part: 'prompt',
  change: 'changed',
  text: 'the prompt changed',
};

function promptChanges(base?: string, current?: string): JudgingChange[] {
  return isChanged(base, current) ? [changedPrompt] : [];
}

function assertionChanges(
  base: Judging['assertions'],
  current: Judging['assertions'],
): JudgingChange[] {
  if (!base || !current) return [];
  const names = [...new Set([...Object.keys(base), ...Object.keys(current)])].sort();
  return names.flatMap((name) => {
    const [before, now] = [ownDigest(base, name), ownDigest(current, name)];
    if (before === now) return [];
    return [madeChange('assertion', `the assertion ${name.slice(0, longestName)}`, before, now)];
  });
}

function ownDigest(digests: NonNullable<Judging['assertions']>, name: string): string | undefined {
  return Object.hasOwn(digests, name) ? digests[name] : undefined;
}

/** Steps have no names: where there are as many as before, each is held against the one in its place. */
function stepChanges(
  part: 'setup' | 'verify',
  base: Judging['setup'],
  current: Judging['setup'],
): JudgingChange[] {
  if (!base || !current) return [];
  if (base.length === current.length) {
    return current.flatMap((step, index) => {
      const before = base[index];
      if (before?.digest === step.digest) return [];
      const title = `${part} step ${index + 1} (${stepType(step)})`;
      return [madeChange(part, title, before?.digest, step.digest)];
    });
  }
  const gone = withoutThose(base, current);
  const added = withoutThose(current, base);
  const moved = { part, change: 'changed', text: `the ${part} steps changed` } as const;
  const changes = [
    ...gone.map(({ step, place }) =>
      madeChange(part, `${part} step ${place} (${stepType(step)})`, step.digest, undefined),
    ),
    ...added.map(({ step, place }) =>
      madeChange(part, `${part} step ${place} (${stepType(step)})`, undefined, step.digest),
    ),
  ];
  return changes.length > 0 ? changes : [moved];
}

function withoutThose(steps: readonly StepDigest[], others: readonly StepDigest[]) {
  const known = new Set(others.map(({ digest }) => digest));
  return steps
    .map((step, index) => ({ step, place: index + 1 }))
    .filter(({ step }) => !known.has(step.digest));
}

function stepType({ type }: StepDigest): string {
  return type.slice(0, longestName);
}

function judgeChanges(base: Judging['judge'], current: Judging['judge']): JudgingChange[] {
  if (base === undefined || current === undefined) return [];
  if (base?.digest === current?.digest) return [];
  const [before, now] = [base?.model?.slice(0, longestName), current?.model?.slice(0, longestName)];
  if (base && current && before !== now) {
    const text = `the judge is ${now ?? 'another one'}, it was ${before ?? 'another one'}`;
    return [{ part: 'judge', change: 'changed', text }];
  }
  const title = base && current ? 'the settings of the judge' : 'the judge';
  return [madeChange('judge', title, base?.digest, current?.digest)];
}

function timeoutChanges(base?: number | null, current?: number | null): JudgingChange[] {
  if (!isChanged(base, current)) return [];
  const text = `the time limit is ${limitText(current)}, it was ${limitText(base)}`;
  return [{ part: 'timeout', change: 'changed', text }];
}

function limitText(milliseconds: number | null | undefined): string {
  return typeof milliseconds === 'number' ? `${milliseconds / 1000} s` : 'none';
}

function isChanged<Value>(base: Value | undefined, current: Value | undefined): boolean {
  return base !== undefined && current !== undefined && base !== current;
}

function madeChange(
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
    if (judging && this.#known.size < mostJudgings)
      this.#known.set(JSON.stringify(judging), judging);
  }

  addAll({ known, hasUnknown }: Judgings): void {
    for (const judging of known) this.add(judging);
    if (hasUnknown) this.add(undefined);
  }

  get known(): Judging[] {
    return [...this.#known.values()];
  }

  /** Of some run nobody knows, or not every part: rechecked results can have some parts only. */
  get hasUnknown(): boolean {
    return this.#hasUnknown;
  }

  /** What is not the same in all of these. */
  static changes(...all: readonly Judgings[]): JudgingChange[] {
    let first: Judging = {};
    const changes = all
      .flatMap(({ known }) => known)
      .flatMap((other) => {
        const found = judgingChanges(first, other);
        first = withMissingParts(first, other);
        return found;
      });
    return [...new Map(changes.map((change) => [change.text, change])).values()];
  }
}

/** Parts that one record of a task does not know can be known by another. */
function withMissingParts(judging: Judging, other: Judging): Judging {
  return {
    prompt: judging.prompt ?? other.prompt,
    assertions: judging.assertions ?? other.assertions,
    setup: judging.setup ?? other.setup,
    verify: judging.verify ?? other.verify,
    judge: judging.judge === undefined ? other.judge : judging.judge,
    timeoutMs: judging.timeoutMs === undefined ? other.timeoutMs : judging.timeoutMs,
  };
}

/** Those of a task in a map by names. */
export function judgingsOf(byTask: Map<string, Judgings>, task: string): Judgings {
  const known = byTask.get(task) ?? new Judgings();
  byTask.set(task, known);
  return known;
}

/** What judges a recorded task run once its calls are held against the assertions of today. */
export function recheckedJudging(recorded: Judging | undefined, today: Judging): Judging {
  const { assertions } = today;
  return { ...recorded, ...(assertions && { assertions }) };
}

/** The same once a judge was asked again, with the questions of today; other steps were not run again. */
export function rejudgedJudging(rechecked: Judging, today: Judging): Judging {
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
  // Which step was which cannot be told any more.
  if (!isAlike) return judged;
  return {
    ...judged,
    verify: recorded.map((step, i) => (isJudge(step) ? (verify[i] ?? step) : step)),
  };
}
