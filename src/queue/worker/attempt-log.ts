import type { Redactor } from '../../config/secrets/redactor.js';
import { type EventBody, formatEventLine, type MemberEdit } from '../../journal/event.js';
import type { TaskRunEnded } from '../../journal/task-run-events.js';
import { createMemberRedaction, redactRecordJson } from '../../run/journal/redaction.js';
import { type CutOffTaskRun, followTaskRun, startTaskRun } from '../../run/resume/previous-run.js';
import type { AttemptEnd, AttemptFence, LeftNews, RunAttempts } from '../run-attempts.js';

export interface AttemptLogOptions {
  attempts: RunAttempts;
  fence: AttemptFence;
  /** Name of the task run in events. */
  taskRun: string;
  redactor: Redactor;
  /** Events of this task run that were sent before, by the worker that lost it. */
  sentEvents?: number;
  /** Aborted: another attempt counts, or soon will. Nothing of this one is sent any more. */
  lost: AbortController;
}

/** Milliseconds: what happens in the next moment goes along. */
const gatheringTime = 20;
/** In characters. */
const entrySize = 512 * 1024;
const maxWaiting = 8 * 1024 * 1024;

/** Sends the events of one task run to the queue, in their order, as long as its attempt counts. */
export class AttemptLog {
  readonly #options: AttemptLogOptions;
  readonly #redacted: MemberEdit;
  #lines: string[] = [];
  #waiting = 0;
  /** Events of the task run so far: the last one has this number. */
  #writtenEvents: number;
  /** How many of them were handed over. */
  #sentEvents: number;
  #left: CutOffTaskRun | undefined;
  /** What cleaning up needs has changed. */
  #isLeftNew = false;
  /** The last event, which stays here until `end`. */
  #ended: (TaskRunEnded & { seq: number; at: string }) | undefined;
  #gathering: NodeJS.Timeout | undefined;
  #sending: Promise<void> = Promise.resolve();

  constructor(options: AttemptLogOptions) {
    this.#options = options;
    this.#redacted = createMemberRedaction(options.redactor);
    this.#writtenEvents = options.sentEvents ?? 0;
    this.#sentEvents = this.#writtenEvents;
  }

  /** Returns the place of the event within its task run: the coordinator makes a `seq` of it. */
  write(body: EventBody): number {
    // Nothing comes after the end: the coordinator would miss events in between.
    if (this.#ended) return this.#writtenEvents;
    const seq = this.#writtenEvents + 1;
    const event = { ...body, seq, at: new Date().toISOString() };
    this.#writtenEvents = seq;
    if (this.#isLost) return seq;
    if (event.type === 'task-run-ended') {
      this.#ended = event;
      return seq;
    }
    this.#add(formatEventLine(event, this.#redacted));
    this.#see(event);
    if (this.#waiting >= entrySize) void this.#send();
    else this.#gathering ??= setTimeout(() => void this.#send(), gatheringTime);
    return seq;
  }

  /** An event that belongs to no task run. */
  note(body: EventBody): void {
    const event = { ...body, seq: 0, at: new Date().toISOString() };
    const line = formatEventLine(event, this.#redacted);
    void this.#inOrder(() => this.#append(['t', '', 'e', line]));
  }

  /** Part of a file that goes beside the journal. */
  file(name: string, offset: number, data: string): Promise<void> {
    return this.#inOrder(() => this.#append(['f', name, 'o', offset, 'd', data]));
  }

  /** While much waits: settles when it is sent. */
  pressure(): Promise<void> | undefined {
    return this.#waiting > maxWaiting ? this.flush() : undefined;
  }

  /** Sends what waits. Sends nothing once the end was written: that goes with `end`. */
  async flush(): Promise<void> {
    if (!this.#ended) await this.#send();
  }

  /** Sends also the end, without ending the attempt: for a task run that another worker had begun. */
  async sendEnd(): Promise<void> {
    await this.#gathered();
    this.#addEnd();
    await this.#inOrder(() => this.#append(this.#takeEntry(), 'nothing'));
  }

  /** Whether the attempt counted to its end. `discarded`: why its verdict is none. */
  async end(end: AttemptEnd, discarded?: string): Promise<boolean> {
    const { attempts, fence } = this.#options;
    await this.#gathered();
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

  #see(event: Parameters<typeof followTaskRun>[1]): void {
    if (event.type === 'task-run-started') this.#left = startTaskRun(event);
    else if (this.#left) followTaskRun(this.#left, event);
    const { type } = event;
    // Calls are only counted; that is worth no message of its own.
    if (type === 'task-run-started' || type === 'step-ended' || type === 'phase-started') {
      this.#isLeftNew = true;
    }
  }

  /** Sends what was handed over; the rest stays here, to go along with what comes. */
  async #gathered(): Promise<void> {
    clearTimeout(this.#gathering);
    await this.#sending;
  }

  #send(): Promise<void> {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    return this.#inOrder(async () => {
      if (this.#lines.length === 0) return;
      const left = this.#isLeftNew && this.#left ? this.#leftText(this.#left) : 'same';
      this.#isLeftNew = false;
      await this.#append(this.#takeEntry(), left);
    });
  }

  #leftText(left: CutOffTaskRun): LeftNews {
    return { text: redactRecordJson(this.#options.redactor, JSON.stringify(left)) };
  }

  /** What waits, as an entry of the stream. */
  #takeEntry(): (string | number)[] {
    const lines = this.#lines;
    if (lines.length === 0) return [];
    this.#lines = [];
    this.#waiting = 0;
    this.#sentEvents += lines.length;
    const { taskRun, fence, redactor } = this.#options;
    // As the events in it have it.
    return ['i', fence.item, 't', redactor.text(taskRun), 'e', lines.join('\n')];
  }

  async #append(entry: (string | number)[], left: LeftNews = 'same'): Promise<void> {
    if (this.#isLost) return;
    const { attempts, fence } = this.#options;
    if (!(await attempts.append(fence, { sentEvents: this.#sentEvents, left }, entry)))
      this.#lose();
  }

  #lose(): void {
    this.#options.lost.abort();
  }

  /** One at a time. That a connection is closed for good is the end of the worker, who knows it. */
  #inOrder(work: () => Promise<void>): Promise<void> {
    this.#sending = this.#sending.then(work).catch(() => this.#lose());
    return this.#sending;
  }
}
