import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inject } from 'vitest';
import type { TaskRunResult } from '../../src/results/schema/task-run-schema.js';
import { proctor } from './cli.js';
import type { ProcessResult } from './proctor-process.js';

/** By their path in the suite. What is no text is written as JSON, which is YAML too. */
export type SuiteFiles = Record<string, string | object>;

export interface CheckedSuite extends ProcessResult {
  /** Of the results file; none if there is no such file. */
  taskRuns: TaskRunResult[];
}

/** A suite whose eval is eval.yaml, in a folder that is gone after the tests. */
export class SuiteFolder {
  readonly path: string;
  readonly results: string;
  readonly journal: string;
  readonly #texts = new Map<string, string>();
  readonly #env: Record<string, string>;

  private constructor(root: string) {
    this.path = path.join(root, 'suite');
    this.results = path.join(root, 'out.json');
    this.journal = path.join(root, 'out.jsonl');
    this.#env = { HOME: path.join(root, 'home'), TMPDIR: path.join(root, 'tmp') };
  }

  static async create(files: SuiteFiles): Promise<SuiteFolder> {
    const suite = new SuiteFolder(await mkdtemp(path.join(inject('homeFolder'), 'suite-')));
    for (const folder of [suite.path, ...Object.values(suite.#env)]) await mkdir(folder);
    for (const [name, content] of Object.entries(files)) await suite.write(name, content);
    return suite;
  }

  async write(name: string, content: string | object): Promise<void> {
    const text = typeof content === 'string' ? content : JSON.stringify(content, undefined, 2);
    const file = path.join(this.path, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
    this.#texts.set(name, text);
  }

  /** How a program is started that works on this suite: with nothing of the machine's own. */
  environment(more: Record<string, string> = {}): Record<string, string> {
    return { ...this.#env, ...more };
  }

  async check(args: string[] = [], env: Record<string, string> = {}): Promise<CheckedSuite> {
    const ended = await proctor(['check', 'eval.yaml', '--out', this.results, '--force', ...args], {
      cwd: this.path,
      env: this.environment(env),
    });
    return { ...ended, taskRuns: await this.taskRuns() };
  }

  async taskRuns(): Promise<TaskRunResult[]> {
    if (!existsSync(this.results)) return [];
    return JSON.parse(await readFile(this.results, 'utf8')).taskRuns;
  }

  /** Where a text stands for the first time in one of the files, as results tell it. */
  placeOf(file: string, text: string): { file: string; line: number } {
    const lines = this.#texts.get(file)?.split('\n') ?? [];
    const line = lines.findIndex((each) => each.includes(text)) + 1;
    if (line === 0) throw new Error(`${file} has no ${text}`);
    return { file, line };
  }
}
