import { spawnSync } from 'node:child_process';
import path from 'node:path';

/** The built program. */
export const proctorProgram = path.resolve(import.meta.dirname, '../dist/proctor.cjs');

/** The Node that runs both sides: this one, unless PROCTOR_TEST_NODE names another. */
export const benchNode = process.env.PROCTOR_TEST_NODE ?? process.execPath;

/** Milliseconds from starting a Node process to its end; it must succeed. */
export function processTime(commandLine: string[], env: Record<string, string> = {}): number {
  const start = process.hrtime.bigint();
  const { status, signal, stderr, error } = spawnSync(benchNode, commandLine, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    // A summary of tens of thousands of tasks is long.
    maxBuffer: Number.POSITIVE_INFINITY,
  });
  const milliseconds = Number(process.hrtime.bigint() - start) / 1e6;
  if (status !== 0) {
    const how = error?.message ?? (signal === null ? `exit code ${status}` : `signal ${signal}`);
    throw new Error(`node ${commandLine.join(' ')}: ${how}\n${stderr}`);
  }
  return milliseconds;
}
