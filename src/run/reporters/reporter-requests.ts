import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../../base/errors.js';
import { didYouMean } from '../../base/nearest.js';
import {
  reporterNames as builtinNames,
  getReporterDefinition,
  type ReporterName,
} from '../../reporters/registry.js';
import type { CreateReporter } from '../../reporters/reporter.js';

export type BuiltinName = ReporterName;

/** A reporter that was asked for. */
export interface ReporterRequest {
  /** As it was written. */
  shown: string;
  /** A built-in one; a module: an absolute path, or a package; or one that the calling program makes itself. */
  kind: { builtin: BuiltinName } | { module: string } | { create: CreateReporter };
  /** Absolute. Undefined: stdout, but for those that do not use it. */
  file?: string | undefined;
}

/** Parses the values of `--reporter`, with what `-o json` asks for. Throws UsageError. */
export function parseReporterRequests(
  texts: readonly string[],
  output: 'text' | 'json',
): ReporterRequest[] {
  const requests = texts.map(parseRequest);
  const hasJson = requests.some(isJsonOnStdout);
  if (output === 'json' && !hasJson) {
    requests.push(jsonRequest);
  }
  const names = new Set<string>();
  for (const { shown } of requests) {
    if (names.has(shown)) throw new UsageError(`--reporter ${shown} is given twice`);
    names.add(shown);
  }
  refuseSharedStdout(requests.filter((request) => getBuiltinName(request) && takesStdout(request)));
  return requests;
}

/** What `-o json` asks for. */
export const jsonRequest: ReporterRequest = { shown: '-o json', kind: { builtin: 'json' } };

export function isJsonOnStdout(request: ReporterRequest): boolean {
  return getBuiltinName(request) === 'json' && takesStdout(request);
}

/** The name of a built-in reporter; undefined for others. */
export function getBuiltinName({ kind }: ReporterRequest): BuiltinName | undefined {
  return 'builtin' in kind ? kind.builtin : undefined;
}

/** The module of a reporter that is not built in; a list of one or none. */
export function listModules({ kind }: ReporterRequest): string[] {
  return 'module' in kind ? [kind.module] : [];
}

/** `github` writes its few lines behind what others write; `html` has a file in any case. */
export function takesStdout(request: ReporterRequest): boolean {
  const builtin = getBuiltinName(request);
  return (
    request.file === undefined &&
    (!builtin || getReporterDefinition(builtin).stdout === 'exclusive')
  );
}

/** Throws UsageError for two reports in one stream. */
export function refuseSharedStdout(requests: readonly ReporterRequest[]): void {
  const [first, second] = requests.map(({ shown }) =>
    shown.startsWith('-') ? shown : `--reporter ${shown}`,
  );
  if (first === undefined || second === undefined) return;
  const hint = `give one of them a file, such as --reporter junit=junit.xml`;
  throw new UsageError(`${first} and ${second} both want standard output`, hint);
}

function parseRequest(shown: string): ReporterRequest {
  const end = shown.indexOf('=');
  const name = end === -1 ? shown : shown.slice(0, end);
  const file = end === -1 ? undefined : shown.slice(end + 1);
  if (file?.trim() === '') throw new UsageError(`--reporter ${shown}: expected a file after =`);
  return { shown, kind: parseKind(name), file: file && resolve(file) };
}

function parseKind(name: string): ReporterRequest['kind'] {
  const builtin = builtinNames.find((builtin) => builtin === name);
  if (builtin) return { builtin };
  if (/^\.{0,2}[/\\]/.test(name) || (/[./]/.test(name) && existsSync(name))) {
    const module = resolve(name);
    if (existsSync(module)) return { module };
    throw new UsageError(`--reporter: ${name} does not exist`);
  }
  if (name.includes('/')) return { module: name };
  const hint =
    didYouMean(name, builtinNames) ??
    `expected ${builtinNames.join(', ')}, or a module such as ./reporter.mjs`;
  throw new UsageError(`--reporter: unknown reporter ${JSON.stringify(name)}`, hint);
}
