import { checkModel } from './agent-model.js';
import { checkAssertionItems } from './assertion-items.js';
import { checkShape } from './check-shape.js';
import { type Environment, variable } from './environment-expansion.js';
import { checkKind } from './kind.js';
import type { Problems } from './problem.js';
import { checkRates } from './rates.js';
import { readDataFile } from './read-data-file.js';
import { builtinNamed } from './schemas/builtin-agents.js';
import {
  type AgentReference,
  type EvalData,
  evalSchema,
  judgeVariables,
} from './schemas/eval-schema.js';
import type { DataPath, SourceFile } from './source-file.js';

export interface EvalFile {
  source: SourceFile;
  data: EvalData;
}

/** Reads an Eval file and checks all that can be said without the files it names. */
export function readEvalFile(path: string, problems: Problems): EvalFile | undefined {
  const file = readDataFile(path, problems);
  if (!file || !checkKind(file, 'Eval', problems)) return undefined;
  const { source } = file;
  const data = checkShape({ file: source, schema: evalSchema, value: file.data, problems });
  if (!data) return undefined;

  const { agent, llmJudge, limits, taskSets } = data.config;
  if (agent) checkAgentReference(source, ['config', 'agent'], agent, problems);
  if (llmJudge?.ref) {
    checkAgentReference(source, ['config', 'llmJudge', 'ref'], llmJudge.ref, problems);
  }
  if (llmJudge?.env) checkJudgeVariables(source, llmJudge.env, problems);
  checkRates(source, limits?.rates ?? [], problems);
  for (const [index, { assertions }] of taskSets.entries()) {
    if (!assertions) continue;
    const place = ['config', 'taskSets', index, 'assertions'];
    checkAssertionItems({ file: source, path: place, data: assertions }, problems);
  }
  return { source, data };
}

function checkAgentReference(
  file: SourceFile,
  path: DataPath,
  reference: AgentReference,
  problems: Problems,
) {
  const { type, path: agentPath } = reference;
  if (file.isFaulty([...path, 'type'])) return;
  if (type === 'file') {
    if (agentPath === undefined && !file.isFaulty([...path, 'path'])) {
      problems.atKey(file, path, 'missing-field', 'path is required when type is file');
    }
    return;
  }
  if (agentPath !== undefined) {
    const message = `path means nothing beside type ${type}`;
    problems.atKey(file, [...path, 'path'], 'unknown-key', message, 'use type: file');
  }
  checkModel(file, path, { ...reference, type: builtinNamed(type) ?? type }, problems);
}

type JudgeVariables = NonNullable<NonNullable<EvalData['config']['llmJudge']>['env']>;

/** The kind of judge that `typeKey` asks for; `openai` where nothing says otherwise. */
export function judgeTypeOf({ typeKey }: JudgeVariables, environment: Environment): string {
  return (typeKey && variable(environment, typeKey)?.trim()) || 'openai';
}

function checkJudgeVariables(file: SourceFile, env: JudgeVariables, problems: Problems) {
  const path = ['config', 'llmJudge', 'env'];
  if (env.typeKey !== undefined || file.isFaulty([...path, 'typeKey'])) return;
  for (const key of judgeVariables) {
    if (env[key] !== undefined || file.isFaulty([...path, key])) continue;
    problems.atKey(file, path, 'missing-field', `${key} is required in config.llmJudge.env`);
  }
}
