import { expect, it } from 'vitest';
import { groupByTool } from './findings.js';

it('findings are grouped by tool and server, in the order of the first of each', () => {
  const about = (server: string, tool: string, text: string) => ({ server, tool, text });
  const groups = groupByTool([
    about('pets', 'feed', 'slow'),
    about('food', 'feed', 'fails'),
    about('pets', 'feed', 'costly'),
  ]);
  expect(groups.map((group) => group.map(({ text }) => text))).toEqual([
    ['slow', 'costly'],
    ['fails'],
  ]);
});
