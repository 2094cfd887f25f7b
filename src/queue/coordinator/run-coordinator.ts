import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { defined } from '../../base/defined.js';
import { parseEvent } from '../../journal/journal-reader.js';
import type { BudgetKind } from '../../journal/run-events.js';
import type { EventStream } from '../../run/journal/event-stream.js';
import { JournalError } from '../../run/journal/journal-writer.js';
import { RunRecorder, type RunToRecord, type StopCauses } from '../../run/journal/run-recorder.js';
import type { RunProgress } from '../run-store.js';
import type { WorkerSetup } from '../run-ticket.js';
import { EventIngest, FileIngest, InvalidEventError } from './event-ingest.js';
import {
  Completions,
  listEarlierAttempts,
  listPlannedItems,
  submitUndecidedItems,
} from './planned-items.js';
import { StreamEntries } from './stream-entries.js';
import type { SubmittedRun } from './submitted-run.js';

export interface RunCoordinatorOptions extends RunToRecord {
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

/** Milliseconds after which a silent reader of events is taken to be gone. */
const readerPatience = 5_000;
const lookAgainAfter = 200;
/** Bytes that may wait to be read. */
const mostWaiting = 256 * 1024 * 1024;

/** The queue, or another process, has taken the run away. */
class LostOwnershipError extends Error {
  /** Another process reads it. */
  readonly isUnderWay: boolean;

  constructor(message: string, isUnderWay: boolean) {
    super(message);
    this.isUnderWay = isUnderWay;
  }
}

/** Hands task runs to workers, and keeps the journal of their events. */
export class RunCoordinator {
  readonly #options: RunCoordinatorOptions;
  readonly #entries: StreamEntries;
  readonly #ends = new Completions();
  #isStopped = false;
  #isReader = false;
  #isLeft = false;
  #isScheduled = true;
  #isOver = false;
  #failure: Error | undefined;

  constructor(options: RunCoordinatorOptions) {
    this.#options = options;
    const { redis, blocking, run, reader } = options;
    this.#entries = new StreamEntries(redis, blocking, run.keys, {
      name: reader,
      patience: readerPatience,
    });
  }

  /** Once: what runs is stopped and cleaned up. Twice: that is not waited for any more. */
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
    // A run that another process reads must not be stopped here.
    if (this.#isReader) void run.store.stop(run.about.id).catch(() => {});
  }

  /** Throws JournalError if it cannot begin. Undefined: workers go on without us. */
  async run(): Promise<StopCauses | undefined> {
    const { run, isDetached } = this.#options;
    const recorder = await RunRecorder.open(this.#options, (failure) => this.#fail(failure));
    await recorder.begin();
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
      this.#handleError(error);
    }
    const end = this.#describeStopCauses(progress);
    const isDone = progress !== undefined && !this.#isLeft;
    if (isDone) await run.expireSoon();
    // Workers are still at it: --resume has to find them.
    await (this.#isLeft ? recorder.close().catch(() => {}) : recorder.end(end));
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
    // The check that submitted it may have been killed before the first task run was in a queue.
    else await this.#options.run.goOn();
  }

  #writeStart(recorder: RunRecorder): void {
    const { run, setup } = this.#options;
    const { agent, variants, judge, mcpServers = [], offers = [] } = setup ?? {};
    recorder.writeStart({
      ...defined({ agent, variants, judge }),
      mcpServers,
      offers: offers.flatMap((line) => {
        const { seq: _, at: __, ...offer } = parseEvent(line) ?? throwNoEvent(line);
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
      ...(Number.isFinite(bail.remaining) && { bail: bail.remaining }),
      budget: Object.fromEntries(
        budget.state.map(({ kind, limit, spent }) => [kind, Math.max(0, limit - spent)]),
      ),
      mostWaiting,
    });
  }

  /** Waits for a reader that was killed a moment ago, and still counts. */
  async #becomeReader(): Promise<void> {
    while (!(await this.#entries.acknowledge())) {
      if (this.#isStopped) throw takenOverError();
      await delay(lookAgainAfter);
    }
    this.#isReader = true;
  }

  /** Reads until nothing more comes. Undefined: it was not waited for. */
  async #follow(events: EventStream): Promise<RunProgress | undefined> {
    const { previous, journalPath, run, isUndecided } = this.#options;
    const ingest = new EventIngest(events, previous);
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
        const ended = ingest.write(entry);
        if (!ended) continue;
        hasEnded = true;
        if (isUndecided && entry.item !== undefined) this.#ends.add(entry.item, ended.outcome);
      }
      await events.flush();
      if (this.#failure) return undefined;
      if (!(await this.#entries.acknowledge())) throw takenOverError();
      if (entries.length > 0 && !hasEnded && !this.#isLeft) continue;
      const progress = await run.progress();
      if (!progress || progress.state === 'preparing') throw forgottenError();
      if (this.#isLeft) return undefined;
      this.#isOver ||= progress.state === 'stopping' || progress.over !== undefined;
      if (this.#isFinished(progress) && !(await run.hasUnread())) return progress;
    }
  }

  /** Decided by what the queue says: a worker may begin before it hears of the interruption. */
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
      this.#fail(toError(error));
    }
  }

  /** Nothing more is read. */
  #handleError(error: unknown): void {
    if (this.#isLeft) return;
    if (!(error instanceof LostOwnershipError)) {
      this.#fail(toError(error));
      return;
    }
    // A run that was lost to another process must not be stopped here.
    this.#failure ??= error;
    this.#isStopped = true;
    this.#isLeft = error.isUnderWay;
  }

  #fail(failure: Error): void {
    this.#failure ??= failure;
    this.interrupt();
  }

  #describeStopCauses(progress: RunProgress | undefined): StopCauses {
    const { budget } = this.#options;
    const over = progress?.over;
    if (over !== undefined && over !== 'bail') {
      const kind = over as BudgetKind;
      // A resumed check may not have been given the budget again.
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

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function takenOverError(): LostOwnershipError {
  return new LostOwnershipError('another process reads what the workers report by now', true);
}

function forgottenError(): LostOwnershipError {
  return new LostOwnershipError('the queue no longer has the run: continue with --resume', false);
}

/** Whether it is no bug: a full disk, or a queue without memory, is reported in one line. */
function isExpected(failure: Error): boolean {
  const kinds = [JournalError, LostOwnershipError, InvalidEventError];
  return kinds.some((kind) => failure instanceof kind) || failure.name === 'ReplyError';
}

function throwNoEvent(line: string): never {
  throw new Error(
    `a worker sent something about a server that is not an event: ${line.slice(0, 200)}`,
  );
}
