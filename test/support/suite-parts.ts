import { serverProgram } from './mcp-servers.js';

/** What a suite is made of; whatever is left out is there all the same, and harmless. */
export interface SuiteParts {
  /** By name, which is also that of its file. */
  tasks: Record<string, TaskParts>;
  /** What stands in the Agent file besides its kind. */
  agent?: object;
  servers?: Record<string, object>;
  /** More of the eval's `config`. */
  config?: object;
  /** Of the one task set. */
  assertions?: object;
  /** More files. */
  files?: Record<string, string>;
}

/** A task: `steps` in the older shape, `spec` in the newer; the rest is its metadata. */
interface TaskParts {
  steps?: object;
  spec?: object;
  labels?: Record<string, string>;
  difficulty?: string;
  parallel?: boolean;
  runs?: number;
}

/** A server of the fixtures that tells about itself, every tool allowed. */
export function tellingServer(mode: string[] = [], more: object = {}) {
  const program = serverProgram('telling-stdio-server.mjs');
  return { command: process.execPath, args: [program, ...mode], enableAllTools: true, ...more };
}

/** A call of a tool of that server, by an agent that is scripted. */
export function callTelling(tool: string, args: object = {}) {
  return { call: { server: 'telling', tool, args } };
}

/** An agent that plays these actions, whatever it is asked. */
export function scripted(...actions: object[]) {
  return { scripted: [{ do: actions }] };
}

/** An agent that is this command line. */
export function command(runPrompt: string, more: object = {}) {
  return { commands: { runPrompt, ...more } };
}

/** A step that runs a script. */
export function script(inline: string, more: object = {}) {
  return { script: { inline }, ...more };
}

/** A step that puts out a value. */
export function tell(id: string, value: string) {
  return { id, script: { inline: 'printf "%s" "$VALUE"', env: { VALUE: value } } };
}

/** The files of a suite, by name. JSON is YAML. */
export function suiteFiles(parts: SuiteParts): Record<string, string> {
  const { tasks, agent = scripted({ say: 'done' }), config, assertions, files } = parts;
  const { servers = { telling: tellingServer() } } = parts;
  const evaluation = {
    kind: 'Eval',
    metadata: { name: 'suite' },
    config: {
      agent: { type: 'file', path: 'agent.yaml' },
      mcpConfigFile: 'mcp.yaml',
      taskSets: [{ glob: 'tasks/*.yaml', ...(assertions && { assertions }) }],
      ...config,
    },
  };
  const data = {
    'eval.yaml': evaluation,
    'agent.yaml': { kind: 'Agent', metadata: { name: 'agent' }, ...agent },
    'mcp.yaml': { mcpServers: servers },
    ...Object.fromEntries(
      Object.entries(tasks).map(([name, task]) => [`tasks/${name}.yaml`, taskFile(name, task)]),
    ),
  };
  const texts = Object.entries(data).map(([name, value]) => [name, JSON.stringify(value, null, 2)]);
  return { ...Object.fromEntries(texts), ...files };
}

function taskFile(name: string, { steps, spec, ...metadata }: TaskParts) {
  const prompt = { inline: `Do ${name}.` };
  const work = steps
    ? { steps: { prompt, ...steps } }
    : { spec: { prompt, verify: [script('test 1 = 1')], ...spec } };
  return { kind: 'Task', metadata: { name, ...metadata }, ...work };
}
