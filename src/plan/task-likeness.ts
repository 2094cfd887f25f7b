import { isObject } from '../base/json.js';
import { findNearest } from '../base/nearest.js';
import { isTaskFile } from '../config/files/task-file.js';
import type { ProblemCode } from '../config/problems/problem-codes.js';
import { describeValue } from '../config/problems/shape-check.js';
import type { DataPath } from '../config/yaml/source-file.js';

/** Why a document that is no Task was probably meant to be one. */
export interface Likeness {
  code: ProblemCode;
  /** The key at which it shows. */
  at: DataPath;
  message: string;
  hint?: string;
}

/** The kinds that Proctor reads elsewhere: a glob may match them, and passes over them. */
const otherKinds: readonly unknown[] = ['Eval', 'Agent'];
const meant = 'the glob passes over it';

/**
 * Says why a document in a task glob looks like a Task and is none; undefined for what plainly is
 * something else. A manifest of Kubernetes has `metadata` and `spec` too: what carries an `apiVersion`
 * of another program is never taken for a Task.
 */
export function likenessOf(data: unknown): Likeness | undefined {
  if (Array.isArray(data)) {
    const index = data.findIndex((item) => isTaskFile(item) || likenessOf(item));
    if (index === -1) return undefined;
    const message = `a list is no Task: ${meant}`;
    return { code: 'looks-like-task', at: [index], message, hint: 'one task in each file' };
  }
  if (!isObject(data) || isOfAnotherProgram(data)) return undefined;
  const { kind } = data;
  if (kind === 'TaskSet') {
    const message = 'a TaskSet file is not read: its tasks would never run';
    const hint = 'write its tasks and assertions into taskSets of the eval';
    return { code: 'task-set-file', at: ['kind'], message, hint };
  }
  if (otherKinds.includes(kind) && !hasWork(data)) return undefined;
  return kind === undefined || kind === null ? withoutKind(data) : withOtherKind(data, kind);
}

function isOfAnotherProgram({ apiVersion }: Record<string, unknown>): boolean {
  return typeof apiVersion === 'string' && !/^(gevals|mcpchecker|proctor)\b/i.test(apiVersion);
}

function withoutKind(data: Record<string, unknown>): Likeness | undefined {
  const keys = Object.keys(data);
  const key = findNearest('kind', keys);
  if (key !== undefined && key !== 'kind' && isNearlyTask(data[key])) {
    const message = `the key is written ${key}, not kind, so this is no Task: ${meant}`;
    return { code: 'looks-like-task', at: [key], message, hint: 'write kind: Task' };
  }
  const wrapper = keys.find((each) => isTaskFile(data[each]));
  if (wrapper !== undefined) {
    const message = `a Task stands below the key ${wrapper}: ${meant}`;
    const hint = 'kind, metadata and spec belong at the top level';
    return { code: 'looks-like-task', at: [wrapper], message, hint };
  }
  if (!hasWork(data) && !(isObject(data.metadata) && ('spec' in data || 'steps' in data))) {
    return undefined;
  }
  const message = `this looks like a Task, and kind is missing: ${meant}`;
  return { code: 'looks-like-task', at: [], message, hint: 'add kind: Task' };
}

function withOtherKind(data: Record<string, unknown>, kind: unknown): Likeness | undefined {
  if (!isNearlyTask(kind) && !hasWork(data)) return undefined;
  const message = `expected kind Task, found ${describeValue(kind)}: ${meant}`;
  return { code: 'looks-like-task', at: ['kind'], message, hint: 'write kind: Task' };
}

function isNearlyTask(kind: unknown): boolean {
  return typeof kind === 'string' && findNearest(kind.trim(), ['Task']) !== undefined;
}

/** What only a Task has: a prompt, or steps that verify; both, where spec was forgotten around them. */
function hasWork({ spec, steps, ...others }: Record<string, unknown>): boolean {
  if ('prompt' in others && 'verify' in others) return true;
  return [spec, steps].some((work) => isObject(work) && ('prompt' in work || 'verify' in work));
}
