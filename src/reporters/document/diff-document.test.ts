import { describe, expect, it } from 'vitest';
import { resultsSample } from '../../../testing/report-samples.js';
import { diffResults } from '../../analysis/diff/diff-results.js';
import { describeDiff } from './diff-document.js';
import { renderMarkdown } from './markdown.js';

type Sample = Parameters<typeof resultsSample>;

async function markdownOf(base: Sample[0], current: Sample[0], header: Sample[1] = {}) {
  const diff = await diffResults(
    resultsSample(base, { id: 'base' }),
    resultsSample(current, { id: 'current', ...header }),
    { allowDifferent: true },
  );
  return renderMarkdown(describeDiff(diff, { failOn: 'never', stopped: false }));
}

describe('the document of a diff, as Markdown', () => {
  it('has the answer first, then what changed', async () => {
    const markdown = await markdownOf(
      { feed: 'PPPPP', walk: 'PPPPP', gone: 'P' },
      { feed: 'FFFFFE', walk: 'PPPPP', fresh: 'F' },
    );
    const [heading, , base, current] = markdown.split('\n');
    expect(heading).toBe('## Compared with the base: ❌ worse in 1 task');
    expect(base).toBe('- base: 100% (34.2% to 100%), 10 of 10 judged task runs passed');
    expect(current).toBe(
      '- current: 50.0% (9.5% to 90.5%), 5 of 10 judged task runs passed; left out: 1 error',
    );
    expect(markdown).toContain(
      '| `feed` | 5 of 5, 100% | 56.6% to 100% | 0 of 5, 0% +1 error | 0% to 43.4% | -100.0 | 0.008 | ❌ regression |',
    );
    expect(markdown).toContain(
      '<summary>1 new task</summary>\n\n- `fresh`  0% (0% to 79.3%), 0 of 1 judged task run passed',
    );
    expect(markdown).toContain('<summary>1 removed task</summary>');
  });

  it('lets no name, tool or caveat be markup', async () => {
    const evil = '</details> | `x` <script>alert(1)</script> [a](javascript:1)\n# b';
    const markdown = await markdownOf(
      { [evil]: 'PPPPP' },
      { [evil]: 'FFFFF' },
      { eval: { name: evil, file: 'eval.yaml' } },
    );
    const outside = markdown.replace(/(`+)(?!`).*?(?<!`)\1(?!`)/g, '');
    expect(outside).not.toContain('script');
    expect(outside).not.toContain('# b');
    expect(outside.match(/<\/details>/g)).toEqual(
      outside.match(/<details>/g)?.map(() => '</details>'),
    );
  });

  it('fits into a comment, however many tasks changed', async () => {
    const tasks = (runs: string) =>
      Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`task ${at}`, runs]));
    const markdown = await markdownOf(tasks('PPPPPPPPPPPP'), tasks('FFFFFFFFFFFF'));
    expect(markdown).toContain('and 440 more tasks');
    expect(markdown.length).toBeLessThan(65_536);
  });
});
