import * as z from 'zod/mini';
import { count, positiveCount, text, textMap } from '../config/schemas/fields.js';
import type { JournalEvent } from '../events/event.js';
import { budgetSchema } from './budget-schema.js';
import { callCountsSchema } from './usage-schema.js';

const phases = ['setup', 'agent', 'verify', 'cleanup'] as const;
const outcomes = ['passed', 'failed', 'timeout', 'error', 'cancelled'] as const;

const ofTaskRun = { taskRun: text(), task: text(), run: positiveCount() };
const ofPhase = z.object({ taskRun: text(), phase: z.enum(phases) });

/**
 * What has to be so for events to be put together. The rest is known when that is done: results and
 * their task runs have schemas of their own.
 */
const shapes: ReadonlyMap<string, z.ZodMiniType> = new Map<string, z.ZodMiniType>([
  ['run-started', z.object({ mcpServers: z.array(z.object({ name: text() })) })],
  ['run-resumed', z.object({ missing: count() })],
  ['server-checked', z.object({ server: text() })],
  ['task-run-started', z.object({ ...ofTaskRun, labels: textMap() })],
  ['phase-started', ofPhase],
  ['phase-ended', ofPhase],
  ['step-ended', ofPhase],
  ['runs-decided', z.object({ task: text(), runs: positiveCount(), more: count() })],
  ['run-ended', z.object({ budget: z.optional(budgetSchema()) })],
  [
    'task-run-ended',
    z.object({
      ...ofTaskRun,
      outcome: z.enum(outcomes),
      calls: callCountsSchema(),
      judge: z.optional(z.object({})),
    }),
  ],
]);

/** What is wrong with an event of a journal, which is as foreign as any file. */
export function eventFault(event: JournalEvent): string | undefined {
  const shape = shapes.get(event.type);
  const { error } = shape ? z.safeParse(shape, event) : {};
  if (!error) return undefined;
  const member = error.issues[0]?.path.map(String).join('.') ?? '';
  return `${member} of ${event.type} is missing, or not what it should be`;
}
