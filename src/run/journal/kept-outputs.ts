import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { slugify } from '../../base/text.js';
import { type BlockRedactor, redactBlocks } from './redaction.js';

/** The parts of the file name of a kept output. */
export interface OutputName {
  /** Name of the attempt. */
  taskRun: string;
  phase: string;
  step: number;
}

const ending = '.txt';

/** Keeps those outputs of steps that are too long for the journal. */
export interface OutputKeeper {
  /** Gives the path of each kept output, from the journal's folder. One that cannot be kept is left out. */
  keep(
    name: OutputName,
    spilled: Readonly<Record<string, string>>,
  ): Promise<Record<string, string>>;
}

/**
 * The folder beside a journal (`out.files` beside `out.jsonl`) with those outputs of steps that are too long for it. It has nothing to
 * do with the output files of a run, which are its results and its journal.
 */
export class KeptOutputs implements OutputKeeper {
  readonly #folder: string;
  readonly #redactor: BlockRedactor;
  #made = 0;

  constructor(journalPath: string, redactor: BlockRedactor) {
    this.#folder = nameKeptOutputsFolder(journalPath);
    this.#redactor = redactor;
  }

  /** Removes what an earlier run left there. Other files stay. */
  static async clear(journalPath: string): Promise<void> {
    const folder = nameKeptOutputsFolder(journalPath);
    const names = await readdir(folder).catch(() => []);
    for (const name of names) {
      if (name.endsWith(ending)) await rm(join(folder, name), { force: true }).catch(() => {});
    }
    if (names.length > 0) await rmdir(folder).catch(() => {});
  }

  async keep(
    { taskRun, phase, step }: OutputName,
    spilled: Readonly<Record<string, string>>,
  ): Promise<Record<string, string>> {
    const kept: Record<string, string> = {};
    for (const [output, source] of Object.entries(spilled)) {
      const start = `${slugify(taskRun)}-${phase}-${step}-${slugify(output)}`;
      try {
        kept[output] = `${basename(this.#folder)}/${await this.#keepOne(source, start)}`;
      } catch {
        // The journal, which has its beginning and its end, is what counts.
      }
    }
    return kept;
  }

  async #keepOne(source: string, start: string): Promise<string> {
    const { name, file } = await this.#newFile(start);
    try {
      const chunks = createReadStream(source, { encoding: 'utf8', highWaterMark: 1024 * 1024 });
      for await (const block of redactBlocks(chunks, this.#redactor)) await file.appendFile(block);
    } catch (error) {
      await rm(join(this.#folder, name), { force: true });
      throw error;
    } finally {
      await file.close();
    }
    return name;
  }

  /** Makes a file of a new name: the slugs of two attempts can be the same, also of one before a resume. */
  async #newFile(start: string): Promise<{ name: string; file: FileHandle }> {
    await mkdir(this.#folder, { recursive: true });
    for (;;) {
      this.#made += 1;
      const name = `${start}-${this.#made}${ending}`;
      try {
        return { name, file: await open(join(this.#folder, name), 'wx', 0o600) };
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      }
    }
  }
}

export function nameKeptOutputsFolder(journalPath: string): string {
  return join(dirname(journalPath), `${basename(journalPath, extname(journalPath))}.files`);
}
