import { summarize } from '../../analysis/summary/summarize.js';
import { isControl, type PooledResults } from '../../results/pooled-results.js';
import { nameOf } from '../report-source.js';
import { codeSpan } from './code-span.js';
import { summaryMarkdown } from './summary-markdown.js';

const withoutAgent =
  '\n> No agent took part (`--control`): a task that fails is one that notices, and is good.\n';

/** The summary of results as Markdown, with what did not pass. */
export async function markdownReport(source: PooledResults): Promise<string> {
  const names = new Set(source.files.map(nameOf));
  const title = [...names].slice(0, 3).map((name) => codeSpan(name));
  if (names.size > title.length) title.push(`${names.size - title.length} more`);
  const markdown = summaryMarkdown(await summarize(source), title.join(', '));
  const hasControl = source.files.some(({ header }) => isControl(header));
  return hasControl ? `${markdown}${withoutAgent}` : markdown;
}
