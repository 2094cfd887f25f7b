import { expect, it } from 'vitest';
import { RawJson } from '../../base/json-text.js';
import type { EventBody } from '../../journal/event.js';
import type { AgentOutput } from '../../journal/step-events.js';
import type { EventStream } from '../journal/event-stream.js';
import { StepRecord } from './agent-phase.js';

const secret = 'swordfish-'.repeat(10);

function recordOf(act: (record: StepRecord) => void): AgentOutput[] {
  const written: EventBody[] = [];
  const events = {
    write: (event: EventBody) => written.push(event),
    redact: (text: string) => text.replaceAll(secret, '[redacted:KEY]'),
  };
  act(new StepRecord(events as unknown as EventStream, 'a#1'));
  return written.filter((event) => event.type === 'agent-output');
}

it('a truncated agent step has no half of a secret at its end', () => {
  // Much shorter once it is redacted, so that the cut comes late.
  const text = `${secret} `.repeat(10_000);
  const [step] = recordOf((record) => record.add({ kind: 'message', text }));
  expect(step?.text?.length).toBeGreaterThan(1000);
  expect(step?.text).not.toContain('swordfish');
});

it('agent steps keep the beginning of a tool result, and no arguments that are too long', () => {
  const [result, call] = recordOf((record) => {
    record.add({ kind: 'tool-result', isError: false, text: 'x '.repeat(10_000) });
    const args = new RawJson(JSON.stringify('x'.repeat(300_000)));
    record.add({ kind: 'tool-call', tool: 'big', args });
  });
  expect(result?.text?.length).toBeLessThan(5000);
  expect(call).toEqual({ type: 'agent-output', taskRun: 'a#1', kind: 'tool-call', tool: 'big' });
});

it('the record of agent steps ends at its limit, and says so', () => {
  const many = recordOf((record) => {
    for (let step = 0; step < 30_000; step++) record.add({ kind: 'log', text: 'x' });
  });
  expect(many).toHaveLength(20_001);
  expect(many.at(-1)?.text).toContain('left out');
  const long = recordOf((record) => {
    for (let step = 0; step < 300; step++) {
      record.add({ kind: 'message', text: 'x'.repeat(200_000) });
    }
  });
  expect(long.length).toBeLessThan(200);
  expect(long.at(-1)?.text).toContain('left out');
});
