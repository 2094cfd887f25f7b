import type { EventSink } from '../journal/event.js';
import { formatModel, type ModelGate } from '../limits/rate-limiter.js';

/** The same turns. That a provider slows us down is told, once for each model. */
export function tellingOfPauses(turns: ModelGate, events: Pick<EventSink, 'write'>): ModelGate {
  const told = new Set<string>();
  return {
    acquire: (of, tokens, signal) => turns.acquire(of, tokens, signal),
    async pause(of, milliseconds) {
      const model = formatModel(of);
      if (!told.has(model)) {
        told.add(model);
        const seconds = Math.ceil(milliseconds / 1_000);
        const message = `${model} is asked too much: nobody asks it for ${seconds} s`;
        events.write({ type: 'warning', code: 'rate-limited', message });
      }
      await turns.pause(of, milliseconds);
    },
  };
}
