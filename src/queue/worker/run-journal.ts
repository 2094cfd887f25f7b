import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { slugify } from '../../base/text.js';
import type { Redactor } from '../../config/secrets/redactor.js';
import type { EventBody } from '../../journal/event.js';
import type { Journal } from '../../run/journal/event-stream.js';
import type { OutputKeeper, OutputName } from '../../run/journal/kept-outputs.js';
import { type BlockRedactor, redactBlocks } from '../../run/journal/redaction.js';
import type { AttemptLog } from './attempt-log.js';

/** The journal of a run on this worker. The events of each attempt go to its own log. */
export class RunJournal implements Journal {
  readonly #redactor: Redactor;
  /** By the names of attempts. */
  readonly #logs = new Map<string, AttemptLog>();

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  /** Sends the events of an attempt to a log, until the returned function is called. */
  open(attempt: string, log: AttemptLog): () => void {
    this.#logs.set(attempt, log);
    return () => this.#logs.delete(attempt);
  }

  logOf(attempt: string): AttemptLog | undefined {
    return this.#logs.get(attempt);
  }

  write(body: EventBody): number {
    const attempt = 'taskRun' in body ? body.taskRun : undefined;
    if (attempt !== undefined) return this.#logs.get(attempt)?.write(body) ?? 0;
    // It belongs to no attempt, so that any log will do. Without one there is nothing worth recording.
    const [log] = this.#logs.values();
    log?.note(body);
    return 0;
  }

  pressure(): Promise<void> | undefined {
    const behind = [...this.#logs.values()].flatMap((log) => log.pressure() ?? []);
    return behind.length > 0 ? Promise.all(behind).then(() => {}) : undefined;
  }

  async flush(): Promise<void> {
    await Promise.all([...this.#logs.values()].map((log) => log.flush()));
  }

  redact(text: string): string {
    return this.#redactor.text(text);
  }
}

/** Bytes of an output that is sent through the queue at most. */
const maxOutput = 32 * 1024 * 1024;

/** Sends outputs that are too long for the journal to where the journal is. */
export class OutputUpload implements OutputKeeper {
  readonly #journal: RunJournal;
  /** Beside the journal. */
  readonly #folder: string;
  readonly #redactor: BlockRedactor;

  constructor(journal: RunJournal, folder: string, redactor: BlockRedactor) {
    this.#journal = journal;
    this.#folder = folder;
    this.#redactor = redactor;
  }

  async keep(
    { taskRun: attempt, phase, step }: OutputName,
    spilled: Readonly<Record<string, string>>,
  ): Promise<Record<string, string>> {
    const kept: Record<string, string> = {};
    const log = this.#journal.logOf(attempt);
    if (!log) return kept;
    // The slugs of two attempts can be the same.
    const digest = createHash('sha256').update(attempt).digest('hex').slice(0, 8);
    for (const [output, source] of Object.entries(spilled)) {
      const name = `${slugify(attempt)}-${phase}-${step}-${slugify(output)}-${digest}.txt`;
      try {
        await this.#send(log, name, source);
        kept[output] = `${this.#folder}/${name}`;
      } catch {
        // The journal, which has its beginning and its end, is what counts.
      }
    }
    return kept;
  }

  async #send(log: AttemptLog, name: string, source: string): Promise<void> {
    const { size } = await stat(source);
    if (size > maxOutput) throw new Error(`${name} is too long to be sent`);
    const chunks = createReadStream(source, { encoding: 'utf8', highWaterMark: 256 * 1024 });
    let offset = 0;
    for await (const block of redactBlocks(chunks, this.#redactor)) {
      await log.file(name, offset, block);
      offset += Buffer.byteLength(block);
    }
  }
}
