import path from 'node:path';
import type { Benchmark } from './benchmark.js';
import { writeGeneratedSuite } from './generated-suite.js';
import { processTime, proctorProgram } from './process-time.js';

export const validateColdStart: Benchmark = {
  name: 'validate-cold-start',
  measures: 'proctor validate, one task',
  against: 'node -e 0',
  unit: 'ms',
  budget: { atMost: 3 },
  rounds: 40,
  async prepare(folder) {
    const evalFile = await writeGeneratedSuite(folder, { tasks: 1, by: 'path' });
    const env = { XDG_CACHE_HOME: path.join(folder, 'cache') };
    const validate = () => processTime([proctorProgram, 'validate', evalFile], env);
    // The first run after an installation writes the code cache; all others find it.
    validate();
    return { measure: validate, measureBaseline: () => processTime(['-e', '0']) };
  },
};
