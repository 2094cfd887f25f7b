import { didYouMean } from '../../base/nearest.js';
import {
  type Environment,
  expandVariables,
  findStrings,
  findTaskRunReferences,
  type TaskRunValues,
} from '../placeholders/environment-variables.js';
import { findMisspeltPlaceholders, findPlaceholders } from '../placeholders/placeholders.js';
import type { Problems } from '../problems/problem.js';
import { EditedCopy } from '../problems/repair.js';
import { getValue } from '../problems/shape-check.js';
import type { McpServerData } from '../schemas/mcp-config-schema.js';
import type { DataPath, SourceFile } from '../yaml/source-file.js';

const settingsKeys = ['command', 'args', 'env', 'cwd', 'url', 'headers'] as const;

/** How a server is started or reached: what may hold values of a task run. */
export type ConnectionSettings = Pick<McpServerData, (typeof settingsKeys)[number]>;

/** The settings of a server that differ from task run to task run. */
export interface TaskRunSettings {
  /** The settings that hold a value of the task run. */
  keys: ReadonlySet<keyof ConnectionSettings>;
  /** All of them, with the values of one task run. */
  withValues(values: TaskRunValues): ConnectionSettings;
}

/** Whether a place in an MCP config may hold values of a task run. */
export function canHoldTaskRunValue([section, , key]: DataPath): boolean {
  return section === 'mcpServers' && settingsKeys.some((setting) => setting === key);
}

/** What in the settings of a server differs from task run to task run, by how they are `written`. */
export function findTaskRunSettings(
  server: McpServerData,
  written: unknown,
  environment: Environment,
  resolveFolder: (cwd: string) => string,
): TaskRunSettings | undefined {
  const settings = Object.fromEntries(
    settingsKeys.flatMap((key) => (server[key] === undefined ? [] : [[key, server[key]]])),
  );
  const template = new EditedCopy(settings);
  for (const { path } of findStrings('', settings, [])) {
    const text = getValue(written, path);
    if (typeof text === 'string') template.set(path, text);
  }
  const keys = new Set(
    findStrings('{', template.value, []).flatMap(({ path: [key], text }) =>
      findTaskRunReferences(text).map(() => key as keyof ConnectionSettings),
    ),
  );
  if (keys.size === 0) return undefined;
  return {
    keys,
    withValues: (values) => {
      const { value } = expandVariables(template.value, environment, values);
      const expanded = value as ConnectionSettings;
      const { cwd } = expanded;
      return cwd === undefined ? expanded : { ...expanded, cwd: resolveFolder(cwd) };
    },
  };
}

/** Values that can be in no task run: they only show whether the rest of a setting is right. */
export const sampleValues: TaskRunValues = { workdir: '/', random: { id: '0', port: 1 } };

/** Reports values of a task run in a server that several task runs share, and misspelt ones. */
export function checkTaskRunValues(
  source: SourceFile,
  server: DataPath,
  { scope, ...data }: McpServerData,
  problems: Problems,
): void {
  for (const { path: inServer, text } of findStrings('{', data, [])) {
    const path = [...server, ...inServer];
    if (!canHoldTaskRunValue(path)) continue;
    if (scope === 'run') {
      for (const part of findTaskRunReferences(text)) {
        const written = text.slice(part.offset, part.offset + part.length);
        const message = `${written} is a value of one task run, and all task runs share this server`;
        const hint = 'remove scope: run, so that each task run has a server of its own';
        problems.atPart(source, path, part, 'task-value-in-shared-server', message, hint);
      }
    }
    for (const part of findPlaceholders(text)) {
      const { family, name } = part;
      if (family !== 'random' || name === 'id' || name === 'port') continue;
      const message = `{random.${name}} has no value: there are {random.id} and {random.port}`;
      const hint = didYouMean(name, ['id', 'port']);
      problems.atPart(source, path, part, 'unresolved-placeholder', message, hint);
    }
    for (const part of findMisspeltPlaceholders(text)) {
      if (!/^\{random\./.test(part.meant)) continue;
      const message = `${part.written} is not a placeholder and is left unchanged`;
      const hint = `did you mean ${part.meant}?`;
      problems.atPart(source, path, part, 'misspelt-placeholder', message, hint);
    }
  }
}
