import { reachedText } from '../../../analysis/budget-text.js';
import { recheckedSentence } from '../../../analysis/summary/caveats.js';
import { plural } from '../../../base/text.js';
import { taskInWords } from '../../../events/task-run-key.js';
import type { ResultsFile } from '../../../results/results-file.js';
import { cleanLine, fitLine, type Part } from '../../check/live/terminal-line.js';
import { wrapLine } from '../../wrapped-text.js';
import type { Look } from './look.js';

/** What a file is of, and whether more is to come. */
export function fileLines(
  { path, header }: Pick<ResultsFile, 'path' | 'header'>,
  look: Look,
): string[] {
  const { style, signs, width } = look;
  const { agent, variants } = header;
  const by = agent ? [`agent ${agent.name}${agent.model ? ` (${agent.model})` : ''}`] : [];
  const [variant, ...others] = variants;
  const as = variant
    ? [others.length > 0 ? plural(variants.length, 'variant') : `variant ${variant.name}`]
    : [];
  const isRecording = header.kind === 'recording';
  const of = isRecording ? ['proxy recording'] : header.eval ? [`eval ${header.eval.name}`] : [];
  const when = header.startedAt === null ? [] : [header.startedAt.slice(0, 16).replace('T', ' ')];
  const about = [...of, ...by, ...as, ...when].join(', ');
  const parts: Part[] = [
    { text: cleanLine(path), format: 'bold' },
    ...(about === '' ? [] : [{ text: `  ${cleanLine(about)}`, format: 'dim' as const }]),
  ];
  const again = recheckedSentence({ path, rechecked: header.rechecked }).map(cleanLine);
  const notes = [...again, ...unfinishedLines(header)].flatMap((line) => wrapLine(line, width));
  return [fitLine(parts, width, signs.cut, style), ...notes.map((line) => style('yellow', line))];
}

function unfinishedLines(header: ResultsFile['header']): string[] {
  const { finished, interrupted, bailed, budget, open } = header;
  if (interrupted) return ['it was interrupted: some task runs are missing'];
  if (bailed) return ['--bail ended it early: some task runs are missing'];
  if (budget) return [`${reachedText(budget)}: some task runs are missing`];
  if (finished) return [];
  if (header.kind === 'recording') return ['the proxy is still recording, or was killed'];
  const names = open
    .slice(0, maxOpen)
    .map((each) => cleanLine(`${taskInWords(each)} (run ${each.run})`));
  const more = open.length > maxOpen ? `, and ${open.length - maxOpen} more` : '';
  const under =
    open.length > 0
      ? `; ${plural(open.length, 'task run')} under way: ${names.join(', ')}${more}`
      : '';
  return [`it is still going, or was killed${under}`];
}

const maxOpen = 5;
