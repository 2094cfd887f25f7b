import { Problems } from '../../config/problems/problem.js';
import { lockOutputs } from '../check/claimed-output.js';
import { outputsOf } from '../check/eval-outputs.js';
import { prepareEvals } from '../check/prepared-evals.js';
import { inertIo } from '../check/reporters/inert-io.js';
import { leaveProcess } from '../check/reporters/leave-process.js';
import { refuse, showWarnings } from '../check/show-problems.js';
import { WholeCheck } from '../check/whole-check.js';
import { checkOptionsOf } from '../check-options.js';
import type { CommandRun } from '../command.js';

export async function run(given: CommandRun): Promise<number> {
  const options = checkOptionsOf(given);
  const io = inertIo(given.io);
  const problems = new Problems();
  const prepared = await prepareEvals({ ...given, io }, options, problems);
  if (!prepared) return refuse(io, options, problems);
  showWarnings(io, options, problems);
  const { evals, skipped } = prepared;
  const outputs = outputsOf(evals);
  const locks = await lockOutputs(outputs.map(({ files }) => files));
  const check = new WholeCheck({ io, ownIo: given.io, options, outputs, skipped });
  try {
    return await check.run(problems);
  } finally {
    await locks.release();
    if (check.leavesWorkBehind) leaveProcess(given.io);
  }
}
