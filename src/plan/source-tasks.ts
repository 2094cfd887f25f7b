import { realpathSync } from 'node:fs';
import { isAbsolute, join, normalize, sep } from 'node:path';
import { isObject } from '../base/json.js';
import { didYouMean } from '../base/nearest.js';
import type { PlacedAssertions } from '../config/files/assertion-items.js';
import type { EvalFile } from '../config/files/eval-file.js';
import type { Task } from '../config/files/task-file.js';
import { findPlaceholders } from '../config/placeholders/placeholders.js';
import type { Problems } from '../config/problems/problem.js';
import type { TaskSetData } from '../config/schemas/eval-schema.js';
import { resolveFrom } from '../config/yaml/data-file.js';
import type { DataPath } from '../config/yaml/source-file.js';

/** Where the files of a source are, or why they are not there. */
export type SourceState = { folder: string; commit: string } | { reason: string; hint?: string };

/** The states of sources, by the names that the eval gives them. */
export type SourceStates = ReadonlyMap<string, SourceState>;

/** A source that a task set takes its tasks from. */
export interface UsedSource {
  name: string;
  /** The root of the repository, which no file may leave. */
  folder: string;
  /** Where path and glob of task sets start. */
  start: string;
  /** Own names of servers, by the names in the fetched tasks. */
  serverMapping: Readonly<Record<string, string>>;
}

/** The source of a task set; undefined with the problem reported if it cannot be used. */
export function findSourceOfSet(
  { source: file, data }: EvalFile,
  set: TaskSetData & { source: string },
  at: DataPath,
  states: SourceStates,
  problems: Problems,
): UsedSource | undefined {
  const sources = data.config.sources ?? {};
  const name = set.source;
  const place = [...at, 'source'];
  if (!Object.hasOwn(sources, name)) {
    if (file.isFaulty(['config', 'sources'])) return undefined;
    const hint = didYouMean(name, Object.keys(sources)) ?? 'add it to config.sources';
    problems.atValue(file, place, 'unknown-source', `the eval has no source ${name}`, hint);
    return undefined;
  }
  const { path = '.', serverMapping = {} } = sources[name] ?? {};
  const written: [text: string | undefined, place: DataPath][] = [
    [path, ['config', 'sources', name, 'path']],
    [set.path, [...at, 'path']],
    [set.glob, [...at, 'glob']],
  ];
  for (const [text, place] of written) {
    if (text === undefined || !leavesFolder(text)) continue;
    const message = `${JSON.stringify(text)} leads out of the source ${name}`;
    problems.atValue(file, place, 'outside-source', message);
    return undefined;
  }
  const state = states.get(name);
  if (state && 'folder' in state) {
    const { folder } = state;
    return { name, folder, start: join(folder, path), serverMapping };
  }
  const { reason, hint } = state ?? { reason: 'it is not fetched here', hint: undefined };
  const message = `the source ${name} cannot be used: ${reason}`;
  problems.atKey(file, ['config', 'sources', name], 'source-not-ready', message, hint);
  return undefined;
}

function leavesFolder(path: string): boolean {
  const plain = normalize(path.replaceAll('\\', '/'));
  return (
    isAbsolute(path) || plain === '..' || plain.startsWith(`..${sep}`) || /\{[^}]*\.\./.test(path)
  );
}

/** Reports files that a fetched task names outside of its source. */
export function checkWithinSource(
  task: Task,
  { name, folder }: UsedSource,
  problems: Problems,
): void {
  const { source, steps, prompt } = task;
  const report = (path: DataPath, subject: string) => {
    const message = `${subject} leads out of the source ${name}`;
    problems.atValue(source, path, 'outside-source', message);
  };
  if (!isInside(source.path, folder)) report([], 'this file');
  if (prompt && prompt.file !== source && !isInside(prompt.file.path, folder)) {
    // Only tasks of the newer shape have a place for limits.
    report([task.limitsPath[0] ?? 'steps', 'prompt', 'file'], 'the prompt');
  }
  for (const { type, data, path } of steps) {
    const file = type === 'script' && isObject(data) ? data.file : undefined;
    if (typeof file !== 'string') continue;
    const isOpen = findPlaceholders(file).length > 0;
    if (isOpen || !isInside(resolveFrom(source, file), folder)) report([...path, 'file'], file);
  }
}

function isInside(path: string, folder: string): boolean {
  const real = resolveExistingPath(path);
  const root = resolveExistingPath(folder);
  return real === root || real.startsWith(root + sep);
}

function resolveExistingPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return join(path);
  }
}

/**
 * A fetched task that speaks of servers by the names that they have in this eval. Steps keep their
 * types, which placeholders name: the fetched name of a server becomes an alias of its own.
 */
export function mapServers(task: Task, { serverMapping }: UsedSource): Task {
  const names = new Map(Object.entries(serverMapping));
  if (names.size === 0) return task;
  const requires = task.requires.map((requirement) =>
    requirement.kind === 'mcpServer'
      ? { ...requirement, target: names.get(requirement.target) ?? requirement.target }
      : requirement,
  );
  const taken = new Set(requires.map(({ alias }) => alias));
  const aliases = [...names]
    .filter(([fetched]) => !taken.has(fetched))
    .map(([alias, target]) => ({
      kind: 'mcpServer' as const,
      target,
      alias,
      path: [],
      isMapped: true,
    }));
  return {
    ...task,
    requires: [...requires, ...aliases],
    assertions: task.assertions.map((placed) => mapItems(placed, names)),
  };
}

function mapItems(placed: PlacedAssertions, names: ReadonlyMap<string, string>): PlacedAssertions {
  const data = Object.fromEntries(
    Object.entries(placed.data).map(([key, value]) => [
      key,
      Array.isArray(value)
        ? value.map((item: { server?: string }) =>
            item.server === undefined
              ? item
              : { ...item, server: names.get(item.server) ?? item.server },
          )
        : value,
    ]),
  );
  return { ...placed, data };
}
