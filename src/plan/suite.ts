import type { AgentFile } from '../config/agent-file.js';
import { readAgentFile } from '../config/agent-file.js';
import type { PlacedAssertions } from '../config/assertion-items.js';
import type { Environment } from '../config/environment-expansion.js';
import { type EvalFile, readEvalFile } from '../config/eval-file.js';
import { type McpConfig, readMcpConfigFile } from '../config/mcp-config-file.js';
import { mcpFromEnvironment } from '../config/mcp-environment.js';
import { plural } from '../config/plural.js';
import type { Problems } from '../config/problem.js';
import { resolveFrom } from '../config/read-data-file.js';
import type { AgentReference } from '../config/schemas/eval-schema.js';
import { readSkills, type Skill } from '../config/skill-sources.js';
import type { DataPath, SourceFile } from '../config/source-file.js';
import type { Task } from '../config/task-file.js';
import { TaskFinder } from './find-tasks.js';
import { hasLabels } from './labels.js';

/** A task with what the eval says of it. */
export interface SuiteTask {
  task: Task;
  /** Of every task set that it belongs to, then its own. */
  assertions: PlacedAssertions[];
  /** Where the task sets stand that it belongs to, in the eval. */
  sets: DataPath[];
  /** The most that any of its task sets asks for. */
  setRuns?: { runs: number; path: DataPath };
}

/** An eval and every file it reaches. */
export interface Suite {
  eval: EvalFile;
  /** How the agent is chosen; undefined if that has a problem. */
  agent?: AgentReference;
  agentFile?: AgentFile;
  /** Where `llmJudge.ref` names a file. */
  judgeFile?: AgentFile;
  /** Undefined if there is none: then skills are all the agent has. */
  mcp?: McpConfig;
  /** Set when the MCP config could not be read, so that nothing is concluded from its absence. */
  mcpUnknown: boolean;
  /** That the agent is given; undefined if the eval names none, or they have a problem. */
  skills?: Skill[];
  /** The assertions of all task sets, also of those without a task. */
  setAssertions: PlacedAssertions[];
  tasks: SuiteTask[];
}

export interface SuiteOptions {
  environment: Environment;
  /** Wins over the eval's own and over MCP_* variables. Absolute. */
  mcpConfigFile?: string;
  /** Wins over the eval's own; the path of a file is absolute. */
  agent?: AgentReference;
  /** Wins over whatever model the agent has. */
  model?: string;
}

export function loadSuite(
  evalPath: string,
  options: SuiteOptions,
  problems: Problems,
): Suite | undefined {
  const file = readEvalFile(evalPath, problems);
  if (!file) return undefined;
  const mcp = loadMcpConfig(file, options, problems);
  const agent = options.agent ? { reference: options.agent } : agentReference(file);
  const agentFile = agent && loadAgentFile(file, agent, problems);
  const model = options.model ?? agent?.reference.model;
  const judgeFile = loadJudgeFile(file, problems);
  const skills = readSkills(file, problems);
  return {
    eval: file,
    ...(agent ? { agent: { ...agent.reference, ...(model === undefined ? {} : { model }) } } : {}),
    ...(agentFile ? { agentFile } : {}),
    ...(judgeFile ? { judgeFile } : {}),
    ...(typeof mcp === 'object' ? { mcp } : {}),
    mcpUnknown: mcp === 'unknown',
    ...(skills ? { skills } : {}),
    ...findTasks(file, problems),
  };
}

interface PlacedReference {
  reference: AgentReference;
  /** Where the eval names the file; none: the command line does. */
  pathKey?: DataPath;
}

function agentReference({ data }: EvalFile): PlacedReference | undefined {
  const { agent, agentFile } = data.config;
  if (agent) return { reference: agent, pathKey: ['config', 'agent', 'path'] };
  if (agentFile === undefined) return undefined;
  return { reference: { type: 'file', path: agentFile }, pathKey: ['config', 'agentFile'] };
}

function loadAgentFile(
  { source }: EvalFile,
  { reference, pathKey }: PlacedReference,
  problems: Problems,
): AgentFile | undefined {
  if (reference.type !== 'file' || reference.path === undefined) return undefined;
  const path = resolveFrom(source, reference.path);
  return readAgentFile(path, problems, pathKey && { file: source, path: pathKey });
}

function loadJudgeFile(file: EvalFile, problems: Problems): AgentFile | undefined {
  const reference = file.data.config.llmJudge?.ref;
  if (!reference) return undefined;
  const pathKey = ['config', 'llmJudge', 'ref', 'path'];
  return loadAgentFile(file, { reference, pathKey }, problems);
}

function loadMcpConfig(
  { source, data }: EvalFile,
  { environment, mcpConfigFile }: SuiteOptions,
  problems: Problems,
): McpConfig | undefined | 'unknown' {
  if (mcpConfigFile !== undefined) {
    return readMcpConfigFile(mcpConfigFile, environment, problems) ?? 'unknown';
  }
  const named = data.config.mcpConfigFile;
  if (named !== undefined) {
    const namedBy = { file: source, path: ['config', 'mcpConfigFile'] };
    const path = resolveFrom(source, named);
    return readMcpConfigFile(path, environment, problems, namedBy) ?? 'unknown';
  }
  const found = mcpFromEnvironment(environment);
  if (found && 'config' in found) {
    warnIfNothingAllowed(source, found.config, problems);
    return found.config;
  }
  if (found) {
    const message = `the environment variable ${found.variable} ${found.reason}`;
    problems.atKey(source, ['config'], 'invalid-environment', message);
    return 'unknown';
  }
  if (data.config.skills) return undefined;
  if (source.isFaulty(['config', 'mcpConfigFile']) || source.isFaulty(['config', 'skills'])) {
    return 'unknown';
  }
  const hint = 'add mcpConfigFile, or set MCP_URL or MCP_COMMAND';
  const message = 'mcpConfigFile is required in config';
  problems.atKey(source, ['config'], 'missing-mcp-config', message, hint);
  return 'unknown';
}

function warnIfNothingAllowed(source: SourceFile, config: McpConfig, problems: Problems) {
  for (const { name, data } of config.servers) {
    if (data.enableAllTools) continue;
    const message = `the agent may call no tool of ${name}`;
    const hint = 'set MCP_ENABLE_ALL_TOOLS=true, or use an MCP config file';
    problems.atKey(source, ['config'], 'server-allows-nothing', message, hint);
  }
}

function findTasks(
  { source, data }: EvalFile,
  problems: Problems,
): Pick<Suite, 'setAssertions' | 'tasks'> {
  const finder = new TaskFinder(problems);
  const setAssertions: PlacedAssertions[] = [];
  const tasks = new Map<string, SuiteTask>();
  for (const [index, set] of data.config.taskSets.entries()) {
    const path = ['config', 'taskSets', index];
    const placed = set.assertions && {
      file: source,
      path: [...path, 'assertions'],
      data: set.assertions,
    };
    if (placed) setAssertions.push(placed);
    const found = finder.find(set, { file: source, path });
    const selected = found.filter(({ task }) => hasLabels(task.labels, set.labelSelector ?? {}));
    if (found.length > 0 && selected.length === 0) {
      const message = `the selector leaves nothing of ${plural(found.length, 'task')}`;
      problems.atValue(source, [...path, 'labelSelector'], 'nothing-selected', message);
    }
    for (const { realPath, task } of selected) {
      const entry: SuiteTask = tasks.get(realPath) ?? { task, assertions: [], sets: [] };
      tasks.set(realPath, entry);
      entry.sets.push(path);
      // One set can reach a file on two ways, such as a symbolic link and its target.
      if (placed && !entry.assertions.includes(placed)) entry.assertions.push(placed);
      if (set.runs !== undefined && set.runs > (entry.setRuns?.runs ?? 0)) {
        entry.setRuns = { runs: set.runs, path: [...path, 'runs'] };
      }
    }
  }
  for (const { task, assertions } of tasks.values()) assertions.push(...task.assertions);
  return { setAssertions, tasks: [...tasks.values()] };
}
