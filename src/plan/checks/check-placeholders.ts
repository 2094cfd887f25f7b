import type { Task } from '../../config/files/task-file.js';
import { type Phase, phases, type TaskStep } from '../../config/files/task-steps.js';
import {
  type Environment,
  findStrings,
  getVariable,
} from '../../config/placeholders/environment-variables.js';
import {
  findMisspeltPlaceholders,
  findPlaceholders,
  type Placeholder,
} from '../../config/placeholders/placeholders.js';
import type { Problems } from '../../config/problems/problem.js';
import { findStepDefinition } from '../../config/schemas/step-schemas.js';
import type { DataPath, SourceFile } from '../../config/yaml/source-file.js';
import { findStepTarget } from '../step-target.js';
import type { Suite } from '../suite.js';

/** What can be referred to at a point of a task run. */
interface Scope {
  phase: Phase | 'prompt';
  /** The outputs of the steps before, by id and by type; undefined: any. */
  steps: ReadonlyMap<string, readonly string[] | undefined>;
  environment: Environment;
  /** Some step was wrong and is left out: what it would have given is not known. */
  incomplete: boolean;
}

/** A placeholder that cannot be resolved is found before anything runs. */
export function checkPlaceholders(
  { mcp, tasks }: Suite,
  environment: Environment,
  problems: Problems,
): void {
  const servers = (mcp?.servers ?? []).map((server) => server.name);
  for (const { definition: task } of tasks) checkTask(task, servers, environment, problems);
}

function checkTask(
  task: Task,
  servers: readonly string[],
  environment: Environment,
  problems: Problems,
) {
  const steps = new Map<string, readonly string[] | undefined>();
  const incomplete = phases.some((phase) => task.source.isFaulty(['spec', phase]));
  for (const phase of phases) {
    for (const step of task.steps.filter((each) => each.phase === phase)) {
      const scope = { phase, steps, environment, incomplete };
      for (const { path, text } of findStrings('{', ...selectTemplated(step))) {
        checkText(task.source, path, text, scope, problems);
      }
      for (const [path, key] of findUnquotedPlaceholders(...selectTemplated(step))) {
        const message = `{${key}} without quotes is a map, not a placeholder`;
        problems.atKey(task.source, [...path, key], 'misspelt-placeholder', message, 'quote it');
      }
      const outputs = findOutputs(task, step, servers);
      steps.set(step.type, outputs);
      if (step.id !== undefined) steps.set(step.id, outputs);
    }
    if (phase === 'setup' && task.prompt) {
      const { file, path, text } = task.prompt;
      checkText(
        file,
        path,
        text,
        { phase: 'prompt' as const, steps, environment, incomplete },
        problems,
      );
    }
  }
}

/** A script's body is never templated: braces in it are its own. */
function selectTemplated({ type, data, path }: TaskStep): [value: unknown, path: DataPath] {
  if (type !== 'script') return [data, path];
  const { env, file } = data as { env?: unknown; file?: unknown };
  return [{ env, file }, path];
}

/** Maps that YAML makes of `{random.id}` where it is not in quotes, with their one key. */
function findUnquotedPlaceholders(
  value: unknown,
  path: DataPath,
  found: [path: DataPath, key: string][] = [],
): [path: DataPath, key: string][] {
  if (typeof value !== 'object' || value === null) return found;
  const entries = Object.entries(value);
  const [first] = entries;
  if (first && entries.length === 1 && first[1] === null) {
    const [placeholder] = findPlaceholders(`{${first[0]}}`);
    if (placeholder?.offset === 0) found.push([path, first[0]]);
  }
  const isList = Array.isArray(value);
  for (const [key, inner] of entries) {
    if (typeof inner !== 'object') continue;
    findUnquotedPlaceholders(inner, [...path, isList ? Number(key) : key], found);
  }
  return found;
}

function findOutputs(task: Task, step: TaskStep, servers: readonly string[]) {
  const target = findStepTarget(step.type, task.requires, servers);
  return findStepDefinition(target?.kind ?? step.type)?.outputs;
}

function checkText(
  file: SourceFile,
  path: DataPath | undefined,
  text: string,
  scope: Scope,
  problems: Problems,
) {
  for (const found of findPlaceholders(text)) {
    const fault = findFault(found, scope);
    if (!fault) continue;
    problems.atPart(file, path, found, fault.code, fault.message, fault.hint);
  }
  for (const found of findMisspeltPlaceholders(text)) {
    const message = `${found.written} is not a placeholder and is left unchanged`;
    const hint = `did you mean ${found.meant}?`;
    problems.atPart(file, path, found, 'misspelt-placeholder', message, hint);
  }
}

interface Fault {
  code: 'unresolved-placeholder' | 'unset-variable';
  message: string;
  hint?: string;
}

function findFault({ family, name }: Placeholder, scope: Scope): Fault | undefined {
  switch (family) {
    case 'env':
      if (name === '') return makeUnresolvedFault('{env.} names no variable', 'write {env.NAME}');
      if (getVariable(scope.environment, name) !== undefined) return undefined;
      return {
        code: 'unset-variable',
        message: `the environment variable ${name} is not set`,
      };
    case 'steps':
      return findStepFault(name, scope);
    case 'agent':
      return findAgentFault(name, scope);
    case 'random':
      return checkOneOf(family, name, ['id', 'port']);
    case 'task':
      return checkOneOf(family, name, ['name']);
  }
}

function checkOneOf(family: string, name: string, known: readonly string[]): Fault | undefined {
  if (known.includes(name)) return undefined;
  const choices = known.map((member) => `{${family}.${member}}`).join(' or ');
  return makeUnresolvedFault(`there is no {${family}.${name}}`, `there is ${choices}`);
}

function findAgentFault(name: string, { phase }: Scope): Fault | undefined {
  const wrong = checkOneOf('agent', name, ['output', 'prompt']);
  if (wrong) return wrong;
  const beforeAgent = phase === 'setup' || phase === 'prompt';
  if (name === 'output' && beforeAgent) {
    return makeUnresolvedFault('{agent.output} is not there before the agent has run');
  }
  // The prompt itself may use outputs of setup, so setup cannot use the prompt.
  return beforeAgent ? makeUnresolvedFault('{agent.prompt} is not there yet') : undefined;
}

function findStepFault(name: string, { steps, incomplete }: Scope): Fault | undefined {
  const dot = name.lastIndexOf('.');
  const step = name.slice(0, Math.max(dot, 0));
  const output = name.slice(dot + 1);
  if (dot <= 0)
    return makeUnresolvedFault(`{steps.${name}} names no output`, 'write {steps.<id>.<output>}');
  if (!steps.has(step)) {
    if (incomplete) return undefined;
    const known = [...steps.keys()];
    const hint =
      known.length > 0 ? `steps before it: ${known.join(', ')}` : 'there is no earlier step';
    return makeUnresolvedFault(`no step ${step} comes before this`, hint);
  }
  const outputs = steps.get(step);
  if (!outputs || outputs.includes(output)) return undefined;
  return makeUnresolvedFault(
    `step ${step} has no output ${output}`,
    `it has ${outputs.join(', ') || 'none'}`,
  );
}

function makeUnresolvedFault(message: string, hint?: string): Fault {
  return { code: 'unresolved-placeholder', message, ...(hint === undefined ? {} : { hint }) };
}

/** `{env.X}` in an extension's settings is expanded too. */
export function checkExtensionVariables(
  { eval: { source, data } }: Suite,
  environment: Environment,
  problems: Problems,
): void {
  for (const [name, { config, env }] of Object.entries(data.config.extensions ?? {})) {
    const at = ['config', 'extensions', name];
    for (const { path, text } of findStrings('{env.', { config, env }, at)) {
      for (const found of findPlaceholders(text)) {
        if (found.family !== 'env' || getVariable(environment, found.name) !== undefined) continue;
        const message = `the environment variable ${found.name} is not set`;
        problems.atPart(source, path, found, 'unset-variable', message);
      }
    }
  }
}
