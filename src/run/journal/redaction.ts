import { dropPartialLastWord } from '../../base/text.js';
import type { Redactor } from '../../config/secrets/redactor.js';
import {
  type EventSink,
  formatEventLine,
  type JournalEvent,
  type MemberEdit,
} from '../../journal/event.js';
import { parseEvent } from '../../journal/journal-reader.js';
import type { Judging } from '../../journal/task-run-events.js';

/**
 * Members whose values are Proctor's own words, numbers and folders. A secret that happens to be one of
 * these words must not change what kind of event this is, and folders must be found to be removed.
 */
const exemptMembers: ReadonlySet<string> = new Set([
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

/** Members of a run's record that are not redacted, because `--resume` and cleanup need them as they are. */
const exemptInside: ReadonlySet<string> = new Set([
  'id',
  'process',
  'workspace',
  'workdir',
  'queue',
  'sha256',
  'withoutLimits',
]);

/** Makes the edit that redacts the members of events, as the journal has them. */
export function createMemberRedaction(redactor: Redactor): MemberEdit {
  return (key, json, isForeign) => {
    if (exemptMembers.has(key)) return json;
    if (isForeign) return redactor.foreignJson(json);
    if (key === 'judging') return redactedJudging(redactor, json);
    return key === 'evaluation' || key === 'files'
      ? redactRecordJson(redactor, json)
      : redactor.json(json);
  };
}

/** Redacts an event, as the journal has it. */
export function redactEvent(event: JournalEvent, redactor: Redactor): JournalEvent {
  const line = formatEventLine(event, createMemberRedaction(redactor));
  const redacted = parseEvent(line);
  if (!redacted) throw new Error(`an event of the type ${event.type} cannot be read again`);
  return redacted;
}

/**
 * What judged a task is recorded as digests, and redacted they would all be alike: it could not be seen that
 * a task was changed. Only the model of the judge is a name that a user gave.
 */
function redactedJudging(redactor: Redactor, json: string): string {
  const judging = JSON.parse(json) as Judging;
  const { judge } = judging;
  if (judge?.model === undefined) return json;
  return JSON.stringify({ ...judging, judge: { ...judge, model: redactor.text(judge.model) } });
}

/** Redacts the JSON of a run's record or of its files, so that `--resume` still finds what it compares. */
export function redactRecordJson(redactor: Redactor, json: string): string {
  const redacted = redactor.json(json);
  if (redacted === json) return json;
  return JSON.stringify(restoreExempt(JSON.parse(redacted), JSON.parse(json)));
}

function restoreExempt(redacted: unknown, original: unknown): unknown {
  if (typeof redacted !== 'object' || redacted === null) return redacted;
  if (Array.isArray(redacted)) {
    return redacted.map((item, index) =>
      restoreExempt(item, (original as unknown[] | undefined)?.[index]),
    );
  }
  const before = (original ?? {}) as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(redacted).map(([key, value]) => [
      key,
      // A key that holds a secret itself is not there any more.
      exemptInside.has(key) && key in before ? before[key] : restoreExempt(value, before[key]),
    ]),
  );
}

/** What has only the shape of a secret is not longer. */
const minOverlap = 16 * 1024;

export type BlockRedactor = Pick<Redactor, 'text' | 'longest'>;

/** A long text without its secrets, a block at a time: one that lies across two is found, too. */
export async function* redactBlocks(
  chunks: AsyncIterable<unknown>,
  redactor: BlockRedactor,
): AsyncGenerator<string> {
  let text = '';
  for await (const chunk of chunks) {
    text += String(chunk);
    const cut = safeCut(text, redactor);
    if (cut === 0) continue;
    yield redactor.text(text.slice(0, cut));
    text = text.slice(cut);
  }
  yield redactor.text(text);
}

/** A place where the text can be cut without cutting through a secret; 0: there is none. */
function safeCut(text: string, redactor: BlockRedactor): number {
  const redact = (part: string) => redactor.text(part);
  const overlap = Math.max(minOverlap, redactor.longest);
  for (let place = text.length - overlap; place > overlap; place -= overlap) {
    const cut = isInsidePair(text, place) ? place - 1 : place;
    const context = text.slice(cut - overlap, cut + overlap);
    const parts = redact(context.slice(0, overlap)) + redact(context.slice(overlap));
    if (parts === redact(context)) return cut;
  }
  return 0;
}

/** Half a character cannot be written. */
function isInsidePair(text: string, place: number): boolean {
  return (text.codePointAt(place - 1) ?? 0) > 0xffff;
}

/**
 * A text of bounded length. What is cut first and redacted later may hold half a secret; by the sign
 * at the cut the redactor finds that too.
 */
export function truncateRedacted(sink: EventSink, text: string, length: number): string {
  if (text.length <= length) return text;
  const redacted = sink.redact(dropPartialLastWord(text.slice(0, 2 * length)));
  return `${redacted.slice(0, length)} …`;
}
