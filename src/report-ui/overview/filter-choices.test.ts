import { describe, expect, it } from 'vitest';
import { reportIndex } from '../../testing/report-samples.js';
import { choicesOf } from './filter-choices.js';
import { searchable } from './searchable.js';

const textsOf = (groups: ReturnType<typeof choicesOf>['labels']) =>
  groups.map(({ name, choices }) => [name, ...choices.map(({ text }) => text)]);

describe('choicesOf', () => {
  it('offers what the task runs have, in order', () => {
    const choices = choicesOf(
      searchable(
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
    expect(textsOf(choices.sources)).toEqual([['', 'source 0', 'source 1']]);
    expect(textsOf(choices.difficulties)).toEqual([['', 'easy', 'hard']]);
    expect(textsOf(choices.servers)).toEqual([['', 'files', 'kube']]);
    expect(textsOf(choices.tools)).toEqual([['Tools', 'kube/list', 'files/read']]);
    expect(choices.labels).toEqual([
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

  it('offers nothing where there is nothing to choose', () => {
    const choices = choicesOf(searchable(reportIndex([{ tools: ['kube/list'] }])));
    expect(choices).toMatchObject({
      sources: [],
      variants: [],
      difficulties: [],
      labels: [],
      servers: [],
    });
    expect(textsOf(choices.tools)).toEqual([['Tools', 'list']]);
  });
});
