import { relative, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseWholeNumber } from '../../base/amounts.js';
import { UsageError } from '../../base/errors.js';
import { findHeaderProblem, isHttpUrl } from '../../base/http/http-syntax.js';
import { quoteForShell } from '../../base/text.js';
import { builtinAgents } from '../../config/agent-kinds.js';
import { getExampleModel, needsModel } from '../../config/files/agent-file.js';
import type { Environment } from '../../config/placeholders/environment-variables.js';
import type { McpServerData } from '../../config/schemas/mcp-config-schema.js';
import {
  holdsSecret,
  isCredentialHeader,
  soundsSecret,
} from '../../config/secrets/secret-names.js';
import { addArguments, addUrlParts } from '../../config/secrets/secret-values.js';
import { minSecretLength, Secrets } from '../../config/secrets/secrets.js';
import { resolveAgent } from '../../run/session/check-options.js';
import type { CommandRun } from '../command.js';
import type { CommandIo } from '../terminal/output.js';
import { printText, terminalColumns, wrapText } from '../terminal/text.js';
import type { AgentChoice } from './suite-files.js';

export interface InitAnswers {
  /** Absolute. */
  folder: string;
  /** The folder as it is shown to people. */
  shownFolder: string;
  server: McpServerData;
  /** Values that were given and are not written down, by the names of their variables. */
  secrets: Readonly<Record<string, string>>;
  name: string | undefined;
  agent: AgentChoice;
  tasks: number;
  isForced: boolean;
}

/** Collects what to write from options; the rest is asked for, or chosen where no questions are possible. */
export async function collectAnswers(
  call: CommandRun,
  questions: Questions | undefined,
): Promise<InitAnswers> {
  const { options } = call;
  const given = (key: string) => (typeof options[key] === 'string' ? options[key] : undefined);
  const serverProblem = (answer: string) =>
    findServerProblem(() => parseServerOptions(call, answer, ''));
  const server =
    given('server') ?? (await questions?.ask(serverQuestion, undefined, serverProblem));
  if (server === undefined) {
    const hint = 'such as --server "node server.js" or --server http://localhost:8080/mcp';
    throw new UsageError('--server is required without a terminal', hint);
  }
  const target = await askTarget(call, questions);
  return {
    ...target,
    ...parseServerOptions(call, server, target.folder),
    tasks: parseWholeNumber('--tasks', given('tasks') ?? '', 100),
  };
}

/** Where a suite goes, and who does its tasks. */
export type SuiteTarget = Pick<
  InitAnswers,
  'folder' | 'shownFolder' | 'name' | 'agent' | 'isForced'
>;

export async function askTarget(
  { arguments: [folderArgument], options }: CommandRun,
  questions: Questions | undefined,
): Promise<SuiteTarget> {
  const { agent: givenAgent, model, name, force } = options;
  const asked =
    typeof givenAgent === 'string'
      ? givenAgent
      : await questions?.ask(agentQuestion, 'scripted', findAgentProblem);
  const shownFolder = folderArgument ?? (await questions?.ask('Folder to write to', 'evals'));
  const folder = resolve(shownFolder ?? 'evals');
  const chosenModel = typeof model === 'string' ? model : undefined;
  return {
    folder,
    shownFolder: relative(process.cwd(), folder) || '.',
    name: typeof name === 'string' ? name : undefined,
    agent: await parseAgent(asked ?? 'scripted', chosenModel, folder, questions),
    isForced: force === true,
  };
}

/** A server as the command line describes it, and the secrets that are not written down. */
export function parseServerOptions(
  { options: { header, env }, io }: CommandRun,
  server: string,
  folder: string,
): Pick<InitAnswers, 'server' | 'secrets'> {
  const [headers, variables] = [header, env].map((list) => (Array.isArray(list) ? list : []));
  const started = parseServer(server, folder, headers ?? [], variables ?? []);
  const inServer = listServerSecrets(started);
  return {
    server: formatServer(started, { ...listSecretVariables(io.environment), ...inServer }),
    secrets: {
      ...listEnvSecrets(variables ?? []),
      ...listHeaderSecrets(headers ?? []),
      ...inServer,
    },
  };
}

const serverQuestion =
  'MCP server: command line, or URL (such as node server.js, or http://localhost:8080/mcp)';
const agentQuestion = `Agent: scripted (needs no model), ${builtinAgents.join(', ')}, or an Agent file`;

function findAgentProblem(answer: string): string | undefined {
  return findServerProblem(() => {
    if (answer !== 'scripted') resolveAgent(answer, 'agent', ['scripted', ...builtinAgents]);
  });
}

function findServerProblem(useAnswer: () => unknown): string | undefined {
  try {
    useAnswer();
    return undefined;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return [error.message, error.hint].filter((text) => text !== undefined).join('; ');
  }
}

function parseServer(
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
      ...(headers.length > 0 && { headers: Object.fromEntries(headers.map(formatHeader)) }),
    };
  }
  if (headers.length > 0) throw new UsageError('--header is for the URL of a server');
  const [command, ...args] = splitCommandLine(text) ?? [];
  const [variable] = /^[A-Za-z_]\w*=.*/s.exec(command ?? '') ?? [];
  if (variable !== undefined) {
    const hint = `write --env ${quoteForShell(variable)} --server ${quoteForShell(args.join(' '))}`;
    throw new UsageError('--server: a variable is set with --env, not before the command', hint);
  }
  if (command === undefined) {
    const reason = text.trim() === '' ? 'expected a value, found nothing' : 'a quote does not end';
    throw new UsageError(`--server: ${reason}`);
  }
  return {
    command,
    ...(args.length > 0 && { args }),
    ...(env.length > 0 && { env: Object.fromEntries(env.map(makeVariable)) }),
    // It finds its files wherever the check is started.
    cwd: relative(folder, process.cwd()) || '.',
  };
}

/** The credentials among arguments or in a URL, by the variables that take their places. */
function listServerSecrets({ args = [], url = '', env = {}, headers = {} }: McpServerData) {
  const secrets = new Secrets();
  addArguments(secrets, args);
  addUrlParts(secrets, url);
  const written = [...args, url].join('\n');
  const taken = new Set([...Object.keys(env), ...Object.keys(headers).map(makeVariableName)]);
  const found: Record<string, string> = {};
  for (const { name, value } of secrets.entries()) {
    if (!written.includes(value) || value.includes('${')) continue;
    const wanted = makeVariableName(name);
    let variable = wanted;
    for (let count = 2; taken.has(variable); count++) variable = `${wanted}_${count}`;
    taken.add(variable);
    found[variable] = value;
  }
  return found;
}

/** The variables of the environment that hold a secret: the value of one can be given under another name. */
function listSecretVariables(environment: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value = '']) =>
      value.length >= minSecretLength && holdsSecret(name, value) ? [[name, value]] : [],
    ),
  );
}

/** Each secret is written as the variable that holds it. */
function formatServer(server: McpServerData, secrets: Readonly<Record<string, string>>) {
  // The longest first: one can be a part of another.
  const entries = Object.entries(secrets).sort(([, a], [, b]) => b.length - a.length);
  const written = (text: string) =>
    entries.reduce((all, [name, value]) => all.replaceAll(value, () => `\${${name}}`), text);
  return {
    ...server,
    ...(server.args && { args: server.args.map(written) }),
    ...(server.env && { env: mapValues(server.env, written) }),
    ...(server.headers && { headers: mapValues(server.headers, written) }),
    ...(server.url !== undefined && { url: written(server.url) }),
  };
}

function mapValues(values: Readonly<Record<string, string>>, map: (value: string) => string) {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]));
}

/** A credential is not written down: a variable that is named after the header takes its place. */
function formatHeader(text: string): [string, string] {
  const [name, value] = parseHeader(text);
  const { scheme, credential, variable } = findCredential(name, value);
  return [name, credential === undefined ? value : `${scheme}\${${variable}}`];
}

function listHeaderSecrets(headers: readonly string[]): Record<string, string> {
  const credentials = headers.map(parseHeader).map(([name, value]) => findCredential(name, value));
  return Object.fromEntries(
    credentials.flatMap(({ credential, variable }) =>
      credential === undefined ? [] : [[variable, credential]],
    ),
  );
}

function findCredential(name: string, value: string) {
  const variable = makeVariableName(name);
  const [, scheme = '', credential] = /^((?:bearer|basic|token)\s+)?(.*)$/i.exec(value) ?? [];
  const isLiteral = (isCredentialHeader(name) || soundsSecret(name)) && !value.includes('${');
  return { scheme, variable, credential: isLiteral ? credential : undefined };
}

/** The variable that takes the place of a secret with this name. */
export function makeVariableName(name: string): string {
  return name
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '_')
    .replace(/^(?=\d)/, '_');
}

function parseHeader(text: string): [string, string] {
  const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(text) ?? [];
  const problem = name === '' ? 'expected "Name: value"' : findHeaderProblem(name, value);
  if (problem !== undefined) throw new UsageError(`--header: ${problem}`);
  return [name, value];
}

/**
 * A name alone stands for the variable of the same name, so that its value is not written down. Nor is
 * one that sounds like a secret.
 */
function makeVariable(text: string): [string, string] {
  const { name, value } = parseVariable(text);
  return [name, value === undefined || soundsSecret(name) ? `\${${name}}` : value];
}

function listEnvSecrets(env: readonly string[]): Record<string, string> {
  const secrets = env.map(parseVariable).filter(({ name }) => soundsSecret(name));
  return Object.fromEntries(
    secrets.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])),
  );
}

function parseVariable(text: string): { name: string; value: string | undefined } {
  const [, name = '', value] = /^([A-Za-z_][A-Za-z0-9_]*)(?:=(.*))?$/s.exec(text) ?? [];
  if (name === '') throw new UsageError('--env: expected NAME=value, or NAME');
  return { name, value };
}

async function parseAgent(
  text: string,
  model: string | undefined,
  folder: string,
  questions: Questions | undefined,
): Promise<AgentChoice> {
  if (text === 'scripted') {
    if (model !== undefined) throw new UsageError('--model: a scripted agent has no model');
    return { type: 'scripted' };
  }
  const reference = resolveAgent(text, '--agent', ['scripted', ...builtinAgents]);
  if (reference.type === 'file') {
    return { type: 'file', path: relative(folder, reference.path ?? ''), model };
  }
  const name = reference.type.replace(/^builtin\./, '');
  if (model !== undefined || !needsModel(name)) return { type: 'builtin', name, model };
  const example = getExampleModel(name);
  const answer = await questions?.ask('Model', example);
  if (answer === undefined) {
    throw new UsageError(`--agent ${name} needs a model`, `such as --model ${example}`);
  }
  return { type: 'builtin', name, model: answer };
}

/**
 * The words of a command line as people type it, with quotes and backslashes as a shell has them.
 * Undefined: a quote does not end. Nothing is expanded.
 */
export function splitCommandLine(line: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let at = 0; at < line.length; at++) {
    const letter = line[at] ?? '';
    if (letter === '\\' && quote !== "'" && at + 1 < line.length) {
      at += 1;
      word = (word ?? '') + line[at];
    } else if (quote !== '') {
      if (letter === quote) quote = '';
      else word += letter;
    } else if (letter === '"' || letter === "'") {
      quote = letter;
      word ??= '';
    } else if (/\s/.test(letter)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? '') + letter;
    }
  }
  if (quote !== '') return undefined;
  if (word !== undefined) words.push(word);
  return words;
}

/** Asks people. */
export interface Questions {
  /**
   * An empty answer is the default. Without one, and where `problemOf` objects to an answer, the question
   * is asked again.
   */
  ask(
    question: string,
    initial?: string,
    problemOf?: (answer: string) => string | undefined,
  ): Promise<string>;
  close(): void;
}

/** The user pressed Ctrl-C or Ctrl-D. */
export class NoAnswerError extends Error {}

export function questionsOn(input: NodeJS.ReadStream, { stderr }: CommandIo): Questions {
  // Its own echo is what people see; the questions are ours.
  const lines = createInterface({ input, output: process.stderr, terminal: true });
  const gone = new AbortController();
  lines.on('SIGINT', () => gone.abort());
  lines.on('close', () => gone.abort());
  return {
    async ask(question, initial, problemOf) {
      const hint = initial ? ` [${initial}]` : '';
      for (;;) {
        const shown = wrapText(`${question}${hint}: `, terminalColumns(stderr)).split('\n');
        const prompt = shown.pop() ?? '';
        for (const line of shown) stderr.write(`${line}\n`);
        const answer = await lines.question(prompt, { signal: gone.signal }).catch(() => {
          stderr.write('\n');
          throw new NoAnswerError();
        });
        const text = answer.trim() || initial;
        const problem = text === undefined ? 'An answer is needed.' : problemOf?.(text);
        if (text !== undefined && problem === undefined) return text;
        printText(stderr, `${problem}\n`);
      }
    },
    close: () => lines.close(),
  };
}
