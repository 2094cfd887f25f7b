import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { defined } from '../../base/defined.js';
import { parseEvent } from '../../journal/journal-reader.js';
import type { BudgetKind } from '../../journal/run-events.js';
import type { EventStream } from '../../run/journal/event-stream.js';
import { JournalError } from '../../run/journal/journal-writer.js';
import { RunRecorder, type RunToRecord, type StopCauses } from '../../run/journal/run-recorder.js';
import type { RunProgress } from '../run-store.js';
import type { WorkerFindings } from '../run-ticket.js';
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
  /** False: the queue has the run already, and this check only reads what workers do. */
  isNew: boolean;
  /** What the first worker found; only for a new run. */
  findings?: WorkerFindings;
  redis: Redis;
  /** A connection that only waits for events. */
  blocking: Redis;
  /** The name of this process for other processes. */
  reader: string;
  /** With `--runs auto`: this process decides about further runs, while workers do others. */
  isUndecided: boolean;
  /** How many task runs the workers do at once now. */
  slots: number;
  /** With `--detach`: ends as soon as workers have everything they need. */
  isDetached: boolean;
}

/** Milliseconds after which the claim of a silent reader of events expires. */
const readerPatience = 5_000;
/** Milliseconds after which this process tries again to become the reader. */
const lookAgainAfter = 200;
/** Bytes that may wait to be read before workers begin nothing more. */
const mostWaiting = 256 * 1024 * 1024;

/** This check can no longer read the run: the queue has forgotten it, or another process reads it. */
class LostOwnershipError extends Error {
  /** Another process reads it, so that the run goes on. */
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
  /** The run is to stop: by Ctrl-C, or because this process cannot go on. */
  #isStopped = false;
  #isReader = false;
  /** This process does not wait for the run to end: after a second Ctrl-C, or because another process reads it. */
  #isGivenUp = false;
  /** All items are submitted. Only with `--runs auto` this takes a while. */
  #isScheduled = true;
  /** Nothing more is submitted. */
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

  /** Once: workers stop what is under way and clean up. Twice: this process no longer waits for that. */
  interrupt(): void {
    if (this.#isStopped) {
      this.#isGivenUp = true;
      // The queue may be away: what waits for its answer would wait for long.
      this.#options.blocking.disconnect();
      this.#options.redis.disconnect();
    }
    this.#isStopped = true;
    this.#isOver = true;
    const { run } = this.#options;
    // Only the reader may stop the run.
    if (this.#isReader) void run.store.stop(run.ticket.id).catch(() => {});
  }

  /** Throws JournalError if it cannot begin. Undefined: with `--detach`, workers go on without this process. */
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
    const isDone = progress !== undefined && !this.#isGivenUp;
    if (isDone) await run.expireSoon();
    // Given up, the run goes on: without an end in the journal, --resume looks for it in the queue.
    await (this.#isGivenUp ? recorder.close().catch(() => {}) : recorder.end(end));
    if (isDone) await run.remove();
    const failure = this.#failure;
    if (failure && !isExpected(failure)) throw failure;
    return { ...end, ...(failure && { failure }) };
  }

  async #start(recorder: RunRecorder): Promise<void> {
    await this.#becomeReader();
    this.#writeStart(recorder);
    await recorder.events.flush();
    const { run, isNew } = this.#options;
    if (isNew) {
      await this.#open();
      return;
    }
    // The check that submitted it may have been killed before the first task run was in a queue.
    await run.finishOpening();
    this.#isOver = (await run.store.stateOf(run.ticket.id)) === 'stopping';
  }

  #writeStart(recorder: RunRecorder): void {
    const { run, findings } = this.#options;
    const { agent, variants, judge, mcpServers = [], offers = [] } = findings ?? {};
    recorder.writeStart({
      ...defined({ agent, variants, judge }),
      mcpServers,
      offers: offers.flatMap((line) => {
        const { seq: _, at: __, ...offer } = parseEvent(line) ?? throwNoEvent(line);
        return [offer];
      }),
      queue: run.ticket.id,
    });
  }

  async #open(): Promise<void> {
    const { run, work, previous, bail, budget, isUndecided, redactor } = this.#options;
    const items = isUndecided ? { sequence: [], parallel: [] } : listPlannedItems(work, run.ticket);
    const redact = (text: string) => redactor.text(text);
    await run.open({
      ...items,
      total: items.sequence.length + items.parallel.length,
      before: previous ? listEarlierAttempts(previous, run.ticket, redact) : [],
      ...(Number.isFinite(bail.remaining) && { bail: bail.remaining }),
      budget: Object.fromEntries(
        budget.state.map(({ kind, limit, spent }) => [kind, Math.max(0, limit - spent)]),
      ),
      mostWaiting,
    });
  }

  /** Makes this process the reader. The claim of one that was killed a moment ago has to expire first. */
  async #becomeReader(): Promise<void> {
    while (!(await this.#entries.acknowledge())) {
      if (this.#isStopped) throw takenOverError();
      await delay(lookAgainAfter);
    }
    this.#isReader = true;
  }

  /** Writes what workers report, until the run has ended. Undefined: this process does not wait for that. */
  async #follow(events: EventStream): Promise<RunProgress | undefined> {
    const { previous, journalPath, run, isUndecided } = this.#options;
    const ingest = new EventIngest(events, previous);
    const files = new FileIngest(journalPath);
    if (isUndecided) void this.#submitUndecided(events);
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
      if (entries.length > 0 && !hasEnded && !this.#isGivenUp) continue;
      const progress = await run.progress();
      if (!progress || progress.state === 'preparing') throw forgottenError();
      if (this.#isGivenUp) return undefined;
      this.#isOver ||= progress.state === 'stopping' || progress.over !== undefined;
      if (this.#isFinished(progress) && !(await run.hasUnread())) return progress;
    }
  }

  /** Whether the run has ended, by what the queue says: a worker may begin before it hears of an interruption. */
  #isFinished({ state, over, total, done, open }: RunProgress): boolean {
    if (state === 'stopping' || over !== undefined) return open === 0;
    return this.#isScheduled && done >= total;
  }

  /** With `--runs auto`: submits one item after the other, as outcomes decide. */
  async #submitUndecided(events: EventStream): Promise<void> {
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

  /** Ends the run after an error, unless another process reads it. */
  #handleError(error: unknown): void {
    if (this.#isGivenUp) return;
    if (!(error instanceof LostOwnershipError)) {
      this.#fail(toError(error));
      return;
    }
    // Not `#fail`, which would stop the run for the other process.
    this.#failure ??= error;
    this.#isStopped = true;
    this.#isGivenUp = error.isUnderWay;
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
      // The run keeps the budget that it was submitted with, which this check may not have been given.
      budget.reach(kind, this.#options.run.ticket.budget[kind] ?? 0);
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

/** Whether a failure is no bug, but for example a full disk or a queue without memory: it is reported in one line. */
function isExpected(failure: Error): boolean {
  const kinds = [JournalError, LostOwnershipError, InvalidEventError];
  return kinds.some((kind) => failure instanceof kind) || failure.name === 'ReplyError';
}

function throwNoEvent(line: string): never {
  throw new Error(
    `a worker sent something about a server that is not an event: ${line.slice(0, 200)}`,
  );
}
