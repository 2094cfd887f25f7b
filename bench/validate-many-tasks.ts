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

const someTasks = 200;
const tries = 20;

/** What reading the tasks takes beyond the start of the program, which one task has too. */
export const validateSomeTasks: Benchmark = {
  name: 'validate-200-tasks',
  measures: `proctor validate, ${someTasks} tasks, beyond that of one`,
  against: 'node -e 0',
  unit: 'ms',
  budget: { atMost: 2 },
  rounds: 1,
  async prepare(folder) {
    const [one, some] = [path.join(folder, 'one'), path.join(folder, 'some')];
    const oneTask = await writeGeneratedSuite(one, { tasks: 1, by: 'path' });
    const someOfThem = await writeGeneratedSuite(some, { tasks: someTasks });
    const env = { XDG_CACHE_HOME: path.join(folder, 'cache') };
    const validate = (evalFile: string) => processTime([proctorProgram, 'validate', evalFile], env);
    // The first run after an installation writes the code cache; all others find it.
    validate(someOfThem);
    // A difference has no best round: each side takes the fastest of its own.
    const fastest = (run: () => number) => Math.min(...Array.from({ length: tries }, run));
    return {
      measure: () => fastest(() => validate(someOfThem)) - fastest(() => validate(oneTask)),
      measureBaseline: () => fastest(() => processTime(['-e', '0'])),
    };
  },
};
