import { execFile } from 'node:child_process';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const launcher = path.join(root, 'dist/proctor.cjs');
/** Which Node runs the CLI under test: the same suite is run on several. */
const node = process.env.PROCTOR_TEST_NODE ?? process.execPath;

export const fixtures = path.join(root, 'test/fixtures');
export const examples = path.join(root, 'examples');

export interface CliResult {
  exitCode: number;
  stdout: string;
  stderr: string;
}

export interface CliOptions {
  cwd?: string;
  /** The whole environment but for PATH: nothing of the machine's own settings gets in. */
  env?: Record<string, string>;
}

/** Runs the built CLI as a user would. */
export function proctor(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const { cwd = root, env = {} } = options;
  const environment = { PATH: process.env.PATH, ...env };
  return new Promise((resolve) => {
    const settings = { cwd, env: environment, maxBuffer: 256 * 1024 * 1024 };
    execFile(node, [launcher, ...args], settings, (error, stdout, stderr) => {
      const exitCode = error ? Number(error.code ?? -1) : 0;
      resolve({ exitCode, stdout, stderr });
    });
  });
}
