import type { TaskRunRecord } from '../../results/task-run-record.js';
import { taskRunName } from '../plain-verdict.js';
import { attribute } from './junit-case.js';

export const maxValue = 500;

/** A case has no place for them in the schema of Jenkins: they are the suite's, under its name. */
export function propertiesOf(taskRun: TaskRunRecord): string[] {
  const { difficulty, labels, attempt, worker, usage, cost, calls } = taskRun;
  const retries = calls.reduce((sum, call) => sum + (call.retries ?? 0), 0);
  const of = (what: string, value: string | number | null | undefined) =>
    property(`${taskRunName(taskRun)}: ${what}`, value);
  return [
    ...of('difficulty', difficulty),
    ...Object.entries(labels).flatMap(([key, value]) => of(`label ${key}`, value)),
    ...of('attempt', attempt),
    ...of('worker', worker),
    ...of('retries of calls', retries || null),
    ...of('calls', calls.length),
    ...of('input tokens', usage?.inputTokens),
    ...of('output tokens', usage?.outputTokens),
    ...of('cost', cost),
  ];
}

/** None where there is no value. */
export function property(name: string, value: string | number | null | undefined): string[] {
  if (value === null || value === undefined || value === '') return [];
  const attributes = [
    attribute('name', name, maxValue),
    attribute('value', String(value), maxValue),
  ];
  return [`   <property ${attributes.join(' ')}/>\n`];
}
