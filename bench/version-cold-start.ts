import type { Benchmark } from './benchmark.js';
import { processTime, proctorProgram } from './process-time.js';

export const versionColdStart: Benchmark = {
  name: 'version-cold-start',
  measures: 'proctor --version',
  against: 'node -e 0',
  unit: 'ms',
  budget: { atMost: 1.3 },
  rounds: 40,
  async prepare() {
    return {
      measure: () => processTime([proctorProgram, '--version']),
      measureBaseline: () => processTime(['-e', '0']),
    };
  },
};
