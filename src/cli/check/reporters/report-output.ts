import { TextFile } from '../../../base/files.js';
import { explainWriteFailure } from '../../../base/write-failure.js';
import type { ReporterOutput } from '../../../reporters/reporter.js';
import type { Output } from '../../io.js';
import { writeWhole } from '../../whole-output.js';

/** Where a reporter writes to, and what becomes of it. */
export interface ReportOutput extends ReporterOutput {
  /** All is there. */
  finish(): Promise<void>;
  /** What was written counts for nothing, and nothing more is taken. */
  discard(): Promise<void>;
}

/** `shape` makes the text fit for who reads it. */
export function toOutput(output: () => Output, shape: (text: string) => string): ReportOutput {
  let isOver = false;
  return {
    write: async (text) => {
      if (!isOver) await writeWhole(output(), shape(text));
    },
    finish: async () => {},
    discard: async () => {
      isOver = true;
    },
  };
}

/** The file is made with the first text, and is there when the report is finished. */
export function toFile(path: string): ReportOutput {
  let file: Promise<TextFile> | undefined;
  let isOver = false;
  return {
    write: (text) =>
      explained(path, async () => {
        if (isOver) return;
        file ??= TextFile.create(path);
        await (await file).write(text);
      }),
    finish: () => explained(path, async () => (await file)?.finish()),
    discard: async () => {
      isOver = true;
      await (await file?.catch(() => undefined))?.discard();
    },
  };
}

async function explained(path: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    throw new Error(`cannot write ${path}: ${explainWriteFailure(error).reason}`);
  }
}
