import type { Redactor } from '../../config/secrets/redactor.js';
import { type EventBody, formatEventLine, type MemberEdit } from '../../journal/event.js';
import type { TaskRunEnded } from '../../journal/task-run-events.js';
import { createMemberRedaction, redactRecordJson } from '../../run/journal/redaction.js';
import {
  addToCutOffRecord,
  beginCutOffRecord,
  type CutOffAttempt,
} from '../../run/resume/previous-run.js';
import type { AttemptEnd, AttemptFence, CutOffUpdate, RunAttempts } from '../run-attempts.js';

export interface AttemptLogOptions {
  attempts: RunAttempts;
  fence: AttemptFence;
  /** Name of the attempt in events. */
  name: string;
  redactor: Redactor;
  /** Events of this attempt that another worker had sent before it was lost. */
  sentEvents?: number;
  /** Aborted: another attempt counts now, or will soon. Nothing of this one is sent any more. */
  lost: AbortController;
}

/** Milliseconds for which events are collected into one entry. */
const gatheringTime = 20;
/** Characters after which an entry is sent at once. */
const entrySize = 512 * 1024;
/** Characters that may wait before `pressure` makes producers of events wait. */
const maxWaiting = 8 * 1024 * 1024;

/** Sends the events of one attempt to the queue, in their order, as long as the attempt counts. */
export class AttemptLog {
  readonly #options: AttemptLogOptions;
  readonly #redacted: MemberEdit;
  #lines: string[] = [];
  #waiting = 0;
  /** Events of the attempt so far: the last one has this number. */
  #writtenEvents: number;
  /** How many of them were sent. */
  #sentEvents: number;
  /** What another worker needs to clean up, should this one be lost. */
  #cutOff: CutOffAttempt | undefined;
  /** Whether it has changed since it was sent. */
  #hasCutOffChanged = false;
  /** The last event, which is held back until `end`. */
  #ended: (TaskRunEnded & { seq: number; at: string }) | undefined;
  #gathering: NodeJS.Timeout | undefined;
  #sending: Promise<void> = Promise.resolve();

  constructor(options: AttemptLogOptions) {
    this.#options = options;
    this.#redacted = createMemberRedaction(options.redactor);
    this.#writtenEvents = options.sentEvents ?? 0;
    this.#sentEvents = this.#writtenEvents;
  }

  /** Returns the position of the event within its attempt: the coordinator gives it a `seq`. */
  write(body: EventBody, at = new Date().toISOString()): number {
    // Nothing comes after the end. If it got a number, the coordinator would take the end for missing.
    if (this.#ended) return this.#writtenEvents;
    const seq = this.#writtenEvents + 1;
    const event = { ...body, seq, at };
    this.#writtenEvents = seq;
    if (this.#isLost) return seq;
    if (event.type === 'task-run-ended') {
      this.#ended = event;
      return seq;
    }
    this.#add(formatEventLine(event, this.#redacted));
    this.#updateCutOff(event);
    if (this.#waiting >= entrySize) void this.#send();
    else this.#gathering ??= setTimeout(() => void this.#send(), gatheringTime);
    return seq;
  }

  /** Sends an event that belongs to no task run. */
  note(body: EventBody): void {
    const event = { ...body, seq: 0, at: new Date().toISOString() };
    const line = formatEventLine(event, this.#redacted);
    void this.#inOrder(() => this.#append(['t', '', 'e', line]));
  }

  /** Sends a part of a file that goes beside the journal. */
  file(name: string, offset: number, data: string): Promise<void> {
    return this.#inOrder(() => this.#append(['f', name, 'o', offset, 'd', data]));
  }

  /** While too much waits: settles when it is sent. */
  pressure(): Promise<void> | undefined {
    return this.#waiting > maxWaiting ? this.flush() : undefined;
  }

  /** Sends what waits, unless the end was written: then it goes along with the end. */
  async flush(): Promise<void> {
    if (!this.#ended) await this.#send();
  }

  /** Sends what waits, and drops the end: the attempt stays open, and the next worker cleans up after it. */
  async leaveOpen(): Promise<void> {
    this.#ended = undefined;
    await this.#send();
  }

  /** Sends everything with the end of an attempt that another worker had begun, and this one has cleaned up after. */
  async sendEnd(): Promise<void> {
    await this.#settleSends();
    this.#addEnd();
    await this.#inOrder(() => this.#append(this.#takeEntry(), 'nothing'));
  }

  /**
   * Sends everything, and ends the attempt. False: another attempt counts by now. `discarded`: why its verdict is
   * thrown away, so that the task run runs again.
   */
  async end(end: AttemptEnd, discarded?: string): Promise<boolean> {
    const { attempts, fence } = this.#options;
    await this.#settleSends();
    if (this.#isLost) return false;
    this.#addEnd(discarded);
    return attempts.end(fence, end, this.#takeEntry());
  }

  get #isLost(): boolean {
    return this.#options.lost.signal.aborted;
  }

  #add(line: string): void {
    this.#lines.push(line);
    this.#waiting += line.length;
  }

  #addEnd(discarded?: string): void {
    const ended = this.#ended;
    if (!ended) return;
    this.#ended = undefined;
    const failure = { category: 'cancelled', message: discarded ?? '', evidence: 1 } as const;
    const event: typeof ended =
      discarded === undefined ? ended : { ...ended, outcome: 'cancelled', failure };
    this.#add(formatEventLine(event, this.#redacted));
  }

  #updateCutOff(event: Parameters<typeof addToCutOffRecord>[1]): void {
    if (event.type === 'task-run-started') this.#cutOff = beginCutOffRecord(event);
    else if (this.#cutOff) addToCutOffRecord(this.#cutOff, event);
    const { type } = event;
    // A call only changes a count, for which the whole record is not sent again.
    if (type === 'task-run-started' || type === 'step-ended' || type === 'phase-started') {
      this.#hasCutOffChanged = true;
    }
  }

  /** Waits for sends that have begun. What was collected since goes with the next entry. */
  async #settleSends(): Promise<void> {
    clearTimeout(this.#gathering);
    await this.#sending;
  }

  #send(): Promise<void> {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    return this.#inOrder(async () => {
      if (this.#lines.length === 0) return;
      const update = this.#hasCutOffChanged ? this.#describeCutOff() : 'same';
      this.#hasCutOffChanged = false;
      await this.#append(this.#takeEntry(), update);
    });
  }

  #describeCutOff(): CutOffUpdate {
    const { redactor } = this.#options;
    if (!this.#cutOff) return 'same';
    return { text: redactRecordJson(redactor, JSON.stringify(this.#cutOff)) };
  }

  /** Takes what waits, as an entry of the stream. */
  #takeEntry(): (string | number)[] {
    const lines = this.#lines;
    if (lines.length === 0) return [];
    this.#lines = [];
    this.#waiting = 0;
    this.#sentEvents += lines.length;
    const { name, fence, redactor } = this.#options;
    // Redacted, as in the events.
    return ['i', fence.item, 't', redactor.text(name), 'e', lines.join('\n')];
  }

  async #append(entry: (string | number)[], cutOff: CutOffUpdate = 'same'): Promise<void> {
    if (this.#isLost) return;
    const { attempts, fence } = this.#options;
    if (!(await attempts.append(fence, { sentEvents: this.#sentEvents, cutOff }, entry)))
      this.#lose();
  }

  #lose(): void {
    this.#options.lost.abort();
  }

  /** Does one thing after the other. If the connection is closed for good, the worker ends anyway. */
  #inOrder(work: () => Promise<void>): Promise<void> {
    this.#sending = this.#sending.then(work).catch(() => this.#lose());
    return this.#sending;
  }
}
