import { dirname, resolve } from 'node:path';
import type { Plan } from '../../plan/plan.js';
import type { Suite } from '../../plan/suite.js';
import { suiteFiles } from '../../run/resume/suite-files.js';

/** Every file that a suite is known to use. */
export function reachedPaths(variants: readonly [Suite, ...Suite[]], plan: Plan): string[] {
  const [{ eval: evalFile, prices }] = variants;
  const folder = dirname(evalFile.source.path);
  const files = suiteFiles(variants, plan);
  const paths = files.map(({ path }) => resolve(folder, path));
  return prices ? [...paths, prices.source.path] : paths;
}
