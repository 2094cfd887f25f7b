import path from 'node:path';
import { inject } from 'vitest';
import { runCommand } from './cli-in-process.js';
import type { ProcessResult } from './proctor-process.js';

const root = path.resolve(import.meta.dirname, '../..');

export const fixtures = path.join(root, 'test/fixtures');
export const examples = path.join(root, 'examples');

interface CliOptions {
  cwd?: string;
  /** The whole environment but for PATH and HOME: nothing of the machine's own settings gets in. */
  env?: Record<string, string>;
}

/** Runs the CLI as a user would, with a home folder of its own. */
export function proctor(args: string[], options: CliOptions = {}): Promise<ProcessResult> {
  const { cwd = root, env = {} } = options;
  return runCommand(args, { cwd, env: { HOME: inject('homeFolder'), ...env } });
}
