import { TextFile } from '../../base/files.js';
import { explainWriteFailure } from '../../base/write-failure.js';
import type { ReporterOutput } from '../../reporters/reporter.js';
import type { EvalResult } from '../session/check-events.js';
import type { ReporterRequest } from './reporter-requests.js';

/** Where a reporter writes to. */
export interface ReportOutput extends ReporterOutput {
  /** Called when the report is complete. */
  finish(): Promise<void>;
  /** Takes back what was written as far as possible, and takes nothing more. */
  discard(): Promise<void>;
}

/**
 * Opens stdout for a reporter. `isStdoutTaken` says, once all reporters are there, whether another one
 * writes to it.
 */
export type OpenReportOutput = (
  request: ReporterRequest,
  isStdoutTaken: () => boolean,
) => ReportOutput;

/** The file is made with the first text, and is there when the report is finished. */
export function openReportFile(path: string): ReportOutput {
  let file: Promise<TextFile> | undefined;
  let isOver = false;
  return {
    write: (text) =>
      explainErrors(path, async () => {
        if (isOver) return;
        file ??= TextFile.create(path);
        await (await file).write(text);
      }),
    finish: () => explainErrors(path, async () => (await file)?.finish()),
    discard: async () => {
      isOver = true;
      await (await file?.catch(() => undefined))?.discard();
    },
  };
}

async function explainErrors(path: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    throw new Error(`cannot write ${path}: ${explainWriteFailure(error).reason}`);
  }
}

/** The results of several evals as one JSON document, which is written while they end. */
export class ResultsList {
  readonly #output: ReportOutput;
  #isBegun = false;
  #hasResults = false;

  constructor(output: ReportOutput) {
    this.#output = output;
  }

  /** Where the results of an eval are written to, while it is added. */
  get resultsOutput(): ReportOutput {
    return {
      ...this.#output,
      write: async (text) => {
        this.#hasResults = true;
        await this.#output.write(text);
      },
    };
  }

  async add(
    { name, file, status, reason }: EvalResult,
    writeResults: () => Promise<void> = async () => {},
  ): Promise<void> {
    const head = JSON.stringify({ name, file, status, ...(reason !== undefined && { reason }) });
    const start = this.#isBegun ? ',\n' : '{"evals": [\n';
    this.#isBegun = true;
    this.#hasResults = false;
    await this.#output.write(`${start}${head.slice(0, -1)},"results":`);
    await writeResults();
    await this.#output.write(this.#hasResults ? '}' : 'null}');
  }

  async finish(): Promise<void> {
    await this.#output.write('\n]}\n');
    await this.#output.finish();
  }
}
