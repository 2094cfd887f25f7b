import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { slugOf } from '../../base/text.js';
import type { OutputKeeper, OutputName } from '../../run/journal/kept-outputs.js';
import { type BlockRedactor, redactedBlocks } from '../../run/journal/redaction.js';
import type { AttemptLog } from './attempt-log.js';
import type { RunJournal } from './run-journal.js';

/** Bytes that a single output may take of the queue. */
const maxOutput = 32 * 1024 * 1024;

/** Sends outputs that are too long for the journal to where the journal is. */
export class ToldOutputs implements OutputKeeper {
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
      const name = `${slugOf(taskRun)}-${phase}-${step}-${slugOf(output)}-${digest}.txt`;
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
    for await (const block of redactedBlocks(chunks, this.#redactor)) {
      await log.file(name, offset, block);
      offset += Buffer.byteLength(block);
    }
  }
}
