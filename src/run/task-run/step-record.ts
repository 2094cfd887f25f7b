import type { AgentStep } from '../../journal/step-events.js';
import type { EventStream } from '../event-stream.js';
import { redactedBeginning } from './redacted-beginning.js';

/** In characters. The record of the calls has arguments and results as a whole. */
const maxText = 256 * 1024;
const maxToolResult = 4 * 1024;
/** Of one task run: an agent that says more than this says it to nobody. */
const maxSteps = 20_000;
const maxTotal = 32 * 1024 * 1024;

/** Writes down what an agent reports, cut to a sensible length. */
export class StepRecord {
  readonly #events: EventStream;
  readonly #taskRun: string;
  #steps = 0;
  #total = 0;
  #isFull = false;

  constructor(events: EventStream, taskRun: string) {
    this.#events = events;
    this.#taskRun = taskRun;
  }

  add(step: AgentStep): void {
    if (this.#isFull) return;
    const kept = this.#shortened(step);
    this.#steps += 1;
    this.#total += lengthOf(kept);
    this.#isFull = this.#steps >= maxSteps || this.#total > maxTotal;
    this.#write(kept);
    if (this.#isFull) {
      this.#write({ kind: 'log', text: 'The agent reports more than this; it is left out.' });
    }
  }

  #shortened(step: AgentStep): AgentStep {
    if (step.kind !== 'tool-call') {
      const length = step.kind === 'tool-result' ? maxToolResult : maxText;
      return { ...step, text: redactedBeginning(this.#events, step.text, length) };
    }
    if ((step.args?.text.length ?? 0) <= maxText) return step;
    const { args: _, ...rest } = step;
    return rest;
  }

  #write(step: AgentStep): void {
    this.#events.write({ type: 'agent-output', taskRun: this.#taskRun, ...step });
  }
}

function lengthOf(step: AgentStep): number {
  return step.kind === 'tool-call' ? (step.args?.text.length ?? 0) : step.text.length;
}
