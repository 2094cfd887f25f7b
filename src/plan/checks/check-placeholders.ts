import { type Environment, stringsWith, variable } from '../../config/environment-expansion.js';
import { findMisspeltPlaceholders } from '../../config/misspelt-placeholders.js';
import { findPlaceholders, type Placeholder } from '../../config/placeholders.js';
import type { Problems } from '../../config/problem.js';
import type { DataPath, SourceFile } from '../../config/source-file.js';
import type { Task } from '../../config/task-file.js';
import { type Phase, phases, type TaskStep } from '../../config/task-steps.js';
import { stepTarget } from '../step-target.js';
import type { Suite } from '../suite.js';

const outputsOf: Record<string, readonly string[]> = {
  script: ['stdout', 'stderr', 'exitCode'],
  http: ['status', 'body'],
  llmJudge: [],
  mcpServer: ['content', 'structuredContent', 'isError'],
};

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
  for (const { task } of tasks) checkTask(task, servers, environment, problems);
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
      for (const { path, text } of stringsWith('{', ...templated(step))) {
        checkText(task.source, path, text, scope, problems);
      }
      for (const [path, key] of unquotedPlaceholders(...templated(step))) {
        const message = `{${key}} without quotes is a map, and no placeholder`;
        problems.atKey(task.source, [...path, key], 'misspelt-placeholder', message, 'quote it');
      }
      const outputs = outputsFor(task, step, servers);
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
function templated({ type, data, path }: TaskStep): [value: unknown, path: DataPath] {
  if (type !== 'script') return [data, path];
  const { env, file } = data as { env?: unknown; file?: unknown };
  return [{ env, file }, path];
}

/** Maps that YAML makes of `{random.id}` where it is not in quotes, with their one key. */
function unquotedPlaceholders(
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
    unquotedPlaceholders(inner, [...path, isList ? Number(key) : key], found);
  }
  return found;
}

function outputsFor(task: Task, step: TaskStep, servers: readonly string[]) {
  const target = stepTarget(step.type, task.requires, servers);
  return outputsOf[target?.kind ?? step.type];
}

function checkText(
  file: SourceFile,
  path: DataPath | undefined,
  text: string,
  scope: Scope,
  problems: Problems,
) {
  for (const found of findPlaceholders(text)) {
    const fault = faultOf(found, scope);
    if (!fault) continue;
    problems.atPart(file, path, found, fault.code, fault.message, fault.hint);
  }
  for (const found of findMisspeltPlaceholders(text)) {
    const message = `${found.written} is no placeholder, and stays as it is`;
    const hint = `did you mean ${found.meant}?`;
    problems.atPart(file, path, found, 'misspelt-placeholder', message, hint);
  }
}

interface Fault {
  code: 'unresolved-placeholder' | 'unset-variable';
  message: string;
  hint?: string;
}

function faultOf({ family, name }: Placeholder, scope: Scope): Fault | undefined {
  switch (family) {
    case 'env':
      if (name === '') return unresolved('{env.} names no variable', 'write {env.NAME}');
      if (variable(scope.environment, name) !== undefined) return undefined;
      return {
        code: 'unset-variable',
        message: `the environment variable ${name} is not set`,
      };
    case 'steps':
      return stepFault(name, scope);
    case 'agent':
      return agentFault(name, scope);
    case 'random':
      return oneOf(family, name, ['id', 'port']);
    case 'task':
      return oneOf(family, name, ['name']);
  }
}

function oneOf(family: string, name: string, known: readonly string[]): Fault | undefined {
  if (known.includes(name)) return undefined;
  const choices = known.map((each) => `{${family}.${each}}`).join(' or ');
  return unresolved(`there is no {${family}.${name}}`, `there is ${choices}`);
}

function agentFault(name: string, { phase }: Scope): Fault | undefined {
  const wrong = oneOf('agent', name, ['output', 'prompt']);
  if (wrong) return wrong;
  const beforeAgent = phase === 'setup' || phase === 'prompt';
  if (name === 'output' && beforeAgent) {
    return unresolved('{agent.output} is not there before the agent has run');
  }
  // The prompt itself may use outputs of setup, so setup cannot use the prompt.
  return beforeAgent ? unresolved('{agent.prompt} is not there yet') : undefined;
}

function stepFault(name: string, { steps, incomplete }: Scope): Fault | undefined {
  const dot = name.lastIndexOf('.');
  const step = name.slice(0, Math.max(dot, 0));
  const output = name.slice(dot + 1);
  if (dot <= 0) return unresolved(`{steps.${name}} names no output`, 'write {steps.<id>.<output>}');
  if (!steps.has(step)) {
    if (incomplete) return undefined;
    const known = [...steps.keys()];
    const hint = known.length > 0 ? `steps before it: ${known.join(', ')}` : 'no step is before it';
    return unresolved(`no step ${step} comes before this`, hint);
  }
  const outputs = steps.get(step);
  if (!outputs || outputs.includes(output)) return undefined;
  return unresolved(
    `step ${step} has no output ${output}`,
    `it has ${outputs.join(', ') || 'none'}`,
  );
}

function unresolved(message: string, hint?: string): Fault {
  return { code: 'unresolved-placeholder', message, ...(hint === undefined ? {} : { hint }) };
}
