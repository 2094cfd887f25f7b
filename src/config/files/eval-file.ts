import { findBuiltin } from '../agent-kinds.js';
import { findProvider } from '../models.js';
import { type Environment, getVariable } from '../placeholders/environment-variables.js';
import type { Problems } from '../problems/problem.js';
import { checkShape } from '../problems/shape-check.js';
import {
  type AgentReference,
  type EvalData,
  evalSchema,
  judgeVariables,
  type RateData,
} from '../schemas/eval-schema.js';
import { checkKind, readDataFile } from '../yaml/data-file.js';
import type { DataPath, SourceFile } from '../yaml/source-file.js';
import { checkModel } from './agent-file.js';
import { checkAssertionItems } from './assertion-items.js';

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
    const message = `path means nothing with type ${type}`;
    problems.atKey(file, [...path, 'path'], 'unknown-key', message, 'use type: file');
  }
  checkModel(file, path, { ...reference, type: findBuiltin(type) ?? type }, problems);
}

type JudgeVariables = NonNullable<NonNullable<EvalData['config']['llmJudge']>['env']>;

/** The kind of judge that `typeKey` asks for; `openai` where nothing says otherwise. */
export function getJudgeType({ typeKey }: JudgeVariables, environment: Environment): string {
  return (typeKey && getVariable(environment, typeKey)?.trim()) || 'openai';
}

function checkJudgeVariables(file: SourceFile, env: JudgeVariables, problems: Problems) {
  const path = ['config', 'llmJudge', 'env'];
  if (env.typeKey !== undefined || file.isFaulty([...path, 'typeKey'])) return;
  for (const key of judgeVariables) {
    if (env[key] !== undefined || file.isFaulty([...path, key])) continue;
    problems.atKey(file, path, 'missing-field', `${key} is required in config.llmJudge.env`);
  }
}

/** Checks what can be said of rates without knowing who asks models. */
function checkRates(file: SourceFile, rates: readonly RateData[], problems: Problems): void {
  const seen = new Set<string>();
  for (const [index, rate] of rates.entries()) {
    const path = ['config', 'limits', 'rates', index];
    if (file.isFaulty(path)) continue;
    if (rate.requestsPerMinute === undefined && rate.tokensPerMinute === undefined) {
      const message = 'a rate needs requestsPerMinute or tokensPerMinute: this one limits nothing';
      problems.atKey(file, path, 'missing-field', message);
    }
    const provider = rate.provider && findProvider(rate.provider);
    const key = JSON.stringify([provider ?? null, rate.model ?? null]);
    if (seen.has(key)) {
      const message = `there are two rates for ${describeRateTarget({ ...rate, provider })}`;
      problems.atKey(file, path, 'duplicate-rate', message, 'put both numbers into one rate');
    }
    seen.add(key);
  }
}

export interface RateTarget {
  provider?: string | undefined;
  model?: string | undefined;
}

/** The models that a rate applies to, in words. */
export function describeRateTarget({ provider, model }: RateTarget): string {
  if (model === undefined) {
    return provider === undefined ? 'every model' : `every model of ${provider}`;
  }
  return provider === undefined ? `the model ${model}` : `${provider}:${model}`;
}
