import { expect, test } from 'vitest';
import { generatedTaskRun } from '../../../testing/report-samples.js';
import { ReportColumns } from './report-columns.js';

const taskRun = generatedTaskRun({ task: 1, run: 2, runs: 3, calls: 6, passing: 0 });
const [call] = taskRun.calls;

test('a task run becomes a row', () => {
  const columns = new ReportColumns();
  columns.add({ set: 0, counts: true }, taskRun, { chunk: 3, place: 4 });
  expect(columns.tasks).toEqual([
    { name: 'task 1', path: 'tasks/task-1.yaml', difficulty: 'medium', labels: { area: 'food' } },
  ]);
  expect(columns.servers).toEqual(['pets']);
  expect(columns.tools.map(({ name }) => name)).toEqual([
    'list_pets',
    'feed_pet',
    'find_pet',
    'rename_pet',
  ]);
  expect(columns.taskRuns).toMatchObject({
    set: [0],
    task: [0],
    run: [2],
    outcome: ['error'],
    category: ['agent-failed'],
    calls: [6],
    tools: [[0, 1, 2, 3]],
    chunk: [3],
    place: [4],
  });
});

test('tasks of the same name in several results are one', () => {
  const columns = new ReportColumns();
  columns.add({ set: 0, counts: true }, taskRun, { chunk: 0, place: 0 });
  columns.add(
    { set: 1, counts: true },
    { ...taskRun, path: 'elsewhere.yaml' },
    { chunk: 0, place: 1 },
  );
  expect(columns.tasks).toHaveLength(1);
  expect(columns.taskRuns.task).toEqual([0, 0]);
});

test('names such as __proto__ are names', () => {
  const columns = new ReportColumns();
  const calls = call ? [{ ...call, server: 'constructor', name: '__proto__' }] : [];
  columns.add(
    { set: 0, counts: true },
    { ...taskRun, task: '__proto__', calls },
    { chunk: 0, place: 0 },
  );
  expect(columns.tasks.map(({ name }) => name)).toEqual(['__proto__']);
  expect(columns.tools).toEqual([{ server: 0, kind: 'tool', name: '__proto__' }]);
});

test('resources without end are not all listed', () => {
  const columns = new ReportColumns();
  const calls = call
    ? Array.from({ length: 5000 }, (_, number) => ({
        ...call,
        kind: 'resource' as const,
        name: `file:///${number}`,
      }))
    : [];
  columns.add({ set: 0, counts: true }, { ...taskRun, calls }, { chunk: 0, place: 0 });
  expect(columns.tools).toHaveLength(2000);
});
