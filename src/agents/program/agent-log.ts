import { truncate } from '../../base/text.js';
import type { AgentStep } from '../../journal/step-events.js';
import { OutputLines } from './output-lines.js';
import { OutputTail } from './output-tail.js';

const maxLineLength = 10_000;
/** In characters: what is reported goes into the journal. */
const maxReported = 1024 * 1024;
/** A line of the log is a line of the journal, however short it is. */
const leastCost = 100;
const tailBytes = 16 * 1024;

/** What an agent writes to stderr: reported line by line, and its end kept. */
export class AgentLog {
  readonly #report: (step: AgentStep) => void;
  readonly #tail = new OutputTail(tailBytes);
  // One character more than is reported tells that there were more.
  readonly #lines = new OutputLines(maxLineLength + 1, (line) => this.#takeLine(line));
  #reported = 0;

  constructor(report: (step: AgentStep) => void) {
    this.#report = report;
  }

  push(chunk: Buffer): void {
    this.#tail.push(chunk);
    if (this.#reported <= maxReported) this.#lines.push(chunk);
  }

  /** The end of the log. */
  end(): string {
    this.#lines.end();
    const text = this.#tail.text().trimEnd();
    return this.#tail.isCut ? `… ${text}` : text;
  }

  #takeLine(line: string): void {
    if (line.trim() === '' || this.#reported > maxReported) return;
    this.#reported += Math.max(line.length, leastCost);
    this.#report({ kind: 'log', text: truncate(line, maxLineLength) });
    if (this.#reported > maxReported) {
      this.#report({ kind: 'log', text: 'The log goes on; the rest is left out here.' });
    }
  }
}
