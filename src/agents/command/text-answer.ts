import type { AgentStep } from '../../journal/step-events.js';
import type { AgentResult } from '../agent.js';
import { OutputTail } from '../program/output-tail.js';
import { failureOf } from '../program/process-failure.js';
import type { CommandEnd } from './run-command.js';

const maxBytes = 1024 * 1024;

/** An answer that is simply what a command writes. */
export class TextAnswer {
  readonly #tail = new OutputTail(maxBytes);

  push(chunk: Buffer): void {
    this.#tail.push(chunk);
  }

  result(name: string, { end, log }: CommandEnd, report: (step: AgentStep) => void): AgentResult {
    const text = this.#tail.text();
    const output = this.#tail.isCut ? `… ${text}` : text;
    if (this.#tail.isCut) {
      const note = `The answer was longer than ${maxBytes} bytes: its beginning is left out.`;
      report({ kind: 'log', text: note });
    }
    if (end === undefined) return { end: 'stopped', output };
    const failure = failureOf(name, end, log);
    return failure ? { end: 'failed', failure, output } : { end: 'finished', output };
  }
}
