import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { proctorProgram, runProctor } from './support/proctor-process.js';
import { it as inSuite } from './support/scratch-suite.js';
import { callTelling, command, scripted, tellingServer } from './support/suite-parts.js';

let folder: string;
let program: string;

/** The built program with another main, which has TokenCounter in a chunk as the build makes them. */
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'proctor-tokens-'));
  const dist = path.join(folder, 'dist');
  await cp(path.dirname(proctorProgram), dist, { recursive: true });
  program = path.join(dist, path.basename(proctorProgram));
  const bundler = await rolldown({
    input: path.resolve(import.meta.dirname, '../src/tokens/token-counter.ts'),
    platform: 'node',
  });
  await bundler.write({
    dir: path.join(dist, 'chunks'),
    format: 'cjs',
    entryFileNames: '[name].cjs',
  });
  await bundler.close();
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function runMain(source: string) {
  await writeFile(path.join(folder, 'dist', 'chunks', 'main.cjs'), source);
  return runProctor([], { program, env: { HOME: folder } });
}

const start = "const { TokenCounter } = require('./token-counter.cjs');\n";

it('finds its worker beside the chunk, waits for its answer, and then lets the process end', async () => {
  const main = `${start}
    exports.main = async (_, { stdout }) => {
      const counter = new TokenCounter();
      const texts = ['hello world', '<|endoftext|>', 'a'.repeat(100_000)];
      stdout.write(JSON.stringify(await counter.count(texts)));
      return 0;
    };`;
  // Twice: compiled, and from the cache.
  for (let run = 0; run < 2; run++) {
    expect(await runMain(main)).toEqual({ exitCode: 0, stdout: '[2,7,12500]', stderr: '' });
  }
});

it('ends a worker that is busy', async () => {
  const result = await runMain(`${start}
    exports.main = async (_, { stdout }) => {
      const counter = new TokenCounter();
      await counter.count(['']);
      const words = Array.from({ length: 1_000_000 }, (_, index) => index.toString(36));
      const count = counter.count([words.join(' ')]);
      await counter.close();
      stdout.write(String(await count));
      return 0;
    };`);
  expect(result).toEqual({ exitCode: 0, stdout: 'undefined', stderr: '' });
});

/** Writes down each thread that the program starts. */
const noteThreads = `
  const threads = require('node:worker_threads');
  threads.Worker = class extends threads.Worker {
    constructor(file, options) {
      super(file, options);
      require('node:fs').appendFileSync(process.env.NOTES, options.name + ' ');
    }
  };`;

inSuite.for([
  ['an agent that calls nothing', 'no thread', command('true'), ''],
  ['an agent that calls a tool', 'one thread', scripted(callTelling('pid')), 'token-worker '],
] as const)(
  'a check of %s starts %s to count tokens',
  async ([, , agent, threads], { makeSuite }) => {
    const suite = await makeSuite({
      tasks: { a: {} },
      agent,
      servers: { telling: tellingServer() },
      files: { 'note-threads.cjs': noteThreads, notes: '' },
    });
    const { exitCode, stderr } = await suite.check([], {
      NODE_OPTIONS: `--require ${suite.path('note-threads.cjs')}`,
      NOTES: suite.path('notes'),
    });
    expect(exitCode, stderr).toBe(0);
    expect(await suite.read('notes')).toBe(threads);
  },
);
