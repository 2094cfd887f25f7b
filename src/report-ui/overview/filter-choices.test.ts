import { describe, expect, it } from 'vitest';
import { reportIndex } from '../../../testing/report-samples.js';
import { findFilterChoices } from './filter-choices.js';
import { makeSearchable } from './searchable.js';

const listTexts = (groups: ReturnType<typeof findFilterChoices>['label']) =>
  groups.map(({ name, choices }) => [name, ...choices.map(({ text }) => text)]);

describe('findFilterChoices', () => {
  it('filters offer the values of the task runs in order', () => {
    const choices = findFilterChoices(
      makeSearchable(
        reportIndex(
          [
            { task: 'b', tools: ['kube/list', 'files/read'] },
            { task: 'a', source: 1 },
          ],
          {
            a: { difficulty: 'hard', labels: { area: 'pods', team: 'x' } },
            b: { difficulty: 'easy', labels: { area: 'nodes' } },
          },
        ),
      ),
    );
    expect(listTexts(choices.source)).toEqual([['', 'source 0', 'source 1']]);
    expect(listTexts(choices.difficulty)).toEqual([['', 'easy', 'hard']]);
    expect(listTexts(choices.server)).toEqual([['', 'files', 'kube']]);
    expect(listTexts(choices.tool)).toEqual([['Tools', 'kube/list', 'files/read']]);
    expect(choices.label).toEqual([
      {
        name: 'area',
        choices: [
          { value: 'area=nodes', text: 'nodes' },
          { value: 'area=pods', text: 'pods' },
        ],
      },
      { name: 'team', choices: [{ value: 'team=x', text: 'x' }] },
    ]);
  });

  it('a filter offers nothing where there is only one choice', () => {
    const choices = findFilterChoices(makeSearchable(reportIndex([{ tools: ['kube/list'] }])));
    expect(choices).toMatchObject({
      source: [],
      variant: [],
      difficulty: [],
      label: [],
      server: [],
    });
    expect(listTexts(choices.tool)).toEqual([['Tools', 'list']]);
  });
});
