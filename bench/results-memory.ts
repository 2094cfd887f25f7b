import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Benchmark } from './benchmark.js';
import { writeLargeResults } from './large-results.js';
import { processTime, proctorProgram } from './process-time.js';

const limit = 300;
const peakMemory = path.join(import.meta.dirname, 'peak-memory.mjs');

export const resultsMemory: Benchmark = {
  name: 'results-memory',
  measures: 'most memory of summary, diff, convert and merge, on 1 GB of results',
  against: 'limit',
  unit: 'MB',
  budget: { atMost: 1 },
  rounds: 1,
  async prepare(folder) {
    const results = path.join(folder, 'results.json');
    await writeLargeResults(results, { taskRuns: 1000, calls: 1000, resultBytes: 700 });
    const file = path.join(folder, 'peak');
    const peakOf = (commandLine: string[]) => {
      const env = { BENCH_PEAK_MEMORY: file, XDG_CACHE_HOME: path.join(folder, 'cache') };
      processTime(['--import', peakMemory, proctorProgram, ...commandLine], env);
      return Number(readFileSync(file, 'utf8'));
    };
    const out = (name: string) => path.join(folder, name);
    return {
      measureBaseline: () => limit,
      measure: () =>
        Math.max(
          peakOf(['summary', results]),
          peakOf(['diff', '--base', results, '--current', results]),
          peakOf(['result', 'convert', 'junit', results, '--output-file', out('junit.xml')]),
          peakOf(['result', 'convert', 'mcpchecker', results, '--output-file', out('old.json')]),
          peakOf(['result', 'merge', results, '--out', out('merged.json')]),
        ),
    };
  },
};
