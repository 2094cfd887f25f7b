import { describeMissingModel, findModelFlaw, needsModel } from '../config/files/agent-file.js';
import type { EvalFile } from '../config/files/eval-file.js';
import type { Problems } from '../config/problems/problem.js';
import { findBuiltin } from '../config/schemas/agent-schema.js';
import type { Combination } from './combination.js';

/** Models that an eval's matrix gives to agents, as far as they can be wrong without asking anybody. */
export function checkModels(
  { source, data }: EvalFile,
  combinations: readonly Combination[],
  problems: Problems,
): void {
  const list = ['config', 'matrix', 'models'];
  const isUseless =
    combinations.length > 0 && combinations.every(({ model }) => model === undefined);
  if (data.config.matrix?.models && isUseless && combinations.every(isOfEval)) {
    const hint = 'a command, an ACP agent or a script brings its own';
    problems.atKey(source, list, 'invalid-value', 'no agent of the matrix takes a model', hint);
  }
  for (const { agent, model } of combinations) {
    const type = findBuiltin(agent?.value.type ?? data.config.agent?.type ?? 'file') ?? 'file';
    if (model?.at) {
      const flaw = findModelFlaw(type, model.value);
      if (flaw) problems.atValue(source, model.at, 'invalid-value', flaw.message, flaw.hint);
    } else if (!model && agent?.at && needsModel(type)) {
      problems.atValue(source, agent.at, 'missing-model', ...describeMissingModel(type));
    }
  }
}

function isOfEval({ agent }: Combination): boolean {
  return agent === undefined || agent.at !== undefined;
}
