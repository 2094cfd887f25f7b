import { didYouMean } from '../../base/nearest.js';
import { agentKeys, findModelForm, getKindFacts } from '../agent-kinds.js';
import { parseTemplate } from '../command-template/go-template.js';
import { findPromptPlaces } from '../command-template/prompt-quoting/prompt-quoting.js';
import type { TemplateProblem } from '../command-template/template-tokens.js';
import { exampleModels, findProvider, providerNames } from '../models.js';
import type { Problems } from '../problems/problem.js';
import type { ProblemCode } from '../problems/problem-codes.js';
import { checkShape } from '../problems/shape-check.js';
import { type AgentData, agentSchema } from '../schemas/agent-schema.js';
import { checkKind, type NamedBy, readDataFile } from '../yaml/data-file.js';
import type { DataPath, SourceFile } from '../yaml/source-file.js';

export interface AgentFile {
  source: SourceFile;
  data: AgentData;
}

/** What each command template may refer to. */
const templateFields = {
  runPrompt: ['Prompt', 'McpServerFileArgs', 'AllowedToolArgs'],
  argTemplateMcpServer: ['File', 'URL', 'ServerName'],
  argTemplateAllowedTools: ['ServerName', 'ToolName'],
} as const;

/** No command line is longer; how the prompt is quoted takes more than linear time to find out. */
const maxTemplate = 10_000;

/** Reads an Agent file and checks everything but whether its program is there. */
export function readAgentFile(
  path: string,
  problems: Problems,
  namedBy?: NamedBy,
): AgentFile | undefined {
  const file = readDataFile(path, problems, namedBy);
  if (!file || !checkKind(file, 'Agent', problems, namedBy)) return undefined;
  const { source } = file;
  const data = checkShape({ file: source, schema: agentSchema, value: file.data, problems });
  if (!data) return undefined;
  checkWays(source, data, problems);
  if (data.builtin) checkModel(source, ['builtin'], data.builtin, problems);
  checkCommands(source, data, problems);
  return { source, data };
}

function checkWays(source: SourceFile, data: AgentData, problems: Problems) {
  if (source.isFaulty(['builtin'])) return;
  const present = agentKeys.filter((way) => data[way] !== undefined || source.isFaulty([way]));
  const [first, ...others] = present;
  if (first === undefined) {
    problems.atKey(source, [], 'missing-field', `an Agent needs one of ${agentKeys.join(', ')}`);
  }
  for (const other of others) {
    const overrides = first === 'builtin' && other === 'commands';
    if (overrides && getKindFacts(data).takesCommands) continue;
    const message = overrides
      ? `commands cannot override ${data.builtin?.type}: it runs no command`
      : `${other} cannot be combined with ${first}: an Agent has one way to run`;
    problems.atKey(source, [other], 'conflicting-fields', message);
  }
}

function checkCommands(source: SourceFile, data: AgentData, problems: Problems) {
  const { commands } = data;
  if (!commands) return;
  const needed = !data.builtin && !source.isFaulty(['builtin']);
  const isFaulty = source.isFaulty(['commands', 'runPrompt']);
  if (commands.runPrompt === undefined && needed && !isFaulty) {
    problems.atKey(source, ['commands'], 'missing-field', 'runPrompt is required in commands');
  }
  for (const [key, fields] of Object.entries(templateFields)) {
    const text = commands[key as keyof typeof templateFields];
    if (text === undefined) continue;
    const path = ['commands', key];
    if (text.length > maxTemplate) {
      const message = `the template is longer than ${maxTemplate} characters`;
      const hint = 'put the commands into a script';
      problems.atKey(source, path, 'invalid-template', message, hint);
      continue;
    }
    const parsed = parseTemplate(text, fields);
    reportTemplateProblems(source, path, 'invalid-template', parsed.problems, problems);
    if (key !== 'runPrompt' || parsed.problems.length > 0) continue;
    const placed = findPromptPlaces(parsed.template);
    reportTemplateProblems(source, path, 'unsafe-prompt-place', placed.problems, problems);
  }
}

function reportTemplateProblems(
  source: SourceFile,
  path: DataPath,
  code: ProblemCode,
  faults: readonly TemplateProblem[],
  problems: Problems,
) {
  for (const { offset, length, message, hint } of faults) {
    problems.atPart(source, path, { offset, length }, code, message, hint);
  }
}

/**
 * Checks the model of a built-in agent, given either as `{type, model}` in an eval or under
 * `builtin` in an Agent file. `type` is without the prefix `builtin.`.
 */
export function checkModel(
  file: SourceFile,
  path: DataPath,
  builtin: {
    type: string;
    model?: string | undefined;
    useResponsesAPI?: boolean | undefined;
  },
  problems: Problems,
): void {
  const { type, model } = builtin;
  if (builtin.useResponsesAPI !== undefined && !hasResponsesAPI(type, model)) {
    const message = 'useResponsesAPI means nothing here: only models of OpenAI have it';
    problems.atKey(file, [...path, 'useResponsesAPI'], 'unknown-key', message);
  }
  if (model === undefined) {
    if (!needsModel(type) || file.isFaulty([...path, 'model'])) return;
    problems.atKey(file, path, 'missing-model', ...describeMissingModel(type));
    return;
  }
  const flaw = findModelFlaw(type, model);
  if (flaw) problems.atValue(file, [...path, 'model'], 'invalid-value', flaw.message, flaw.hint);
}

/** Also where it is not clear which provider is meant: that is reported elsewhere. */
function hasResponsesAPI(type: string, model = ''): boolean {
  const form = findModelForm(type);
  if (form !== 'provider:id') return form !== 'own';
  const provider = findProvider(model.split(':', 1)[0] ?? '');
  return provider !== 'anthropic' && provider !== 'google';
}

/** Whether a built-in agent requires a model to be named. */
export function needsModel(type: string): boolean {
  return (findModelForm(type) ?? 'own') !== 'own';
}

/** A model that can be named for a built-in agent. */
export function getExampleModel(type: string): string {
  const { small } = exampleModels;
  return findModelForm(type) === 'provider:id' ? `openai:${small}` : small;
}

/** The message and the hint for a built-in agent without a model. */
export function describeMissingModel(type: string): [message: string, hint: string] {
  const form = findModelForm(type) === 'provider:id' ? 'as provider:id, ' : '';
  return [`${type} needs a model`, `add a model, ${form}such as ${getExampleModel(type)}`];
}

/** What is wrong with the name of a model for an agent; `type` is without the prefix `builtin.`. */
export function findModelFlaw(
  type: string,
  model: string,
): { message: string; hint?: string | undefined } | undefined {
  if (findModelForm(type) !== 'provider:id') return undefined;
  const [provider = '', ...id] = model.split(':');
  if (id.join(':') === '') {
    const message = `the model of an ${type} is provider:id, found ${JSON.stringify(model)}`;
    return { message, hint: `such as ${getExampleModel(type)}` };
  }
  if (findProvider(provider) !== undefined) return undefined;
  const message = `unknown provider ${provider}: expected one of ${providerNames.join(', ')}`;
  return { message, hint: didYouMean(provider, providerNames) };
}
