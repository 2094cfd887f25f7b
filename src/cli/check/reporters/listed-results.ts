import type { EvalEnd } from '../eval-end.js';
import type { ReportOutput } from './report-output.js';

/** The results of several evals as one JSON document, which is written while they end. */
export class ListedResults {
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
    { name, file, status, reason }: EvalEnd,
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
