import { describe, expect, it } from 'vitest';
import type { ChaosTask } from './chaos-suite.js';
import { flawsOfSigns } from './sign-flaws.js';

const tasks: ChaosTask[] = [
  { name: 's1', isParallel: false, outcome: 'passed', ticks: 1 },
  { name: 's2', isParallel: false, outcome: 'passed', ticks: 1 },
  { name: 'p1', isParallel: true, outcome: 'passed', ticks: 1 },
  { name: 'p2', isParallel: true, outcome: 'passed', ticks: 1 },
];
const taskRuns = tasks.map((task) => ({ name: `${task.name}#1`, task }));

/** Lines such as `1 setup s1`: process, step and task. Each attempt of a task is called as it is, or with a dash. */
function flawsOf(...lines: string[]): string[] {
  const signs = lines.map((line) => {
    const [pid = '', step = '', id = ''] = line.split(' ');
    return { pid, step, id, task: id.replace(/-.*/, '') };
  });
  const taskRunOf = new Map(signs.map(({ id, task }) => [id, `${task}#1`]));
  return flawsOfSigns({ signs, tasks, taskRuns }, taskRunOf);
}

const fine = ['1 setup s1', '2 agent s1', '2 agent s1', '3 cleanup s1'];

describe('the signs that processes of task runs leave', () => {
  it('are fine when sequential ones follow each other and parallel ones do not', () => {
    const others = ['7 setup p1', '8 setup p2', '7 setup p1', '9 cleanup p1', '8 cleanup p2'];
    expect(flawsOf(...fine, '4 setup s2', '5 cleanup s2', ...others)).toEqual([]);
  });

  it('show a process of one that is alive when the next one begins', () => {
    expect(flawsOf(...fine, '4 setup s2', '2 agent s1', '5 cleanup s2')).toEqual([
      'agent of s1#1 (process 2) was alive when cleanup of s1#1 (process 3) began',
      'agent of s1#1 (process 2) was alive when setup of s2#1 (process 4) began',
    ]);
  });

  it('show a process of a lost attempt at a parallel one beside the next attempt', () => {
    const lines = ['1 agent p1', '2 cleanup p1', '3 setup p1-2', '1 agent p1', '4 cleanup p1-2'];
    expect(flawsOf(...lines)).toHaveLength(2);
  });

  it('show what began after its turn', () => {
    expect(flawsOf('4 setup s2', '5 cleanup s2', ...fine)).toContain(
      'setup of s1#1 (process 1) began after its turn',
    );
  });

  it('show a parallel one that began before the sequence was done', () => {
    expect(flawsOf('7 setup p1', '7 cleanup p1', ...fine)).toContain(
      'setup of p1#1 (process 7) began before the sequence was done',
    );
  });

  it('show what was not cleaned up', () => {
    expect(flawsOf(...fine, '4 setup s2')).toEqual(['s2 with the id s2 was not cleaned up']);
  });
});
