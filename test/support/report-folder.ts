import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'vitest';
import { proctor } from './cli.js';
import type { ProcessResult } from './proctor-process.js';
import { ReportContent } from './report-content.js';
import { writeGeneratedResults } from './report-results.js';

/** A folder with results, and reports that are made of them. */
export class ReportFolder {
  readonly path: string;

  static async create(): Promise<ReportFolder> {
    return new ReportFolder(await realpath(await mkdtemp(path.join(tmpdir(), 'proctor-report-'))));
  }

  private constructor(folder: string) {
    this.path = folder;
  }

  file(name: string): string {
    return path.join(this.path, name);
  }

  results(name: string, options: Parameters<typeof writeGeneratedResults>[1] = {}): Promise<void> {
    return writeGeneratedResults(this.file(name), options);
  }

  /** Runs `proctor report` here. */
  report(...args: string[]): Promise<ProcessResult> {
    return proctor(['report', ...args], { cwd: this.path });
  }

  /** The same, where nothing may go wrong; gives the path of the report. */
  async written(...args: string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await this.report(...args);
    if (exitCode !== 0) throw new Error(`proctor report ended with ${exitCode}: ${stderr}`);
    return stdout.replace(/ \([^)]*\)\nfile:[^\n]*\n$/, '');
  }

  content(name: string): Promise<ReportContent> {
    return ReportContent.of(this.file(name));
  }

  remove(): Promise<void> {
    return rm(this.path, { recursive: true, force: true });
  }
}

/** Tests with a folder that is gone when the test is. */
export const it = test.extend<{ folder: ReportFolder }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest wants to see what a fixture needs
  folder: async ({}, use) => {
    const folder = await ReportFolder.create();
    await use(folder);
    await folder.remove();
  },
});
