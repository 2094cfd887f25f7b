import path from 'node:path';
import type { Benchmark } from './benchmark.js';
import { bundledProgram } from './bundled-program.js';
import { writeGeneratedSuite } from './generated-suite.js';
import { processTime, proctorProgram } from './process-time.js';

const plainParser = path.join(import.meta.dirname, 'parse-with-plain-reader.ts');
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

/**
 * What reading some tasks takes beyond the start of the program, which one task has too. To compare with, and
 * without a budget: what our reader of plain YAML takes for reading and parsing the same files and nothing
 * else, and what the YAML library takes.
 *
 * Most of it is code that runs for the first time: V8 interprets it, and has compiled it for speed about when
 * the last file is read. With ten thousand tasks, one takes a small part of the time.
 */
export const validateSomeTasks: Benchmark[] = [
  beyondOneTask({
    name: 'validate-200-tasks',
    measures: `proctor validate, ${someTasks} tasks, beyond that of one`,
    budget: { atMost: 2 },
    commandLine: async () => (evalFile) => [proctorProgram, 'validate', evalFile],
  }),
  beyondOneTask({
    name: 'parsing-200-tasks',
    measures: `our reader parses the files of ${someTasks} tasks, beyond that of one`,
    budget: {},
    async commandLine(folder) {
      const program = await bundledProgram(plainParser, folder);
      return (evalFile) => [program, path.join(path.dirname(evalFile), 'tasks')];
    },
  }),
  beyondOneTask({
    name: 'yaml-alone-200-tasks',
    measures: `yaml parses the files of ${someTasks} tasks, beyond that of one`,
    budget: {},
    commandLine: async () => (evalFile) => [parser, path.join(path.dirname(evalFile), 'tasks')],
  }),
];

function beyondOneTask({
  commandLine,
  ...about
}: Pick<Benchmark, 'name' | 'measures' | 'budget'> & {
  commandLine(folder: string): Promise<(evalFile: string) => string[]>;
}): Benchmark {
  return {
    ...about,
    against: 'node -e 0',
    unit: 'ms',
    rounds: 1,
    async prepare(folder) {
      const [one, some] = [path.join(folder, 'one'), path.join(folder, 'some')];
      const oneTask = await writeGeneratedSuite(one, { tasks: 1, by: 'path' });
      const someOfThem = await writeGeneratedSuite(some, { tasks: someTasks });
      const env = { XDG_CACHE_HOME: path.join(folder, 'cache') };
      const commandLineFor = await commandLine(folder);
      const load = (evalFile: string) => processTime(commandLineFor(evalFile), env);
      // The first run after an installation writes the code cache; all others find it.
      load(someOfThem);
      // A difference has no best round: each side takes the fastest of its own.
      const fastest = (run: () => number) => Math.min(...Array.from({ length: tries }, run));
      return {
        measure: () => fastest(() => load(someOfThem)) - fastest(() => load(oneTask)),
        measureBaseline: () => fastest(() => processTime(['-e', '0'])),
      };
    },
  };
}
