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

/** The journal of a run, as its task runs on this worker see it: each writes into its own log. */
export class RunJournal implements Journal {
  readonly #redactor: Redactor;
  readonly #logs = new Map<string, AttemptLog>();

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  /** Until the returned function is called, events of that task run go there. */
  open(taskRun: string, log: AttemptLog): () => void {
    this.#logs.set(taskRun, log);
    return () => this.#logs.delete(taskRun);
  }

  logOf(taskRun: string): AttemptLog | undefined {
    return this.#logs.get(taskRun);
  }

  write(body: EventBody): number {
    const taskRun = 'taskRun' in body ? body.taskRun : undefined;
    if (taskRun !== undefined) return this.#logs.get(taskRun)?.write(body) ?? 0;
    // Any task run that is under way may carry it. Without one there is nothing worth recording.
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

/** Bytes that a single output may take of the queue. */
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
    { taskRun, phase, step }: OutputName,
    spilled: Readonly<Record<string, string>>,
  ): Promise<Record<string, string>> {
    const kept: Record<string, string> = {};
    const log = this.#journal.logOf(taskRun);
    if (!log) return kept;
    // The slugs of two task runs can be the same.
    const digest = createHash('sha256').update(taskRun).digest('hex').slice(0, 8);
    for (const [output, source] of Object.entries(spilled)) {
      const name = `${slugify(taskRun)}-${phase}-${step}-${slugify(output)}-${digest}.txt`;
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
