import { maxRuns } from '../config/schemas/fields.js';
import { defaultRunsRule, fewestRuns } from '../plan/enough-runs.js';
import type { PlanOptions } from '../plan/plan.js';
import { UsageError } from './exit-codes.js';

/** `--runs`, which is a number or `auto`, and what goes with it. */
export function runsOptionsOf(
  runs: string | undefined,
  width: string | undefined,
  most: string | undefined,
): Pick<PlanOptions, 'runs' | 'autoRuns'> {
  if (runs === 'auto') {
    return {
      autoRuns: {
        width: width === undefined ? defaultRunsRule.width : widthOf(width),
        most: most === undefined ? defaultRunsRule.most : countOf('--runs-max', most, fewestRuns),
      },
    };
  }
  const alone = width === undefined ? most && '--runs-max' : '--runs-width';
  if (alone) {
    throw new UsageError(
      `${alone} goes with --runs auto alone`,
      'add --runs auto, or leave it out',
    );
  }
  return runs === undefined ? {} : { runs: countOf('--runs', runs, 1, ', or auto') };
}

function countOf(option: string, text: string, least: number, other = ''): number {
  const count = /^\d+$/.test(text) ? Number(text) : 0;
  if (count >= least && count <= maxRuns) return count;
  const expected = `expected a whole number from ${least} to ${maxRuns}${other}`;
  throw new UsageError(`${option}: ${expected}, found ${JSON.stringify(text)}`);
}

function widthOf(text: string): number {
  const width = /^(\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : 0;
  if (width > 0 && width < 1) return width;
  const message = `--runs-width: expected a number between 0 and 1, found ${JSON.stringify(text)}`;
  throw new UsageError(message, 'write 0.4 for an interval such as 55% to 95%');
}
