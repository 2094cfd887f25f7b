import { stringify } from 'yaml';
import type { McpServerData } from '../../config/schemas/mcp-config-schema.js';
import { slugOf } from '../../run/slug.js';
import type { ChosenTool, ToolChoice } from './chosen-tools.js';

export interface SuiteDescription {
  /** Of the server, in the MCP config. */
  server: string;
  serverData: McpServerData;
  tools: ToolChoice;
  agent: AgentChoice;
}

/** Who does the tasks. A scripted agent is written for these tools, others are named. */
export type AgentChoice =
  | { type: 'scripted' }
  | { type: 'builtin'; name: string; model: string | undefined }
  | { type: 'file'; path: string; model: string | undefined };

/** The files of a suite, by their path in its folder. */
export function suiteFiles(suite: SuiteDescription): Map<string, string> {
  const tasks = tasksOf(suite);
  return new Map([
    ['eval.yaml', evalFile(suite)],
    ['mcp-config.yaml', mcpConfigFile(suite)],
    ...(suite.agent.type === 'scripted'
      ? [['agent.yaml', scriptFile(suite.server, tasks)] as const]
      : []),
    ...tasks.map((task) => [`tasks/${task.name}.yaml`, taskFile(suite.server, task)] as const),
  ]);
}

interface Task {
  name: string;
  prompt: string;
  tool: ChosenTool;
}

function tasksOf({ tools: { chosen } }: SuiteDescription): Task[] {
  const names = new Set<string>();
  const prompts = new Set<string>();
  return chosen.map((tool) => {
    const slug = slugOf(tool.name);
    let name = slug;
    for (let copy = 2; names.has(name); copy++) name = `${slug}-${copy}`;
    names.add(name);
    const plain = promptFor(tool);
    // Two tools may be described alike, and the script has to tell them apart.
    const prompt = prompts.has(plain) ? `${plain} (${plainText(tool.name)})` : plain;
    prompts.add(prompt);
    return { name, prompt, tool };
  });
}

/** What the tool is for, in its author's words: a prompt that names it would test nothing. */
function promptFor({ name, description, args }: ChosenTool): string {
  const words = plainText(description);
  const [sentence = ''] = /^.{10,300}?[.!?](?=\s|$)/.exec(words) ?? [words.slice(0, 300)];
  const what = sentence === '' ? plainText(name).replace(/[_-]+/g, ' ') : sentence;
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

function evalFile({ server, tools, agent }: SuiteDescription): string {
  const forbidden = tools.destructive.slice(0, 50);
  const config = {
    kind: 'Eval',
    apiVersion: 'proctor/v1',
    metadata: { name: server },
    config: {
      agent: agentReference(agent),
      mcpConfigFile: 'mcp-config.yaml',
      defaultTaskLimits: { timeout: '5m' },
      taskSets: [
        {
          glob: 'tasks/*.yaml',
          assertions: {
            maxToolCalls: 10,
            maxToolErrors: 0,
            ...(forbidden.length > 0 && {
              toolsNotUsed: forbidden.map((tool) => ({ server, tool })),
            }),
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

function mcpConfigFile({ server, serverData }: SuiteDescription): string {
  return withComment(
    'The MCP servers under evaluation. Secrets belong into the environment: ${NAME} stands for a variable.',
    { mcpServers: { [server]: { ...serverData, enableAllTools: true } } },
  );
}

function scriptFile(server: string, tasks: readonly Task[]): string {
  const comment = `Plays a script in place of a model: no key, no cost, always the same. It shows that the suite works;
what real agents make of it, \`proctor check --agent claude-code\` tells.`;
  return withComment(comment, {
    kind: 'Agent',
    metadata: { name: 'scripted' },
    scripted: tasks.map(({ prompt, tool: { name, args } }) => ({
      when: `^${quoted(prompt)}\\s*$`,
      do: [{ call: { server, tool: name, args } }, { say: 'Done.' }],
    })),
  });
}

function quoted(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function taskFile(server: string, { name, prompt, tool }: Task): string {
  const comment = `Write the prompt as your users would ask, and add a step to \`verify\` that looks whether it was done.`;
  return withComment(comment, {
    kind: 'Task',
    apiVersion: 'proctor/v1',
    metadata: { name, difficulty: 'easy' },
    spec: {
      prompt: { inline: prompt },
      assertions: { toolsUsed: [{ server, tool: tool.name }] },
    },
  });
}

function withComment(comment: string, data: object): string {
  const lines = comment.split('\n').map((line) => `# ${line}\n`);
  return lines.join('') + stringify(data, { lineWidth: 100 });
}
