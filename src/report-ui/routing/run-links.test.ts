import { describe, expect, it } from 'vitest';
import { reportIndex } from '../../../test/support/report-index.js';
import { parseHash } from './hash.js';
import { placeOfNamedRun, placeOfRun, runLink } from './run-links.js';

describe('runLink', () => {
  it('leads back to the task run', () => {
    const index = reportIndex([
      { task: 'create pod', run: 1 },
      { task: 'create pod', run: 2 },
      { task: '__proto__', run: 1, set: 1 },
      { task: 'a/b', run: 1 },
      { task: 'torn \ud800', run: 1 },
    ]);
    for (const place of index.taskRuns.task.keys()) {
      const { page, parts } = parseHash(runLink(index, place));
      expect(page).toBe('run');
      expect(placeOfRun(index, parts)).toBe(place);
    }
  });

  it('tells task runs of the same name apart, as pooled files have them', () => {
    const index = reportIndex([{ run: 1 }, { run: 1 }, { run: 1 }]);
    const links = [0, 1, 2].map((place) => runLink(index, place));
    expect(links).toEqual(['#/run/0/a%20task/1', '#/run/0/a%20task/1/2', '#/run/0/a%20task/1/3']);
    expect(links.map((link) => placeOfRun(index, parseHash(link).parts))).toEqual([0, 1, 2]);
  });
});

describe('placeOfNamedRun', () => {
  it('finds a task run by the names that analyses use, and says so if there is none', () => {
    const index = reportIndex([{ run: 1 }, { run: 2 }]);
    expect(placeOfNamedRun(index, 0, 'a task', 2)).toBe(1);
    expect(placeOfNamedRun(index, 0, 'a task', 3)).toBeUndefined();
    expect(placeOfNamedRun(index, 1, 'a task', 1)).toBeUndefined();
  });
});
