import path from 'node:path';
import type { Benchmark } from './benchmark.js';
import { writeGeneratedSuite } from './generated-suite.js';
import { processTime, proctorProgram } from './process-time.js';

const parser = path.join(import.meta.dirname, 'parse-with-yaml-alone.mjs');

export const validateManyTasks: Benchmark = {
  name: 'validate-many-tasks',
  measures: 'proctor validate, 10,000 tasks',
  against: 'yaml parses the same files',
  unit: 'ms',
  budget: { atMost: 1.5 },
  rounds: 7,
  async prepare(folder) {
    const evalFile = await writeGeneratedSuite(folder, { tasks: 10_000 });
    const env = { XDG_CACHE_HOME: path.join(folder, 'cache') };
    return {
      measure: () => processTime([proctorProgram, 'validate', evalFile], env),
      measureBaseline: () => processTime([parser, path.join(folder, 'suite', 'tasks')]),
    };
  },
};
