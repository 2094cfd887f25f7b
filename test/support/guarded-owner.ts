import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { expect, vi } from 'vitest';
import { markedProcesses } from '../../testing/marked-processes.js';
import { onLoneTestFinished } from '../../testing/test-end.js';
import { proctorProgram, testNode } from './proctor-process.js';

/** Makes a program of the fixture, with the built guard beside it, as in the package. */
export async function buildGuardedOwner(folder: string): Promise<void> {
  const bundler = await rolldown({
    input: path.resolve(import.meta.dirname, '../fixtures/guarded-owner.ts'),
    platform: 'node',
  });
  await bundler.write({ dir: folder, format: 'cjs', entryFileNames: '[name].cjs' });
  await bundler.close();
  const guard = 'process-guard.cjs';
  copyFileSync(path.join(path.dirname(proctorProgram), 'chunks', guard), path.join(folder, guard));
}

/** A process with a guard, and with others that are hard to get rid of. */
export class GuardedOwner {
  readonly workspace: string;
  readonly ledger: string;
  readonly pid: number;
  /** Settles when everything it said has been read. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #mark: string;
  #stdout = '';

  private constructor(folder: string, program: string, silenceMs: number) {
    this.workspace = path.join(folder, 'workspace');
    this.ledger = path.join(this.workspace, 'processes');
    this.#mark = `TMPDIR=${folder}`;
    this.#child = spawn(testNode, [program, folder, String(silenceMs)], {
      env: { PATH: process.env.PATH, TMPDIR: folder },
      // A group of its own, as a shell would give it.
      detached: true,
    });
    this.pid = this.#child.pid ?? 0;
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text;
    });
    this.ended = once(this.#child, 'close').then(([code, signal]) => ({ code, signal }));
  }

  /** Is there with everything that belongs to it, and gone with it after the test. */
  static async start(built: string, silenceMs: number): Promise<GuardedOwner> {
    const folder = mkdtempSync(path.join(tmpdir(), 'proctor-guarded-'));
    const owner = new GuardedOwner(folder, path.join(built, 'guarded-owner.cjs'), silenceMs);
    onLoneTestFinished(() => {
      for (const { pid } of owner.processes()) process.kill(pid, 'SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    });
    await owner.says('ready');
    await vi.waitFor(() => expect(owner.sleeping()).toEqual([1001, 1002, 1003, 1004]), patience);
    await owner.guardIsThere();
    return owner;
  }

  async says(text: string): Promise<void> {
    await vi.waitFor(() => expect(this.#stdout).toContain(text), patience);
  }

  order(text: string): void {
    this.#child.stdin.write(text);
  }

  get saidOfItsGuard(): string[] {
    return this.#stdout.split('\n').filter((line) => line.startsWith('the guard'));
  }

  /** Itself, the guard, and whatever it started. */
  processes(): { pid: number; command: string }[] {
    return markedProcesses(this.#mark);
  }

  /** Whatever it started, by how long it would sleep. */
  sleeping(): number[] {
    return this.processes()
      .flatMap(({ command }) => command.match(/^sleep (\d+) $/)?.[1] ?? [])
      .map(Number)
      .sort();
  }

  guards(): number[] {
    return this.processes()
      .filter(({ command }) => command.includes('process-guard.cjs'))
      .map(({ pid }) => pid);
  }

  /** When there is one, and it is another than before. */
  async guardIsThere(before?: number): Promise<number> {
    return vi.waitFor(() => {
      const [guard, ...others] = this.guards();
      if (guard === undefined || guard === before) throw new Error('there is no guard');
      expect(others).toEqual([]);
      return guard;
    }, patience);
  }

  async everybodyIsGone(): Promise<void> {
    await vi.waitFor(() => expect(this.processes()).toEqual([]), patience);
  }
}

const patience = { timeout: 60_000 };
