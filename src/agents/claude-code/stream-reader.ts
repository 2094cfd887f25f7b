import type { AgentStep } from '../../journal/step-events.js';
import { OutputLines } from '../program/output-lines.js';
import { readStreamLine } from './stream-line.js';
import { stepsOf } from './stream-steps.js';
import { StreamSummary } from './stream-summary.js';

/** A tool may answer with much, and the answer is one line. */
const maxLineLength = 64 * 1024 * 1024;

/** Reads stream-json as it comes, and reports the steps in it. */
export class StreamReader {
  readonly summary = new StreamSummary();
  readonly #report: (step: AgentStep) => void;
  readonly #noise: (line: string) => void;
  readonly #lines = new OutputLines(maxLineLength, (line, isCut) => this.#takeLine(line, isCut));

  /** `noise` takes the lines that are no stream-json. */
  constructor(report: (step: AgentStep) => void, noise: (line: string) => void = () => {}) {
    this.#report = report;
    this.#noise = noise;
  }

  push(chunk: Buffer): void {
    this.#lines.push(chunk);
  }

  end(): void {
    this.#lines.end();
  }

  #takeLine(text: string, isCut: boolean): void {
    if (isCut) {
      this.#report({ kind: 'log', text: 'A line of the output was too long to be read.' });
      return;
    }
    const line = readStreamLine(text);
    if (!line) {
      this.#noise(text);
      return;
    }
    this.summary.take(line);
    for (const step of stepsOf(line, text)) this.#report(step);
  }
}
