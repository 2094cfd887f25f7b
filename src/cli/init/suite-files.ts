import { stringify } from 'yaml';
import { slugify } from '../../base/text.js';
import type { McpServerData } from '../../config/schemas/mcp-config-schema.js';
import type { ChosenTool } from './chosen-tools.js';

export interface SuiteDescription {
  /** Of the eval. */
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
  /** Empty: somebody has to write it. `validate` and `check` refuse the suite until then. */
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
export function suiteFiles(suite: SuiteDescription): Map<string, string> {
  const { mcp, agent, tasks } = suite;
  return new Map([
    ['eval.yaml', evalFile(suite)],
    ...('servers' in mcp ? [['mcp-config.yaml', mcpConfigFile(mcp.servers)] as const] : []),
    ...(agent.type === 'scripted' ? [['agent.yaml', scriptFile(tasks)] as const] : []),
    ...tasks.map((task) => [`tasks/${task.name}.yaml`, taskFile(suite, task)] as const),
  ]);
}

/** A task for each tool, after what its author says it is for. */
export function tasksForTools(server: string, chosen: readonly ChosenTool[]): SuiteTask[] {
  const names = new TaskNames();
  return chosen.map((tool) => ({
    name: names.make(purposeOf(tool), [tool.name], 'try-it'),
    prompt: promptFor(tool),
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
    const words = wordsOf(wish).filter((word) => !emptyWords.has(word));
    const own = tools.reduce((left, tool) => withoutRun(left, wordsOf(tool)), words);
    const wanted = own.slice(0, mostNameWords).join('-');
    const slug = /[a-z0-9]/.test(wanted.normalize('NFKD')) ? slugify(wanted) : otherwise;
    let name = slug;
    for (let copy = 2; this.#taken.has(name); copy++) name = `${slug}-${copy}`;
    this.#taken.add(name);
    return name;
  }
}

/** `readGraph`, `read_graph` and `Read graph` are the same words. */
function wordsOf(text: string): string[] {
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
function purposeOf({ name, description }: ChosenTool): string {
  const text = plainText(description);
  const isLabelled = text.toLowerCase().startsWith(name.toLowerCase());
  const [label = ''] = (isLabelled && /^\s*[:–—-]\s+/.exec(text.slice(name.length))) || [];
  const words = label === '' ? text : text.slice(name.length + label.length);
  const [sentence = ''] = /^.{10,300}?[.!?](?=\s|$)/.exec(words) ?? [words.slice(0, 300)];
  // A name such as get_sum is no word that stands there by chance.
  const isTelling = wordsOf(name).length > 1 && !name.includes(' ');
  return isTelling ? sentence.replaceAll(name, 'this tool') : sentence;
}

/** What the tool is for, in its author's words: a prompt that names it would test nothing. */
function promptFor(tool: ChosenTool): string {
  const { name, args } = tool;
  const purpose = purposeOf(tool);
  const what = purpose === '' ? plainText(name).replace(/[_-]+/g, ' ') : purpose;
  const given = Object.entries(args).map(
    ([key, value]) => `${plainText(key)} = ${plainText(JSON.stringify(value))}`,
  );
  const values = given.length > 0 ? ` Take these values: ${given.join(', ')}.` : '';
  return `Do this with the tools that you have: ${what.replace(/[.!?]?$/, '.')}${values}`;
}

/** In one line, without what would be filled in when the prompt is read. */
function plainText(text: string): string {
  return text
    .replace(/[{}$]/g, '')
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
}

function evalFile(suite: SuiteDescription): string {
  const { name, mcp, agent, maxToolCalls } = suite;
  const forbidden = suite.forbidden.slice(0, 50);
  const config = {
    kind: 'Eval',
    apiVersion: 'proctor/v1',
    metadata: { name },
    config: {
      agent: agentReference(agent),
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

function agentReference(agent: AgentChoice): object {
  if (agent.type === 'scripted') return { type: 'file', path: 'agent.yaml' };
  const { model } = agent;
  const given = model === undefined ? {} : { model };
  if (agent.type === 'file') return { type: 'file', path: agent.path, ...given };
  return { type: `builtin.${agent.name}`, ...given };
}

function mcpConfigFile(mcpServers: Readonly<Record<string, McpServerData>>): string {
  return withComment(
    'The MCP servers under evaluation. Secrets belong in the environment: ${NAME} stands for a variable.',
    { mcpServers },
  );
}

function scriptFile(tasks: readonly SuiteTask[]): string {
  const comment = `Plays a script in place of a model: no key, no cost, always the same. It shows that the suite works;
what real agents make of it, \`proctor check --agent claude-code\` tells.`;
  return withComment(comment, {
    kind: 'Agent',
    metadata: { name: 'scripted' },
    scripted: tasks.map(({ name, actions }) => ({
      task: name,
      do: [...actions, { say: 'Done.' }],
    })),
  });
}

function taskFile({ agent }: SuiteDescription, task: SuiteTask): string {
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
