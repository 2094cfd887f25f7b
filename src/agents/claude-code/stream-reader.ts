import type { AgentStep } from '../../events/agent-step.js';
import { OutputLines } from '../command/output-lines.js';
import { readStreamLine } from './stream-line.js';
import { stepsOf } from './stream-steps.js';
import { StreamSummary } from './stream-summary.js';

/** A tool may answer with much, and the answer is one line. */
const maxLineLength = 64 * 1024 * 1024;

/** Reads stream-json as it comes, and reports the steps in it. */
export class StreamReader {
  readonly summary = new StreamSummary();
  readonly #report: (step: AgentStep) => void;
  readonly #lines = new OutputLines(maxLineLength, (line, isCut) => this.#takeLine(line, isCut));

  constructor(report: (step: AgentStep) => void) {
    this.#report = report;
  }

  push(chunk: Buffer): void {
    this.#lines.push(chunk);
  }

  end(): void {
    this.#lines.end();
  }

  #takeLine(text: string, isCut: boolean): void {
    const line = isCut ? undefined : readStreamLine(text);
    if (isCut) this.#report({ kind: 'log', text: 'A line of the output was too long to be read.' });
    if (!line) return;
    this.summary.take(line);
    for (const step of stepsOf(line, text)) this.#report(step);
  }
}
