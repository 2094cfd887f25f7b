import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { BudgetKind } from '../../events/budget.js';
import { eventOf } from '../../events/journal-reader.js';
import type { EventStream } from '../../run/journal/event-stream.js';
import { JournalError } from '../../run/journal/journal-writer.js';
import { type RecordedRun, type RunEnding, RunRecorder } from '../../run/journal/run-recorder.js';
import type { WorkerSetup } from '../queue-run.js';
import type { RunProgress } from '../run-store.js';
import { EventIngest, FileIngest, InvalidEventError } from './event-ingest.js';
import {
  Completions,
  listEarlierAttempts,
  listPlannedItems,
  submitUndecidedItems,
} from './planned-items.js';
import { StreamEntries } from './stream-entries.js';
import type { SubmittedRun } from './submitted-run.js';

export interface QueuedRunOptions extends RecordedRun {
  run: SubmittedRun;
  /** What the first worker found; none: workers are at it already. */
  setup?: WorkerSetup;
  redis: Redis;
  /** Used for nothing else: it waits for events. */
  blocking: Redis;
  /** The name of this process, as others see it. */
  reader: string;
  /** The number of runs is decided here, while workers are at it. */
  isUndecided: boolean;
  /** How many task runs workers do at once, by now. */
  slots: number;
  /** Ends as soon as workers have everything they need. */
  isDetached: boolean;
}

/** Milliseconds after which somebody who reads events is taken to be gone. */
const readerPatience = 5_000;
const lookAgainAfter = 200;
/** Bytes that may wait to be read. */
const mostWaiting = 256 * 1024 * 1024;

/** The queue, or another process, has taken the run away. */
class LostOwnershipError extends Error {
  /** Somebody else reads it. */
  readonly isUnderWay: boolean;

  constructor(message: string, isUnderWay: boolean) {
    super(message);
    this.isUnderWay = isUnderWay;
  }
}

/** Hands task runs to workers, and keeps the journal of what they tell. */
export class QueuedRun {
  readonly #options: QueuedRunOptions;
  readonly #entries: StreamEntries;
  readonly #ends = new Completions();
  #isStopped = false;
  #isReader = false;
  #isLeft = false;
  #isScheduled = true;
  #isOver = false;
  #failure: Error | undefined;

  constructor(options: QueuedRunOptions) {
    this.#options = options;
    const { redis, blocking, run, reader } = options;
    this.#entries = new StreamEntries(redis, blocking, run.keys, {
      name: reader,
      patience: readerPatience,
    });
  }

  /** Once: what runs is stopped and cleaned up. Twice: nobody waits for that any more. */
  interrupt(): void {
    if (this.#isStopped) {
      this.#isLeft = true;
      // The queue may be away, and whatever waits for it waits for long.
      this.#options.blocking.disconnect();
      this.#options.redis.disconnect();
    }
    this.#isStopped = true;
    this.#isOver = true;
    const { run } = this.#options;
    // What somebody else reads is not ours to stop.
    if (this.#isReader) void run.store.stop(run.about.id).catch(() => {});
  }

  /** Throws JournalError if it cannot begin. Undefined: workers go on without us. */
  async run(): Promise<RunEnding | undefined> {
    const { run, isDetached } = this.#options;
    const recorder = await RunRecorder.open(this.#options, (failure) => this.#fail(failure));
    const { events } = recorder;
    let progress: RunProgress | undefined;
    try {
      await this.#start(recorder);
      if (isDetached) {
        await recorder.close();
        await this.#entries.release();
        return undefined;
      }
      progress = await this.#follow(events);
    } catch (error) {
      this.#giveUp(error);
    }
    const end = this.#endOf(progress);
    const isDone = progress !== undefined && !this.#isLeft;
    if (isDone) await run.expireSoon();
    // Workers are still at it: whoever resumes has to find them.
    if (!this.#isLeft) recorder.writeEnd(end);
    await recorder.close().catch(() => {});
    if (isDone) await run.remove();
    const failure = this.#failure;
    if (failure && !isExpected(failure)) throw failure;
    return { ...end, ...(failure && { failure }) };
  }

  async #start(recorder: RunRecorder): Promise<void> {
    await this.#becomeReader();
    this.#writeStart(recorder);
    await recorder.events.flush();
    if (this.#options.setup) await this.#open();
    // Whoever handed it over may have been killed before the first task run was in a queue.
    else await this.#options.run.goOn();
  }

  #writeStart(recorder: RunRecorder): void {
    const { run, setup } = this.#options;
    const { agent, variants, judge, mcpServers = [], offers = [] } = setup ?? {};
    recorder.writeStart({
      ...(agent && { agent }),
      ...(variants && { variants }),
      ...(judge && { judge }),
      mcpServers,
      offers: offers.flatMap((line) => {
        const { seq: _, at: __, ...offer } = eventOf(line) ?? noEvent(line);
        return [offer];
      }),
      queue: run.about.id,
    });
  }

  async #open(): Promise<void> {
    const { run, work, previous, bail, budget, isUndecided, redactor } = this.#options;
    const items = isUndecided ? { sequence: [], parallel: [] } : listPlannedItems(work, run.about);
    const redact = (text: string) => redactor.text(text);
    await run.open({
      ...items,
      total: items.sequence.length + items.parallel.length,
      before: previous ? listEarlierAttempts(previous, run.about, redact) : [],
      ...(Number.isFinite(bail.left) && { bail: bail.left }),
      budget: Object.fromEntries(
        budget.state.map(({ kind, limit, spent }) => [kind, Math.max(0, limit - spent)]),
      ),
      mostWaiting,
    });
  }

  /** One that was killed a moment ago is still taken to be there. */
  async #becomeReader(): Promise<void> {
    while (!(await this.#entries.acknowledge())) {
      if (this.#isStopped) throw takenOver();
      await delay(lookAgainAfter);
    }
    this.#isReader = true;
  }

  /** Until nothing more comes. Undefined: nobody waited for that. */
  async #follow(events: EventStream): Promise<RunProgress | undefined> {
    const { previous, journalPath, run, isUndecided } = this.#options;
    const told = new EventIngest(events, previous);
    const files = new FileIngest(journalPath);
    if (isUndecided) void this.#handOverUndecided(events);
    for (;;) {
      const entries = await this.#entries.read();
      let hasEnded = false;
      for (const entry of entries) {
        if (entry.kind === 'file') {
          await files.write(entry.name, entry.offset, entry.data);
          continue;
        }
        const ended = told.write(entry);
        if (!ended) continue;
        hasEnded = true;
        if (isUndecided && entry.item !== undefined) this.#ends.tell(entry.item, ended.outcome);
      }
      await events.flush();
      if (this.#failure) return undefined;
      if (!(await this.#entries.acknowledge())) throw takenOver();
      if (entries.length > 0 && !hasEnded && !this.#isLeft) continue;
      const progress = await run.progress();
      if (!progress || progress.state === 'preparing') throw forgotten();
      if (this.#isLeft) return undefined;
      this.#isOver ||= progress.state === 'stopping' || progress.over !== undefined;
      if (this.#isFinished(progress) && !(await run.hasUnread())) return progress;
    }
  }

  /** By what the queue says: a worker may begin before it hears that we want an end. */
  #isFinished({ state, over, total, done, open }: RunProgress): boolean {
    if (state === 'stopping' || over !== undefined) return open === 0;
    return this.#isScheduled && done >= total;
  }

  /** What runs next depends on what came of others. */
  async #handOverUndecided(events: EventStream): Promise<void> {
    const { run, work, slots } = this.#options;
    this.#isScheduled = false;
    try {
      const isOver = () => this.#isOver;
      await submitUndecidedItems({ run, work, events, ends: this.#ends, slots, isOver });
      this.#isScheduled = true;
    } catch (error) {
      this.#fail(errorOf(error));
    }
  }

  /** Nothing more is read. */
  #giveUp(error: unknown): void {
    if (this.#isLeft) return;
    if (!(error instanceof LostOwnershipError)) {
      this.#fail(errorOf(error));
      return;
    }
    // What is not ours is not ours to stop.
    this.#failure ??= error;
    this.#isStopped = true;
    this.#isLeft = error.isUnderWay;
  }

  #fail(failure: Error): void {
    this.#failure ??= failure;
    this.interrupt();
  }

  #endOf(progress: RunProgress | undefined): RunEnding {
    const { budget } = this.#options;
    const over = progress?.over;
    if (over !== undefined && over !== 'bail') {
      const kind = over as BudgetKind;
      // Whoever resumes may not have said it again.
      budget.reach(kind, this.#options.run.about.budget[kind] ?? 0);
    }
    const { reached } = budget;
    return {
      interrupted: this.#isStopped || progress?.state === 'stopping',
      bailed: over === 'bail',
      ...(reached && { budget: reached }),
      ...(this.#failure && { failure: this.#failure }),
    };
  }
}

function errorOf(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function takenOver(): LostOwnershipError {
  return new LostOwnershipError('another process reads what the workers tell by now', true);
}

function forgotten(): LostOwnershipError {
  return new LostOwnershipError(
    'the queue does not know the run any more: go on with --resume',
    false,
  );
}

/** Such as a full disk, or a queue without memory: told in one line, and no bug of ours. */
function isExpected(failure: Error): boolean {
  const kinds = [JournalError, LostOwnershipError, InvalidEventError];
  return kinds.some((kind) => failure instanceof kind) || failure.name === 'ReplyError';
}

function noEvent(line: string): never {
  throw new Error(`a worker told of a server what is no event: ${line.slice(0, 200)}`);
}
