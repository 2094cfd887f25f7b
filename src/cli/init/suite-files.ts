import { mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { UsageError } from '../../base/errors.js';
import { plural, slugify } from '../../base/text.js';
import { explainWriteFailure } from '../../base/write-failure.js';
import type { McpServerData } from '../../config/schemas/mcp-config-schema.js';
import type { ChosenTool } from './tools.js';

export interface SuiteDescription {
  /** Name of the eval. */
  name: string;
  /** The servers by name; or the MCP config that has them, from the folder of the suite. */
  mcp: { servers: Readonly<Record<string, McpServerData>> } | { file: string };
  tasks: readonly SuiteTask[];
  /** Tools that no task should need. */
  forbidden: readonly { server: string; tool: string }[];
  maxToolCalls: number;
  agent: AgentChoice;
}

/** A task, and how the scripted agent does it. */
export interface SuiteTask {
  name: string;
  /** Empty: left to the author. `validate` and `check` refuse the suite until it is written. */
  prompt: string;
  comment: string;
  difficulty?: string;
  actions: readonly object[];
  assertions: object;
}

/** Who does the tasks. A scripted agent is written for these tools, others are named. */
export type AgentChoice =
  | { type: 'scripted' }
  | { type: 'builtin'; name: string; model: string | undefined }
  | { type: 'file'; path: string; model: string | undefined };

/** The files of a suite, by their path in its folder. */
export function makeSuiteFiles(suite: SuiteDescription): Map<string, string> {
  const { mcp, agent, tasks } = suite;
  return new Map([
    ['eval.yaml', makeEvalFile(suite)],
    ...('servers' in mcp ? [['mcp-config.yaml', makeMcpConfigFile(mcp.servers)] as const] : []),
    ...(agent.type === 'scripted' ? [['agent.yaml', makeScriptFile(tasks)] as const] : []),
    ...tasks.map((task) => [`tasks/${task.name}.yaml`, makeTaskFile(suite, task)] as const),
  ]);
}

/** A task for each tool, after what its author says it is for. */
export function makeTasksForTools(server: string, chosen: readonly ChosenTool[]): SuiteTask[] {
  const names = new TaskNames();
  return chosen.map((tool) => ({
    name: names.make(describePurpose(tool), [tool.name], 'try-it'),
    prompt: makePrompt(tool),
    comment:
      'Write the prompt as your users would ask, and add a step to `verify` that looks whether it was done.',
    difficulty: 'easy',
    actions: [{ call: { server, tool: tool.name, args: tool.args } }],
    assertions: { toolsUsed: [{ server, tool: tool.name }] },
  }));
}

const mostNameWords = 6;
const emptyWords = new Set(['a', 'an', 'the', 'please']);

/** Names of tasks: after what a user wants, never after a tool, and each only once. */
export class TaskNames {
  readonly #taken = new Set<string>();

  make(wish: string, tools: readonly string[], otherwise: string): string {
    const words = splitWords(wish).filter((word) => !emptyWords.has(word));
    const own = tools.reduce((left, tool) => withoutRun(left, splitWords(tool)), words);
    const wanted = own.slice(0, mostNameWords).join('-');
    const slug = /[a-z0-9]/.test(wanted.normalize('NFKD')) ? slugify(wanted) : otherwise;
    let name = slug;
    for (let copy = 2; this.#taken.has(name); copy++) name = `${slug}-${copy}`;
    this.#taken.add(name);
    return name;
  }
}

/** `readGraph`, `read_graph` and `Read graph` are the same words. */
function splitWords(text: string): string[] {
  return text
    .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
    .replace(/['’]/g, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/**
 * What is left of a purpose without the tool's name in it. A name of one word is mostly a verb, which a
 * user would use too, and goes only if nothing else is said.
 */
function withoutRun(words: readonly string[], name: readonly string[]): string[] {
  if (words.join(' ') === name.join(' ')) return [];
  if (name.length < 2) return [...words];
  const start = words.findIndex((_, at) => name.every((word, next) => words[at + next] === word));
  if (start === -1) return [...words];
  const rest = [...words.slice(0, start), ...words.slice(start + name.length)];
  // What began with the name does not begin with a preposition.
  const first = rest.findIndex((word) => !connectives.has(word));
  const own = first === -1 ? [] : rest.slice(first);
  return own.length < 2 ? [] : own;
}

const connectives: ReadonlySet<string> = new Set(
  'and as at by for from in into of on or that to using via which with'.split(' '),
);

/** The first sentence of its description, without the tool's name. */
function describePurpose({ name, description }: ChosenTool): string {
  const text = stripControlCharacters(description);
  const isLabelled = text.toLowerCase().startsWith(name.toLowerCase());
  const [label = ''] = (isLabelled && /^\s*[:–—-]\s+/.exec(text.slice(name.length))) || [];
  const words = label === '' ? text : text.slice(name.length + label.length);
  const [sentence = ''] = /^.{10,300}?[.!?](?=\s|$)/.exec(words) ?? [words.slice(0, 300)];
  // A name such as get_sum is no word that stands there by chance.
  const isTelling = splitWords(name).length > 1 && !name.includes(' ');
  return isTelling ? sentence.replaceAll(name, 'this tool') : sentence;
}

/** The tool's purpose in its author's words: a prompt that names the tool would test nothing. */
function makePrompt(tool: ChosenTool): string {
  const { name, args } = tool;
  const purpose = describePurpose(tool);
  const what = purpose === '' ? stripControlCharacters(name).replace(/[_-]+/g, ' ') : purpose;
  const given = Object.entries(args).map(
    ([key, value]) =>
      `${stripControlCharacters(key)} = ${stripControlCharacters(JSON.stringify(value))}`,
  );
  const values = given.length > 0 ? ` Take these values: ${given.join(', ')}.` : '';
  return `Do this with the tools that you have: ${what.replace(/[.!?]?$/, '.')}${values}`;
}

/** In one line, without what would be filled in when the prompt is read. */
function stripControlCharacters(text: string): string {
  return text
    .replace(/[{}$]/g, '')
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
}

function makeEvalFile(suite: SuiteDescription): string {
  const { name, mcp, agent, maxToolCalls } = suite;
  const forbidden = suite.forbidden.slice(0, 50);
  const config = {
    kind: 'Eval',
    apiVersion: 'proctor/v1',
    metadata: { name },
    config: {
      agent: makeAgentReference(agent),
      mcpConfigFile: 'file' in mcp ? mcp.file : 'mcp-config.yaml',
      defaultTaskLimits: { timeout: '5m' },
      taskSets: [
        {
          glob: 'tasks/*.yaml',
          assertions: {
            maxToolCalls,
            maxToolErrors: 0,
            ...(forbidden.length > 0 && { toolsNotUsed: forbidden }),
          },
        },
      ],
    },
  };
  return withComment('What is evaluated: an agent, MCP servers and tasks.', config);
}

function makeAgentReference(agent: AgentChoice): object {
  if (agent.type === 'scripted') return { type: 'file', path: 'agent.yaml' };
  const { model } = agent;
  const given = model === undefined ? {} : { model };
  if (agent.type === 'file') return { type: 'file', path: agent.path, ...given };
  return { type: `builtin.${agent.name}`, ...given };
}

function makeMcpConfigFile(mcpServers: Readonly<Record<string, McpServerData>>): string {
  return withComment(
    'The MCP servers under evaluation. Secrets belong in the environment: ${NAME} stands for a variable.',
    { mcpServers },
  );
}

function makeScriptFile(tasks: readonly SuiteTask[]): string {
  const comment = `Plays a script instead of a model: no key, no cost, always the same. It shows that the suite works;
to see what a real agent does with it, run \`proctor check --agent claude-code\`.`;
  return withComment(comment, {
    kind: 'Agent',
    metadata: { name: 'scripted' },
    scripted: tasks.map(({ name, actions }) => ({
      task: name,
      do: [...actions, { say: 'Done.' }],
    })),
  });
}

function makeTaskFile({ agent }: SuiteDescription, task: SuiteTask): string {
  const { name, prompt, comment, difficulty, assertions } = task;
  const rule =
    agent.type === 'scripted'
      ? '\nThe script in agent.yaml knows the task by its name: the prompt can say anything.'
      : '';
  return withComment(`${comment}${rule}`, {
    kind: 'Task',
    apiVersion: 'proctor/v1',
    metadata: { name, ...(difficulty !== undefined && { difficulty }) },
    spec: { prompt: { inline: prompt }, assertions },
  });
}

function withComment(comment: string, data: object): string {
  const lines = comment.split('\n').map((line) => `# ${line}\n`);
  return lines.join('') + stringify(data, { lineWidth: 100 });
}

/** Writes files into a folder: all of them, or none if one of them would take the place of another. */
export async function writeFiles(
  folder: string,
  files: ReadonlyMap<string, string>,
  isForced: boolean,
): Promise<void> {
  if (!isForced) await refuseExisting(folder, [...files.keys()]);
  for (const [name, text] of files) {
    const path = join(folder, name);
    try {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text, { flag: isForced ? 'w' : 'wx' });
    } catch (error) {
      throw new UsageError(`cannot write ${path}: ${explainWriteFailure(error).reason}`);
    }
  }
}

async function refuseExisting(folder: string, names: readonly string[]): Promise<void> {
  const found: string[] = [];
  for (const name of names) {
    const isThere = await stat(join(folder, name)).then(
      () => true,
      () => false,
    );
    if (isThere) found.push(name);
  }
  if (found.length === 0) return;
  const shown = found.slice(0, 5).join(', ');
  const hint = 'choose another folder, or overwrite with --force';
  throw new UsageError(`${folder} has ${plural(found.length, 'file')} already: ${shown}`, hint);
}
