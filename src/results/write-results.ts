import { dirname, relative, sep } from 'node:path';
import { surveyJournal } from './journal-survey.js';
import { journalTaskRuns } from './journal-task-runs.js';
import { resultsHead } from './results-head.js';
import type { ResultTotals } from './results-schema.js';
import type { StopSignal } from './stop-signal.js';
import { totalsOf } from './totals.js';
import { writeWholeFile } from './whole-file.js';

/**
 * Makes the results file of a journal, finished or not: every task run that has a verdict is in it.
 * The file is there at once and whole, or not at all. Throws NotAnEvaluation, what readJournal
 * throws, and what the operating system says about the file.
 */
export async function writeResults(
  journalPath: string,
  outPath: string,
  stop?: StopSignal,
): Promise<ResultTotals> {
  const survey = await surveyJournal(journalPath);
  const totals = totalsOf([...survey.counted.values()], survey.planned);
  const journal = relative(dirname(outPath), journalPath).split(sep).join('/');
  await writeWholeFile(outPath, async (output) => {
    await output.add(resultsHead(survey, journal, totals));
    let separator = '\n';
    for await (const { pieces } of journalTaskRuns(journalPath, survey)) {
      stop?.throwIfAborted();
      await output.add(separator);
      for await (const piece of pieces) await output.add(piece);
      separator = ',\n';
    }
    await output.add('\n]}\n');
  });
  return totals;
}
