import { isHttpUrl } from '../../base/http/http-syntax.js';
import { didYouMean } from '../../base/nearest.js';
import { findPlaceholders, neutralizePlaceholders } from '../placeholders/placeholders.js';
import type { Problems } from '../problems/problem.js';
import type { ProblemCode } from '../problems/problem-codes.js';
import {
  findStepDefinition,
  keyedStepTypes,
  type StepData,
  stepSettings,
} from '../schemas/step-schemas.js';
import type { ScriptTaskData, StepTaskData } from '../schemas/task-schema.js';
import { displayPath, readTextFile, resolveFrom } from '../yaml/data-file.js';
import type { DataPath, SourceFile } from '../yaml/source-file.js';

export const phases = ['setup', 'verify', 'cleanup'] as const;
export type Phase = (typeof phases)[number];

/** One step of a task, whichever shape the task has. */
export interface TaskStep {
  phase: Phase;
  /** `script`, `http`, `llmJudge`, or a prefix, a dot and a name. */
  type: string;
  id?: string;
  /** What stands under the type. */
  data: unknown;
  /** Where `data` stands in the file. */
  path: DataPath;
  /** A duration; none: the default of five minutes. */
  timeout?: string;
  /** In setup: a failure does not stop it. */
  continueOnError?: boolean;
}

/** The steps of a v1alpha1 task: at most one per phase. */
export function readScriptTaskSteps(
  source: SourceFile,
  { setup, verify, cleanup }: ScriptTaskData['steps'],
  problems: Problems,
): TaskStep[] {
  const steps: TaskStep[] = [];
  const add = (phase: Phase, type: string, data: unknown) => {
    const step = { phase, type, data, path: ['steps', phase] };
    steps.push(step);
    if (type === 'script') checkScript(source, step, problems);
  };
  if (setup) add('setup', 'script', setup);
  if (verify?.inline !== undefined || verify?.file !== undefined) add('verify', 'script', verify);
  if (verify?.contains !== undefined || verify?.exact !== undefined) {
    add('verify', 'llmJudge', verify);
  }
  if (cleanup) add('cleanup', 'script', cleanup);
  return steps;
}

export function readSpecSteps(
  source: SourceFile,
  spec: StepTaskData['spec'],
  problems: Problems,
): TaskStep[] {
  const ids = new Set<string>();
  const steps: TaskStep[] = [];
  for (const phase of phases) {
    for (const [index, data] of (spec[phase] ?? []).entries()) {
      const path = ['spec', phase, index];
      checkId(source, path, data, ids, problems);
      const step = readStep(source, phase, path, data, problems);
      if (step) steps.push(step);
    }
  }
  return steps;
}

function checkId(
  source: SourceFile,
  path: DataPath,
  { id }: StepData,
  ids: Set<string>,
  problems: Problems,
) {
  if (id === undefined) return;
  if (ids.has(id)) {
    problems.atValue(source, [...path, 'id'], 'duplicate-name', `two steps have the id ${id}`);
  }
  ids.add(id);
}

function readStep(
  source: SourceFile,
  phase: Phase,
  path: DataPath,
  data: StepData,
  problems: Problems,
): TaskStep | undefined {
  const settings: readonly string[] = stepSettings;
  const types = Object.keys(data).filter((key) => !settings.includes(key));
  const known = types.filter((type) => keyedStepTypes.includes(type) || /.\../.test(type));
  for (const type of types) {
    if (known.includes(type)) continue;
    const hint = didYouMean(type, [...keyedStepTypes, ...settings]);
    problems.atKey(source, [...path, type], 'unknown-step', `there is no step type ${type}`, hint);
    source.markFaulty(path);
  }
  const [type, ...others] = known;
  for (const other of others) {
    const message = `a step has one type: ${other} cannot be combined with ${type}`;
    problems.atKey(source, [...path, other], 'conflicting-fields', message);
  }
  if (types.length === 0 && !source.isFaulty(path)) {
    const message = 'the step has no type';
    const hint = `add one of ${keyedStepTypes.join(', ')}, <server>.<tool>, <extension>.<operation>`;
    problems.atKey(source, path, 'unknown-step', message, hint);
  }
  if (type === undefined) return undefined;
  const step: TaskStep = { phase, type, data: data[type], path: [...path, type] };
  if (data.id !== undefined) step.id = data.id;
  const { holdsSettings, phases: allowed } = findStepDefinition(type) ?? {};
  // They may also stand within: both are in use.
  const inner = (holdsSettings ? (data[type] ?? {}) : {}) as Pick<
    TaskStep,
    'timeout' | 'continueOnError'
  >;
  const timeout = data.timeout ?? inner.timeout;
  if (timeout !== undefined) step.timeout = timeout;
  if (data.continueOnError ?? inner.continueOnError) step.continueOnError = true;
  if (type === 'script') checkScript(source, step, problems);
  if (type === 'http') checkAddress(source, step, problems);
  if (allowed && !allowed.includes(phase)) {
    const message = `${type} cannot run in ${phase}`;
    const hint = `move it to ${allowed.join(' or ')}`;
    problems.atKey(source, step.path, 'misplaced-step', message, hint);
  }
  return step;
}

/** A placeholder may stand for any part of an address; without it the rest can be judged. */
function checkAddress(source: SourceFile, { data, path }: TaskStep, problems: Problems) {
  const { url } = data as { url: string };
  const at = [...path, 'url'];
  if (source.isFaulty(at) || isHttpUrl(neutralizePlaceholders(url))) return;
  const message = `${JSON.stringify(url)} is not an http or https address`;
  problems.atValue(source, at, 'invalid-url', message);
}

function checkScript(source: SourceFile, { data, path, phase }: TaskStep, problems: Problems) {
  const { inline, file } = data as { inline?: string; file?: string };
  const options = { verifies: phase === 'verify' };
  if (inline !== undefined) {
    const flaw = findTextFlaw(inline, options);
    if (!flaw) return;
    problems.atKey(source, [...path, 'inline'], flaw.code, `the script ${flaw.reason}`);
    return;
  }
  // Where it is depends on the run.
  if (file === undefined || findPlaceholders(file).length > 0) return;
  const at = [...path, 'file'];
  const target = resolveFrom(source, file);
  const flaw = findScriptFlaw(target, options);
  if (!flaw) return;
  const isOfText = flaw.code === 'empty-script' || flaw.code === 'script-cannot-fail';
  const name = isOfText ? `the script ${file}` : displayPath(target);
  problems.atValue(source, at, flaw.code, `${name} ${flaw.reason}`);
}

/** Why a script would check or do nothing; the reason goes on after its name. */
interface ScriptFlaw {
  code: ProblemCode;
  reason: string;
}

/** What is wrong with a YAML file may be right for a program. */
const fineForPrograms: ProblemCode[] = ['file-too-large', 'invalid-encoding'];

/** What is wrong with the text of a script, if anything. Only a script that verifies has to be able to fail. */
function findTextFlaw(text: string, { verifies = false } = {}): ScriptFlaw | undefined {
  if (isEmptyScript(text)) return { code: 'empty-script', reason: 'is empty' };
  if (!verifies || !canNeverFail(text)) return undefined;
  return { code: 'script-cannot-fail', reason: 'exits with 0 whatever happened' };
}

/** What is wrong with the file of a script, if anything. */
export function findScriptFlaw(
  path: string,
  options?: { verifies: boolean },
): ScriptFlaw | undefined {
  const read = readTextFile(path);
  if (read.ok) return findTextFlaw(read.text, options);
  return fineForPrograms.includes(read.code) ? undefined : read;
}

/** Nothing but white space and comments (a shebang looks like one). */
function isEmptyScript(text: string): boolean {
  return !/^[^\S\r\n]*[^#\s]/m.test(text);
}

/** A command that succeeds, at the end of a line. */
const success = '(?:true|:|exit 0)[ ;]*$';
const succeeds = new RegExp(`^${success}`);
const endsInSuccess = new RegExp(String.raw`(?:;|\|\||[^|]\|)\s*${success}`);
const pipesIntoSuccess = /^[^;&|]*\|\s*(?:true|:)[ ;]*$/;
/** What can end a shell script early, or change how it ends. */
const mayEnd =
  /\b(?:exit|exec|trap|kill|return|set|source|eval)\b|^\s*\.\s|:?\?[^}\s]*\}|<<|`|\\$/m;

/**
 * Whether a shell script exits with 0 whatever happened, as far as its last line shows. Scripts that
 * could end before it, or that are longer than one can see through, are taken to be in order.
 */
export function canNeverFail(text: string): boolean {
  const [first = ''] = text.split('\n', 1);
  if (first.startsWith('#!') && !/\b(?:ba|da|k|z)?sh\b/.test(first)) return false;
  // As after `set -e`, any line can end it.
  const endsEarly = /^#!.*\s-\w*e/.test(first);
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  const last = lines.pop() ?? '';
  if (lines.length === 0 && pipesIntoSuccess.test(last)) return true;
  if (!succeeds.test(last) && !endsInSuccess.test(last)) return false;
  const before = last.replace(new RegExp(success), '');
  // With `set -e` only a script of nothing but such commands cannot fail.
  const others = lines.filter(
    (line) => !succeeds.test(line) && !/^set -\w+( pipefail)?$/.test(line),
  );
  if (others.length === 0 && succeeds.test(last)) return true;
  return !endsEarly && ![...lines, before].some((line) => mayEnd.test(line));
}
