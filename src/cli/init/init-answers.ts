import { relative, resolve } from 'node:path';
import { headerProblem } from '../../config/http-header.js';
import { isHttpUrl } from '../../config/http-url.js';
import { builtinAgents } from '../../config/schemas/builtin-agents.js';
import type { McpServerData } from '../../config/schemas/mcp-config-schema.js';
import { soundsSecret } from '../../config/secret-names.js';
import { agentOverride } from '../agent-override.js';
import type { CommandRun } from '../command.js';
import { UsageError } from '../exit-codes.js';
import { wholeNumber } from '../options.js';
import { commandWords } from './command-words.js';
import type { Questions } from './questions.js';
import type { AgentChoice } from './suite-files.js';

export interface InitAnswers {
  /** Absolute. */
  folder: string;
  /** As people see it. */
  shownFolder: string;
  server: McpServerData;
  /** Values that were given and are not written down, by the names of their variables. */
  secrets: Readonly<Record<string, string>>;
  name: string | undefined;
  agent: AgentChoice;
  tasks: number;
  isForced: boolean;
}

/** What is to be written, from options; what they leave open is asked, or chosen if nobody can be asked. */
export async function initAnswers(
  { arguments: [folderArgument], options }: CommandRun,
  questions: Questions | undefined,
): Promise<InitAnswers> {
  const given = (key: string) => (typeof options[key] === 'string' ? options[key] : undefined);
  const listed = (key: string) => (Array.isArray(options[key]) ? options[key] : []);
  const server = given('server') ?? (await questions?.ask(serverQuestion));
  if (server === undefined) {
    const hint = 'such as --server "node server.js" or --server http://localhost:8080/mcp';
    throw new UsageError('--server is needed where nobody can be asked', hint);
  }
  const agent = given('agent') ?? (await questions?.ask(agentQuestion, 'scripted')) ?? 'scripted';
  const shownFolder = folderArgument ?? (await questions?.ask('Folder to write to', 'evals'));
  const folder = resolve(shownFolder ?? 'evals');
  return {
    folder,
    shownFolder: relative(process.cwd(), folder) || '.',
    server: serverFrom(server, folder, listed('header'), listed('env')),
    secrets: secretsOf(listed('env')),
    name: given('name'),
    agent: await agentFrom(agent, given('model'), folder, questions),
    tasks: wholeNumber('--tasks', given('tasks') ?? '', 100),
    isForced: options.force === true,
  };
}

const serverQuestion = 'MCP server: command line, or URL';
const agentQuestion = 'Agent: scripted (needs no model), claude-code, openai-agent, llm-agent';

function serverFrom(
  text: string,
  folder: string,
  headers: readonly string[],
  env: readonly string[],
): McpServerData {
  if (isHttpUrl(text.trim())) {
    if (env.length > 0)
      throw new UsageError('--env is for a server that is started, not for a URL');
    return {
      url: text.trim(),
      ...(headers.length > 0 && { headers: Object.fromEntries(headers.map(headerFrom)) }),
    };
  }
  if (headers.length > 0) throw new UsageError('--header is for the URL of a server');
  const [command, ...args] = commandWords(text) ?? [];
  if (command === undefined) {
    const reason = text.trim() === '' ? 'expected a value, found nothing' : 'a quote does not end';
    throw new UsageError(`--server: ${reason}`);
  }
  return {
    command,
    ...(args.length > 0 && { args }),
    ...(env.length > 0 && { env: Object.fromEntries(env.map(variableFrom)) }),
    // It finds its files wherever the check is started.
    cwd: relative(folder, process.cwd()) || '.',
  };
}

function headerFrom(text: string): [string, string] {
  const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(text) ?? [];
  const problem = name === '' ? 'expected "Name: value"' : headerProblem(name, value);
  if (problem !== undefined) throw new UsageError(`--header: ${problem}`);
  return [name, value];
}

/**
 * A name alone stands for the variable of the same name, so that its value is not written down. Nor is
 * one that sounds like a secret.
 */
function variableFrom(text: string): [string, string] {
  const { name, value } = givenVariable(text);
  return [name, value === undefined || soundsSecret(name) ? `\${${name}}` : value];
}

function secretsOf(env: readonly string[]): Record<string, string> {
  const secrets = env.map(givenVariable).filter(({ name }) => soundsSecret(name));
  return Object.fromEntries(
    secrets.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])),
  );
}

function givenVariable(text: string): { name: string; value: string | undefined } {
  const [, name = '', value] = /^([A-Za-z_][A-Za-z0-9_]*)(?:=(.*))?$/s.exec(text) ?? [];
  if (name === '') throw new UsageError('--env: expected NAME=value, or NAME');
  return { name, value };
}

async function agentFrom(
  text: string,
  model: string | undefined,
  folder: string,
  questions: Questions | undefined,
): Promise<AgentChoice> {
  if (text === 'scripted') {
    if (model !== undefined) throw new UsageError('--model: a scripted agent has no model');
    return { type: 'scripted' };
  }
  const reference = agentOverride(text, '--agent', ['scripted', ...builtinAgents]);
  if (reference.type === 'file') {
    return { type: 'file', path: relative(folder, reference.path ?? ''), model };
  }
  const name = reference.type.replace(/^builtin\./, '');
  const example = modelExamples.get(name);
  if (model !== undefined || example === undefined) return { type: 'builtin', name, model };
  const answer = await questions?.ask('Model', example);
  if (answer === undefined) {
    throw new UsageError(`--agent ${name} needs a model`, `such as --model ${example}`);
  }
  return { type: 'builtin', name, model: answer };
}

/** Of agents that do not choose one themselves. */
const modelExamples = new Map([
  ['openai-agent', 'gpt-5-mini'],
  ['openai-acp', 'gpt-5-mini'],
  ['llm-agent', 'openai:gpt-5-mini'],
]);
