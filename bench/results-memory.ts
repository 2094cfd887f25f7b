import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Benchmark } from './benchmark.js';
import { writeLargeJournal } from './large-journal.js';
import { writeLargeResults } from './large-results.js';
import { processTime, proctorProgram } from './process-time.js';
import { type ResourceUse, resourceUseProgram, resourceUseVariable } from './resource-use.js';

const limit = 300;

export const resultsMemory: Benchmark = {
  name: 'results-memory',
  measures: 'most memory of summary, diff and convert, on 1 GB of results of several shapes',
  against: 'limit',
  unit: 'MB',
  budget: { atMost: 1 },
  rounds: 1,
  async prepare(folder) {
    const out = (name: string) => path.join(folder, name);
    const shapes = await writtenShapes(out);
    const file = path.join(folder, 'use.json');
    const peakOf = (commandLine: string[]) => {
      const env = { [resourceUseVariable]: file, XDG_CACHE_HOME: path.join(folder, 'cache') };
      processTime(['--import', resourceUseProgram, proctorProgram, ...commandLine], env);
      return (JSON.parse(readFileSync(file, 'utf8')) as ResourceUse).peakMegabytes;
    };
    const mostFor = (results: string) => [
      peakOf(['summary', results]),
      peakOf(['diff', '--base', results, '--current', results]),
      peakOf(['result', 'convert', 'junit', results, '--output-file', out('junit.xml')]),
    ];
    return { measureBaseline: () => limit, measure: () => Math.max(...shapes.flatMap(mostFor)) };
  },
};

/** What takes memory differs: few task runs with much in each, many with little, other formats. */
async function writtenShapes(out: (name: string) => string): Promise<string[]> {
  const large = out('large.json');
  await writeLargeResults(large, { taskRuns: 1000, calls: 1000, resultBytes: 700 });
  const small = out('small.json');
  const answerBytes = 3000;
  await writeLargeResults(small, { taskRuns: 240_000, calls: 0, resultBytes: 0, answerBytes });
  const mcpcheckers = out('mcpchecker.json');
  processTime([
    proctorProgram,
    'result',
    'convert',
    'mcpchecker',
    large,
    '--output-file',
    mcpcheckers,
  ]);
  const journal = out('journal.jsonl');
  await writeLargeJournal(journal, { taskRuns: 38_000, calls: 8, resultBytes: 2500 });
  return [large, small, mcpcheckers, journal];
}
