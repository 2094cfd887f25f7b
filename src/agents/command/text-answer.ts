import type { AgentStep } from '../../events/agent-step.js';
import type { AgentResult } from '../agent.js';
import { OutputTail } from './output-tail.js';
import { failureOf } from './process-failure.js';
import type { CommandEnd } from './run-command.js';

const maxBytes = 1024 * 1024;

/** An answer that is simply what a command writes. */
export class TextAnswer {
  readonly #tail = new OutputTail(maxBytes);

  push(chunk: Buffer): void {
    this.#tail.push(chunk);
  }

  result(name: string, { end, log }: CommandEnd, report: (step: AgentStep) => void): AgentResult {
    const output = this.#tail.text();
    if (this.#tail.isCut) {
      const text = `The answer was longer than ${maxBytes} bytes: its beginning is left out.`;
      report({ kind: 'log', text });
    }
    if (end === undefined) return { end: 'stopped', output };
    const failure = failureOf(name, end, log);
    return failure ? { end: 'failed', failure, output } : { end: 'finished', output };
  }
}
