import { digestFile } from '../base/files.js';
import { digestJson } from '../base/json-digest.js';
import { findBuiltin } from '../config/agent-kinds.js';
import type { AgentFile } from '../config/files/agent-file.js';
import { type EvalFile, getJudgeType } from '../config/files/eval-file.js';
import type { Skill } from '../config/files/skills.js';
import type { Task } from '../config/files/task-file.js';
import type { Phase, TaskStep } from '../config/files/task-steps.js';
import { type Environment, getVariable } from '../config/placeholders/environment-variables.js';
import { findAssertion, isVacuous } from '../config/schemas/assertions-schema.js';
import { findStepDefinition, parseStepTimeout } from '../config/schemas/step-schemas.js';
import { resolveFrom } from '../config/yaml/data-file.js';
import type { JudgeDigest, Judging, StepDigest } from '../journal/task-run-events.js';
import { findStepTarget } from './step-target.js';
import type { SuiteAgent } from './suite-variants.js';

/** What judging needs to know of a suite. */
interface JudgingSuite {
  eval: EvalFile;
  judge?: JudgeDigest;
  mcp?: { servers: readonly { name: string }[] };
}

interface JudgedTask {
  task: Task;
  assertions: readonly { name: string; expected: unknown }[];
  limits: { timeout?: { milliseconds: number } };
}

/** What judges a task as it is now. */
export function digestJudging(
  suite: JudgingSuite,
  { task, assertions, limits }: JudgedTask,
): Judging {
  const digestsOf = (phase: Phase) =>
    task.steps
      .filter((step) => step.phase === phase)
      .map((step) => ({ type: step.type, digest: digestStep(suite, task, step) }));
  const asksJudge = task.steps.some(({ type }) => type === 'llmJudge');
  return {
    prompt: digestJson(task.prompt?.text ?? ''),
    assertions: digestAssertions(assertions),
    setup: digestsOf('setup'),
    verify: digestsOf('verify'),
    judge: (asksJudge && suite.judge) || null,
    timeoutMs: limits.timeout?.milliseconds ?? null,
  };
}

function digestAssertions(
  assertions: JudgedTask['assertions'],
): NonNullable<Judging['assertions']> {
  const byName = new Map<string, string[]>();
  for (const { name, expected } of assertions) {
    if (isVacuous(name, expected)) continue;
    byName.set(name, [...(byName.get(name) ?? []), digestExpected(name, expected)]);
  }
  const names = [...byName].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    names.map(([name, all]) => [name, digestJson([...new Set(all)].toSorted())]),
  );
}

/** Digests items regardless of their order, unless the assertion is about order. */
function digestExpected(name: string, expected: unknown): string {
  if (!Array.isArray(expected)) return digestJson(expected);
  const items = expected.map(resolveArgumentsAlias).map(digestJson);
  return digestJson(findAssertion(name)?.isOrdered ? items : [...new Set(items)].toSorted());
}

function resolveArgumentsAlias(item: unknown): unknown {
  if (typeof item !== 'object' || item === null || !('argumentsMatch' in item)) return item;
  const { argumentsMatch, ...others } = item;
  return { args: argumentsMatch, ...others };
}

/** Its id does not count: where others refer to it, they change with it. */
function digestStep(suite: JudgingSuite, task: Task, step: TaskStep): StepDigest['digest'] {
  const { type, data, continueOnError = false } = step;
  const servers = (suite.mcp?.servers ?? []).map(({ name }) => name);
  const target = findStepTarget(type, task.requires, servers);
  return digestJson({
    // By what it stands for: an alias may change.
    type: target ?? type,
    data: findStepDefinition(type)?.holdsSettings ? removeSettings(task, data) : data,
    // The same text can mean another thing in another shell.
    ...(type === 'script' && task.usesLoginShell && { shell: 'login' }),
    timeoutMs: parseStepTimeout(step),
    continueOnError,
    ...(target?.kind === 'extension' && { extension: digestExtension(suite, target.target) }),
  });
}

/** The settings of a step may also stand within its data, and the script in a file. */
function removeSettings(task: Task, data: unknown): unknown {
  const { timeout: _, continueOnError: __, file, ...others } = data as Record<string, unknown>;
  if (typeof file !== 'string') return others;
  return { ...others, file: digestFile(resolveFrom(task.source, file)) ?? file };
}

function digestExtension({ eval: { source, data } }: JudgingSuite, name: string): unknown {
  const definition = data.config.extensions?.[name];
  if (!definition) return null;
  const { package: program, ...others } = definition;
  // A program counts by its content, wherever it lies.
  return { ...others, program: digestFile(resolveFrom(source, program)) ?? program };
}

interface AgentOfSuite extends SuiteAgent {
  skills?: readonly Skill[];
}

/**
 * What makes an agent another one, besides its name and model: its settings, and the skills it is given.
 * The rules of a scripted one do not: each new task brings one.
 */
export function digestAgent({ agent, agentFile, skills = [] }: AgentOfSuite): string {
  const { useResponsesAPI } = agent ?? {};
  const skillDigests = skills.map(({ name, files }) => ({
    name,
    files: files.map(({ path, from }) => [path, digestFile(from)]),
  }));
  const { settings, way } = selectSettings(agentFile);
  const { scripted: _, ...others } = way;
  return digestJson({ useResponsesAPI, settings, way: others, skills: skillDigests });
}

/** Neither its name nor its model; where it is reached, and with which key, does not count. */
function selectSettings(file: AgentFile | undefined) {
  const data: Partial<AgentFile['data']> = file?.data ?? {};
  const { kind: _, metadata: __, apiVersion: ___, builtin, ...way } = data;
  const { baseUrl: ____, apiKey: _____, model: ______, ...settings } = builtin ?? {};
  return { settings, way };
}

/**
 * The judge of an eval. Where it is reached, and with which key, does not count: it is the same model
 * behind another address.
 */
export function digestJudge(
  { data }: EvalFile,
  file: AgentFile | undefined,
  environment: Environment,
): JudgeDigest | undefined {
  const { ref, env } = data.config.llmJudge ?? {};
  if (ref) {
    const model = ref.model ?? file?.data.builtin?.model;
    const type = findBuiltin(ref.type) ?? ref.type;
    const digest = digestJson({ type, model, ...selectSettings(file) });
    return { ...(model !== undefined && { model }), digest };
  }
  if (!env) return undefined;
  const type = getJudgeType(env, environment);
  // Claude Code has its own model.
  if (type === 'claude') return { digest: digestJson({ type }) };
  const { baseUrlKey: _, apiKeyKey: __, typeKey: ___, ...keys } = env;
  const values = Object.entries(keys).map(([key, name]) => [
    key,
    typeof name === 'string' ? getVariable(environment, name)?.trim() : name,
  ]);
  const model = getVariable(environment, env.modelNameKey ?? '')?.trim();
  const digest = digestJson(Object.fromEntries(values));
  return { ...(model !== undefined && { model }), digest };
}
