import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { examples } from './cli.js';

export const gitlabFile = path.join(examples, 'ci/gitlab-ci.yml');

/** A pipeline, as far as tests look at it. */
export interface Pipeline {
  variables: Record<string, string>;
  shard: { parallel: number; script: string[] };
  results: { script: string[] };
}

const require = createRequire(import.meta.url);
const program = require.resolve('gitlab-ci-local');

/** It is written for Node 22, of which this is all that 20 lacks. */
const unionOfSets =
  'Set.prototype.union ??= function (other) { return new Set([...this, ...other]); };';

/**
 * Holds a pipeline against GitLab's own schema, in a folder that is made for it. It runs nothing: what
 * is printed are the jobs, or what is wrong.
 */
export async function listedPipeline(folder: string, pipeline: string): Promise<string> {
  await writeFile(path.join(folder, '.gitlab-ci.yml'), pipeline);
  const polyfill = `data:text/javascript,${encodeURIComponent(unionOfSets)}`;
  const args = ['--import', polyfill, program, '--cwd', '.', '--list'];
  // No folder above is to be taken for the repository.
  const env = { PATH: process.env.PATH, HOME: folder, GIT_CEILING_DIRECTORIES: folder };
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: folder, env }, (_, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
}
