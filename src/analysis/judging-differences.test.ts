import { expect, it } from 'vitest';
import { generatedTaskRun } from '../../testing/report-samples.js';
import type { ResultsFile } from '../results/results-file.js';
import { JudgingsFold } from './judging-differences.js';

const taskRun = generatedTaskRun({ task: 0, run: 1, runs: 1, calls: 1, passing: 100 });
const [one, other] = ['1.json', '2.json'].map((path) => ({ path }) as ResultsFile);

it.each([
  ['another verify', 'v2', true],
  ['one of its prompts', 'v1', false],
])('finds that a file has %s than one that is mixed in itself', (_, digest, betweenFiles) => {
  if (!one || !other) throw new Error('two files');
  const fold = new JudgingsFold();
  const verify = (made: string) => [{ type: 'script', digest: made }];
  fold.add(one, { ...taskRun, judging: { prompt: 'p1', verify: verify('v1') } });
  fold.add(one, { ...taskRun, judging: { prompt: 'p2', verify: verify('v1') } });
  fold.add(other, { ...taskRun, judging: { prompt: 'p1', verify: verify(digest) } });
  expect(fold.unlike).toMatchObject([{ betweenFiles }]);
});
