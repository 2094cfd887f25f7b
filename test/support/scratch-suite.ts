import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inject, test } from 'vitest';
import type { JournalEvent } from '../../src/journal/event.js';
import { readJournal } from '../../src/journal/journal-reader.js';
import type { ResultTotals } from '../../src/results/schema/results-schema.js';
import type { TaskRunResult } from '../../src/results/schema/task-run-schema.js';
import { runCommand } from './cli-in-process.js';
import type { ProcessResult } from './proctor-process.js';
import { type SuiteParts, suiteFiles } from './suite-parts.js';

interface Results {
  finished: boolean;
  interrupted: boolean;
  bailed: boolean;
  options: object;
  agent: { name: string; type: string };
  totals: ResultTotals;
  taskRuns: TaskRunResult[];
}

export interface CheckResult extends ProcessResult {
  /** Undefined: none were written. */
  results: Results | undefined;
  taskRuns: TaskRunResult[];
  /** Of the journal. */
  events: JournalEvent[];
}

/** A suite in a folder of its own. */
export class ScratchSuite {
  readonly folder: string;

  static async create(parts: SuiteParts): Promise<ScratchSuite> {
    const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'proctor-suite-')));
    const suite = new ScratchSuite(folder);
    await mkdir(suite.temporaryFolder);
    for (const [name, text] of Object.entries(suiteFiles(parts))) await suite.write(name, text);
    return suite;
  }

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Where Proctor makes its own folders: empty but while it runs. */
  get temporaryFolder(): string {
    return this.path('tmp');
  }

  path(name: string): string {
    return path.join(this.folder, name);
  }

  read(name: string): Promise<string> {
    return readFile(this.path(name), 'utf8');
  }

  async write(name: string, text: string): Promise<void> {
    await mkdir(path.dirname(this.path(name)), { recursive: true });
    await writeFile(this.path(name), text);
  }

  /** What there is of Proctor's own folders. */
  leftovers(): Promise<string[]> {
    return readdir(this.temporaryFolder);
  }

  /** Runs `proctor` in the suite's folder. */
  proctor(args: string[], env: Record<string, string> = {}): Promise<ProcessResult> {
    const own = { HOME: inject('homeFolder'), TMPDIR: this.temporaryFolder };
    return runCommand(args, { cwd: this.folder, env: { ...own, ...env } });
  }

  /** Runs `proctor check` with results in out.json, and reads what it leaves. */
  async check(args: string[] = [], env: Record<string, string> = {}): Promise<CheckResult> {
    const ended = await this.proctor(['check', 'eval.yaml', '--out', 'out.json', ...args], env);
    const names = await readdir(this.folder);
    const results = names.includes('out.json')
      ? (JSON.parse(await this.read('out.json')) as Results)
      : undefined;
    const events: JournalEvent[] = [];
    if (names.includes('out.jsonl')) {
      for await (const event of readJournal(this.path('out.jsonl'))) events.push(event);
    }
    return { ...ended, results, taskRuns: results?.taskRuns ?? [], events };
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}

/** Tests with suites that are gone when the test is. */
export const it = test.extend<{ makeSuite: (parts: SuiteParts) => Promise<ScratchSuite> }>({
  makeSuite: async ({ onTestFinished }, use) => {
    await use(async (parts) => {
      const suite = await ScratchSuite.create(parts);
      onTestFinished(() => suite.remove());
      return suite;
    });
  },
});
