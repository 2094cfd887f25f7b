import type { RawJson } from '../base/json-text.js';
import type { JournalEvent } from '../journal/event.js';
import type { AgentOutput, StepEnded } from '../journal/step-events.js';
import type { PhaseEnded } from '../journal/task-run-events.js';
import { jsonArray, jsonObject } from './json-object.js';

type Numbered<Event> = Event & Pick<JournalEvent, 'seq'>;

/** One phase of a task run. */
export class PhaseFold {
  readonly #steps: RawJson[] = [];
  #hasStarted = false;
  #ended: PhaseEnded | undefined;

  start(): void {
    this.#hasStarted = true;
  }

  end(event: PhaseEnded): void {
    this.#ended = event;
  }

  addStep(event: Numbered<StepEnded>): void {
    const { seq, step, kind, id, source, passed, outcome } = event;
    const { message, outputs, truncated, files, durationMs } = event;
    const { script, request, response, args, log, judgement, unmet } = event;
    const what = { seq, step, kind, id, at: source, passed, outcome };
    const how = { message, outputs, truncated, files, durationMs };
    const account = { script, request, response, args, log, judgement, unmet };
    this.#steps.push(jsonObject({ ...what, ...how, ...account }));
  }

  addAgentStep({ seq, kind, text, tool, id, args, isError }: Numbered<AgentOutput>): void {
    this.#steps.push(jsonObject({ seq, kind, text, tool, id, args, isError }));
  }

  /** Null if it did not come to it. */
  get json(): RawJson | null {
    if (!this.#hasStarted && !this.#ended) return null;
    const { outcome = null, durationMs = null, message, details } = this.#ended ?? {};
    const steps = jsonArray(this.#steps);
    return jsonObject({ outcome, durationMs, message, details, steps });
  }
}
