import { isObject } from '../../base/json.js';
import type { Problems } from '../problems/problem.js';
import { EditedCopy } from '../problems/repair.js';
import { checkShape, getValue } from '../problems/shape-check.js';
import type { Assertions } from '../schemas/assertions-schema.js';
import {
  type ScriptTaskData,
  type StepTaskData,
  scriptTaskSchema,
  stepTaskSchema,
} from '../schemas/task-schema.js';
import {
  checkKind,
  type DataFile,
  type NamedBy,
  readSource,
  resolveFrom,
} from '../yaml/data-file.js';
import type { DataPath, SourceFile } from '../yaml/source-file.js';
import { checkAssertionItems, type PlacedAssertions } from './assertion-items.js';
import { readScriptTaskSteps, readSpecSteps, type TaskStep } from './task-steps.js';

/** A text that may stand in the task or in a file of its own. */
export interface PlacedText {
  text: string;
  file: SourceFile;
  /** Where in the file's data; undefined if the text is the whole file. */
  path?: DataPath;
}

export interface Requirement {
  kind: 'extension' | 'mcpServer';
  target: string;
  alias: string;
  path: DataPath;
  /** Made by `serverMapping` of a source: the eval is checked for what it names. */
  isMapped?: boolean;
}

/** A task of either shape, in one form. */
export interface Task {
  source: SourceFile;
  /** With tasks from another repository: the root of its files, which are shared and stay as they are. */
  sourceFolder?: string;
  name: string;
  difficulty?: 'easy' | 'medium' | 'hard';
  labels: Readonly<Record<string, string>>;
  parallel: boolean;
  runs?: number;
  limits: { timeout?: string; cleanupTimeout?: string };
  limitsPath: DataPath;
  requires: Requirement[];
  /** That a worker must have to be given it. */
  workerLabels: Readonly<Record<string, string>>;
  /** Scripts without a shebang run in `$SHELL`, as tasks of gevals and mcpchecker expect. */
  usesLoginShell: boolean;
  steps: TaskStep[];
  prompt?: PlacedText;
  assertions: PlacedAssertions[];
}

export const isTaskFile = (data: unknown): boolean => isObject(data) && data.kind === 'Task';

/** Makes a task of a file's data, with all that can be said of it without its eval. */
export function readTask(file: DataFile, problems: Problems, namedBy?: NamedBy): Task | undefined {
  if (!checkKind(file, 'Task', problems, namedBy)) return undefined;
  const shape = findTaskShape(file, problems);
  const { source } = file;
  // The other shape, if it is there too, was reported: it is not an unknown key besides.
  const value = omitKey(file.data, shape === 'steps' ? 'spec' : 'steps');
  const usesLoginShell = isFromOlderTool(file.data, shape);
  if (shape === 'steps') {
    const data = checkShape({ file: source, schema: scriptTaskSchema, value, problems });
    return data && { ...readScriptTask(source, data, problems), usesLoginShell };
  }
  const data = checkShape({ file: source, schema: stepTaskSchema, value, problems });
  return data && { ...readSpecTask(source, data, problems), usesLoginShell };
}

function omitKey(data: unknown, key: string): unknown {
  if (getValue(data, [key]) === undefined) return data;
  const copy = new EditedCopy(data);
  copy.set([key], undefined);
  return copy.value;
}

const versionShapes = new Map<unknown, 'steps' | 'spec'>([
  ['gevals/v1alpha1', 'steps'],
  ['mcpchecker/v1alpha1', 'steps'],
  ['gevals/v1alpha2', 'spec'],
  ['mcpchecker/v1alpha2', 'spec'],
  ['proctor/v1', 'spec'],
]);

/** By which of the two keys is there; `apiVersion` decides where that does not. */
function findTaskShape({ source, data }: DataFile, problems: Problems): 'steps' | 'spec' {
  const version = getValue(data, ['apiVersion']);
  const stated = versionShapes.get(version);
  const written = (['steps', 'spec'] as const).filter((key) => getValue(data, [key]) !== undefined);
  const [shape, other] = written;
  if (other) {
    const message = `${other} cannot be combined with ${shape}: a task has one of the two`;
    problems.atKey(source, [other], 'conflicting-fields', message);
    return stated ?? 'spec';
  }
  if (shape && stated && shape !== stated) {
    const message = `${version} has ${stated}, this task has ${shape}`;
    problems.atValue(source, ['apiVersion'], 'wrong-task-shape', message);
  }
  return shape ?? stated ?? 'spec';
}

/** By its apiVersion; without one, the older shape is that of gevals. */
function isFromOlderTool(data: unknown, shape: 'steps' | 'spec'): boolean {
  const version = getValue(data, ['apiVersion']);
  if (version === undefined) return shape === 'steps';
  return /^(?:gevals|mcpchecker)\//.test(String(version));
}

type TaskOfShape = Omit<Task, 'usesLoginShell'>;

function readScriptTask(source: SourceFile, data: ScriptTaskData, problems: Problems): TaskOfShape {
  const { prompt, assertions } = data.steps;
  return {
    ...readCommonFields(source, data, problems, [['steps', 'assertions'], assertions]),
    limits: {},
    limitsPath: [],
    requires: [],
    workerLabels: {},
    steps: readScriptTaskSteps(source, data.steps, problems),
    ...readPrompt(source, ['steps', 'prompt'], prompt, problems),
  };
}

function readSpecTask(source: SourceFile, data: StepTaskData, problems: Problems): TaskOfShape {
  const { limits = {}, prompt, assertions } = data.spec;
  return {
    ...readCommonFields(source, data, problems, [['spec', 'assertions'], assertions]),
    limits: {
      ...(limits.timeout === undefined ? {} : { timeout: limits.timeout }),
      ...(limits.cleanupTimeout === undefined ? {} : { cleanupTimeout: limits.cleanupTimeout }),
    },
    limitsPath: ['spec', 'limits'],
    requires: readRequirements(source, data, problems),
    workerLabels: readWorkerLabels(data),
    steps: readSpecSteps(source, data.spec, problems),
    ...readPrompt(source, ['spec', 'prompt'], prompt, problems),
  };
}

function readCommonFields(
  source: SourceFile,
  { metadata, assertions }: ScriptTaskData | StepTaskData,
  problems: Problems,
  inner: [DataPath, Assertions | undefined],
) {
  const { name, difficulty, labels = {}, parallel = false, runs } = metadata;
  const placed: [DataPath, Assertions | undefined][] = [[['assertions'], assertions], inner];
  const all = placed.flatMap(([path, data]) => (data ? [{ file: source, path, data }] : []));
  for (const assertions of all) checkAssertionItems(assertions, problems);
  return {
    source,
    name,
    labels,
    parallel,
    assertions: all,
    ...(difficulty === undefined ? {} : { difficulty }),
    ...(runs === undefined ? {} : { runs }),
  };
}

function readRequirements(
  source: SourceFile,
  data: StepTaskData,
  problems: Problems,
): Requirement[] {
  const seen = new Set<string>();
  const found: Requirement[] = [];
  for (const [index, item] of (data.spec.requires ?? []).entries()) {
    const target = item.extension ?? item.mcpServer;
    if (target === undefined) continue;
    const path = ['spec', 'requires', index];
    const alias = item.as ?? target;
    if (seen.has(alias)) {
      const message = `the name ${alias} is given twice in requires`;
      const key = item.as === undefined ? (item.extension ? 'extension' : 'mcpServer') : 'as';
      problems.atValue(source, [...path, key], 'duplicate-name', message, 'rename one with as');
    }
    seen.add(alias);
    const kind = item.extension === undefined ? 'mcpServer' : 'extension';
    found.push({ kind, target, alias, path });
  }
  return found;
}

function readWorkerLabels({ spec }: StepTaskData): Readonly<Record<string, string>> {
  return Object.assign({}, ...(spec.requires ?? []).map(({ labels }) => labels ?? {}));
}

function readPrompt(
  source: SourceFile,
  path: DataPath,
  { inline, file }: { inline?: string | undefined; file?: string | undefined },
  problems: Problems,
): { prompt?: PlacedText } {
  if (inline !== undefined) {
    if (inline.trim() === '') {
      problems.atKey(source, [...path, 'inline'], 'empty-value', 'the prompt is empty');
    }
    return { prompt: { text: inline, file: source, path: [...path, 'inline'] } };
  }
  if (file === undefined) return {};
  const namedBy = { file: source, path: [...path, 'file'] };
  const read = readSource(resolveFrom(source, file), problems, namedBy);
  if (!read) return {};
  if (read.text.trim() === '') {
    problems.atValue(source, namedBy.path, 'empty-value', `the prompt file ${file} is empty`);
  }
  return { prompt: { text: read.text, file: read } };
}
