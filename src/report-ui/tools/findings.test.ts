import { expect, it } from 'vitest';
import { byTool } from './findings.js';

it('puts together what is about one tool of one server, in the order of the first of each', () => {
  const about = (server: string, tool: string, text: string) => ({ server, tool, text });
  const groups = byTool([
    about('pets', 'feed', 'slow'),
    about('food', 'feed', 'fails'),
    about('pets', 'feed', 'costly'),
  ]);
  expect(groups.map((group) => group.map(({ text }) => text))).toEqual([
    ['slow', 'costly'],
    ['fails'],
  ]);
});
