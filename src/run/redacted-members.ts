import type { Redactor } from '../config/secrets/redactor.js';
import type { MemberEdit } from '../journal/event.js';
import type { Judging } from '../journal/task-run-events.js';

/**
 * Members whose values are Proctor's own words, numbers and folders. A secret that happens to be one of
 * these words must not change what kind of event this is, and folders must be found to be removed.
 */
const ownMembers: ReadonlySet<string> = new Set([
  'schema',
  'proctor',
  'command',
  'direction',
  'by',
  'kind',
  'code',
  'startedAt',
  'bytes',
  'tokens',
  'phase',
  'outcome',
  'process',
  'random',
  'workspace',
  'workdir',
]);

/** The same inside of what is said of an evaluation: a run is resumed by it, and cleaned up after. */
const ownInside: ReadonlySet<string> = new Set([
  'id',
  'process',
  'workspace',
  'workdir',
  'queue',
  'sha256',
  'withoutLimits',
]);

/** Takes the secrets out of what an event says. */
export function redactedMembers(redactor: Redactor): MemberEdit {
  return (key, json, isForeign) => {
    if (ownMembers.has(key)) return json;
    if (isForeign) return redactor.foreignJson(json);
    if (key === 'judging') return redactedJudging(redactor, json);
    return key === 'evaluation' || key === 'files'
      ? redactedRecord(redactor, json)
      : redactor.json(json);
  };
}

/**
 * What judged a task is told by digests, and redacted they would all be alike: then nobody could see that
 * a task was changed. Only the model of the judge is a name that somebody gave.
 */
function redactedJudging(redactor: Redactor, json: string): string {
  const judging = JSON.parse(json) as Judging;
  const { judge } = judging;
  if (judge?.model === undefined) return json;
  return JSON.stringify({ ...judging, judge: { ...judge, model: redactor.text(judge.model) } });
}

/** Takes the secrets out of what a run is resumed by. */
export function redactedRecord(redactor: Redactor, json: string): string {
  const redacted = redactor.json(json);
  if (redacted === json) return json;
  return JSON.stringify(withOwn(JSON.parse(redacted), JSON.parse(json)));
}

function withOwn(redacted: unknown, original: unknown): unknown {
  if (typeof redacted !== 'object' || redacted === null) return redacted;
  if (Array.isArray(redacted)) {
    return redacted.map((item, index) =>
      withOwn(item, (original as unknown[] | undefined)?.[index]),
    );
  }
  const before = (original ?? {}) as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(redacted).map(([key, value]) => [
      key,
      // A key that holds a secret itself is not there any more.
      ownInside.has(key) && key in before ? before[key] : withOwn(value, before[key]),
    ]),
  );
}
