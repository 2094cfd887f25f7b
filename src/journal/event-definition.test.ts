import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { eventDefinitions } from './event.js';
import { deriveReading } from './event-definition.js';
import { canBelongToTaskRun } from './event-schemas.js';

const readings = eventDefinitions.map(
  (definition) => [definition.type, deriveReading(definition)] as const,
);

it.each(eventDefinitions.map(({ type, shape }) => [type, shape()] as const))(
  'every member of %s has a description for the reference',
  (_, shape) => {
    const described = Object.values<z.ZodMiniType>(shape).map(
      (schema) => z.globalRegistry.get(schema)?.description,
    );
    expect(described).not.toContain(undefined);
  },
);

it('members that servers and agents wrote are kept as raw JSON', () => {
  const raw = readings.filter(([, reading]) => reading.raw.size > 0);
  expect(Object.fromEntries(raw.map(([type, reading]) => [type, [...reading.raw]]))).toEqual({
    'server-checked': ['tools', 'resources', 'resourceTemplates', 'prompts'],
    'step-ended': ['args'],
    'agent-output': ['args'],
    'mcp-message': ['message'],
    'mcp-call': ['args', 'result', 'error'],
  });
});

it('events that no fold relies on, such as messages, are not checked when a journal is read', () => {
  const unchecked = readings.filter(([, { schema }]) => schema === undefined);
  expect(unchecked.map(([type]) => type)).toEqual([
    'step-started',
    'mcp-message',
    'wait-started',
    'wait-ended',
  ]);
});

it('events of a whole run cannot belong to a task run', () => {
  const types = [...eventDefinitions.map(({ type }) => type), 'unknown'];
  expect(types.filter((type) => !canBelongToTaskRun(type))).toEqual([
    'run-started',
    'run-resumed',
    'runs-decided',
    'run-ended',
    'unknown',
  ]);
});
