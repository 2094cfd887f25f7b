import type { AgentFile } from '../config/files/agent-file.js';
import type { PlacedAssertions } from '../config/files/assertion-items.js';
import { type EvalFile, readEvalFile } from '../config/files/eval-file.js';
import { type PricesFile, readPricesFile } from '../config/files/prices-file.js';
import { readSkills, type Skill } from '../config/files/skills.js';
import type { Task } from '../config/files/task-file.js';
import type { Environment } from '../config/placeholders/environment-variables.js';
import type { Problems } from '../config/problems/problem.js';
import type { TaskSetData } from '../config/schemas/eval-schema.js';
import type { Secrets } from '../config/secrets/secrets.js';
import { collectSecrets } from '../config/secrets/suite-secrets.js';
import { resolveFrom } from '../config/yaml/data-file.js';
import type { DataPath } from '../config/yaml/source-file.js';
import type { JudgeDigest } from '../journal/task-run-events.js';
import { TaskFinder } from './find-tasks.js';
import { digestJudge } from './judging.js';
import { describeNoMatch, hasLabels } from './labels.js';
import {
  type Combination,
  checkModels,
  listCombinations,
  type MatrixOptions,
  type Variant,
} from './matrix.js';
import {
  checkWithinSource,
  findSourceOfSet,
  mapServers,
  type SourceStates,
  type UsedSource,
} from './source-tasks.js';
import {
  type SuiteAgent,
  SuiteAgents,
  SuiteMcpConfigs,
  type SuiteServers,
} from './suite-variants.js';

/** A task with what the eval says of it. */
export interface SuiteTask {
  /** The task as its file has it. */
  definition: Task;
  /** The assertions of every task set that it belongs to, then its own. */
  assertions: PlacedAssertions[];
  /** Where the task sets stand that it belongs to, in the eval. */
  sets: DataPath[];
  /** The most that any of its task sets asks for. */
  setRuns?: { runs: number; path: DataPath };
}

/** An eval and every file it reaches; of a matrix, one variant of it. */
export interface Suite extends SuiteAgent, SuiteServers {
  eval: EvalFile;
  /** Undefined: there is no matrix. */
  variant?: Variant;
  /** Where `llmJudge.ref` names a file. */
  judgeFile?: AgentFile;
  /** The digest by which results distinguish the judge from others. None: the eval has no judge. */
  judge?: JudgeDigest;
  /** Skills of the agent; undefined if the eval names none, or they have a problem. */
  skills?: Skill[];
  /** Undefined if there are none, or they have a problem. */
  prices?: PricesFile;
  /** The assertions of all task sets, also of those without a task. */
  setAssertions: PlacedAssertions[];
  tasks: SuiteTask[];
}

export interface SuiteOptions extends MatrixOptions {
  environment: Environment;
  /** Wins over the eval's own. Absolute. */
  pricesFile?: string | undefined;
  /** Where the files of the eval's sources are; none: they were not looked for. */
  sources?: SourceStates;
}

/**
 * Loads one suite: of an eval with a matrix, its first variant.
 *
 * @deprecated Use `loadEval`, which loads every variant and returns the problems.
 */
export function loadSuite(
  evalPath: string,
  options: SuiteOptions,
  problems: Problems,
): Suite | undefined {
  return loadSuites(evalPath, options, problems)[0];
}

/**
 * The suite of each variant, which differ in agent and MCP servers alone; without a matrix there is
 * one. None: the eval cannot be read.
 */
export function loadSuites(
  evalPath: string,
  { environment, pricesFile, sources = new Map(), ...options }: SuiteOptions,
  problems: Problems,
): Suite[] {
  const file = readEvalFile(evalPath, problems);
  if (!file) return [];
  const agents = new SuiteAgents(file, problems);
  const mcpConfigs = new SuiteMcpConfigs(file, environment, problems);
  const takesModel = (agent: Combination['agent']) => agents.takesModel(agent);
  const combinations = listCombinations(file, options, takesModel, problems);
  checkModels(file, combinations, problems);
  const judgeFile = agents.judgeFile();
  const skills = readSkills(file, problems);
  const prices = loadPrices(file, pricesFile, problems);
  const judge = digestJudge(file, judgeFile, environment);
  const common = {
    eval: file,
    ...(judgeFile && { judgeFile }),
    ...(judge && { judge }),
    ...(skills && { skills }),
    ...(prices && { prices }),
    ...findTasks(file, sources, problems),
  };
  // Without a combination, the rest of the suite is checked all the same.
  const chosen: Combination[] = combinations.length > 0 ? combinations : [{}];
  return chosen.map(({ variant, agent, model, mcpConfigFile }) => ({
    ...common,
    ...(variant && { variant }),
    ...agents.of(agent, model?.value),
    ...mcpConfigs.of(mcpConfigFile),
  }));
}

function loadPrices(
  { source, data }: EvalFile,
  chosen: string | undefined,
  problems: Problems,
): PricesFile | undefined {
  if (chosen !== undefined) return readPricesFile(chosen, problems);
  const { prices } = data.config;
  if (prices === undefined) return undefined;
  const namedBy = { file: source, path: ['config', 'prices'] };
  return readPricesFile(resolveFrom(source, prices), problems, namedBy);
}

function findTasks(
  evalFile: EvalFile,
  states: SourceStates,
  problems: Problems,
): Pick<Suite, 'setAssertions' | 'tasks'> {
  const { source, data } = evalFile;
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
    const used = findUsedSource(evalFile, set, path, states, problems);
    if (used === 'unusable') continue;
    const found = finder.find(set, { file: source, path }, used?.start);
    const selected = found.filter(({ task }) => hasLabels(task.labels, set.labelSelector ?? {}));
    if (found.length > 0 && selected.length === 0) {
      const message = `the selector ${describeNoMatch(found.length)}`;
      problems.atValue(source, [...path, 'labelSelector'], 'nothing-selected', message);
    }
    for (const { realPath, task: read } of selected) {
      const key = JSON.stringify([used?.name, realPath]);
      const task = tasks.get(key)?.definition ?? adaptFetchedTask(read, used, problems);
      const entry: SuiteTask = tasks.get(key) ?? { definition: task, assertions: [], sets: [] };
      tasks.set(key, entry);
      entry.sets.push(path);
      // One set can reach a file on two ways, such as a symbolic link and its target.
      if (placed && !entry.assertions.includes(placed)) entry.assertions.push(placed);
      if (set.runs !== undefined && set.runs > (entry.setRuns?.runs ?? 0)) {
        entry.setRuns = { runs: set.runs, path: [...path, 'runs'] };
      }
    }
  }
  finder.reportLeftOut();
  for (const { definition: task, assertions } of tasks.values())
    assertions.push(...task.assertions);
  return { setAssertions, tasks: [...tasks.values()] };
}

function findUsedSource(
  evalFile: EvalFile,
  set: TaskSetData,
  at: DataPath,
  states: SourceStates,
  problems: Problems,
): UsedSource | 'unusable' | undefined {
  const { source } = set;
  if (source === undefined) return undefined;
  return findSourceOfSet(evalFile, { ...set, source }, at, states, problems) ?? 'unusable';
}

/** A task of a source is held within it, and speaks of servers as this eval does. */
function adaptFetchedTask(task: Task, used: UsedSource | undefined, problems: Problems): Task {
  if (!used) return task;
  checkWithinSource(task, used, problems);
  return { ...mapServers(task, used), sourceFolder: used.folder };
}

/** Everything in a suite, and in its other variants, that must not be seen. */
export function collectSuiteSecrets(
  suite: Suite,
  environment: Environment,
  variants: readonly Suite[] = [suite],
): Secrets {
  const { judgeFile, tasks } = suite;
  const { llmJudge, extensions, redact } = suite.eval.data.config;
  const agentFiles = new Set(variants.map(({ agentFile }) => agentFile));
  return collectSecrets(
    {
      mcpConfigs: [...new Set(variants.flatMap(({ mcp }) => mcp ?? []))],
      agents: [...agentFiles, judgeFile].flatMap((file) => (file ? [file.data] : [])),
      judge: llmJudge,
      extensions,
      redact,
      names: listNames(suite, variants),
      steps: tasks.flatMap(({ definition }) => definition.steps),
    },
    environment,
  );
}

/** The names that results go by: these are never redacted. */
function listNames(suite: Suite, variants: readonly Suite[]): string[] {
  const servers = variants.flatMap(({ mcp }) => mcp?.servers ?? []);
  return [
    suite.eval.data.metadata.name,
    ...suite.tasks.map(({ definition }) => definition.name),
    ...servers.map(({ name }) => name),
    ...variants.flatMap(({ variant }) => variant?.name ?? []),
  ];
}
