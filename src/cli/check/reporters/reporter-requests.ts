import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { didYouMean } from '../../../base/nearest.js';
import {
  reporterNames as builtinNames,
  getReporterDefinition,
  type ReporterName,
} from '../../../reporters/registry.js';
import { UsageError } from '../../exit-codes.js';

export type BuiltinName = ReporterName;

/** A reporter that was asked for, on the command line or by what goes without saying. */
export interface ReporterRequest {
  /** As it was written. */
  shown: string;
  /** One of ours, or a module: an absolute path, or a package. */
  kind: { builtin: BuiltinName } | { module: string };
  /** Absolute. Undefined: stdout, but for those that do not use it. */
  file?: string;
}

/** Those that were asked for, `-o json` among them. Throws UsageError. */
export function reporterRequests(
  given: readonly string[],
  output: 'text' | 'json',
): ReporterRequest[] {
  const requests = given.map(requestOf);
  const hasJson = requests.some((each) => builtinOf(each) === 'json' && each.file === undefined);
  if (output === 'json' && !hasJson) {
    requests.push({ shown: '-o json', kind: { builtin: 'json' } });
  }
  const names = new Set<string>();
  for (const { shown } of requests) {
    if (names.has(shown)) throw new UsageError(`--reporter ${shown} is given twice`);
    names.add(shown);
  }
  refuseSharedStdout(requests.filter((each) => builtinOf(each) && takesStdout(each)));
  return requests;
}

export function builtinOf({ kind }: ReporterRequest): BuiltinName | undefined {
  return 'builtin' in kind ? kind.builtin : undefined;
}

/** Of a reporter that is not ours. */
export function moduleOf({ kind }: ReporterRequest): string[] {
  return 'module' in kind ? [kind.module] : [];
}

/** `github` writes its few lines behind what others write; `html` has a file in any case. */
export function takesStdout(request: ReporterRequest): boolean {
  const builtin = builtinOf(request);
  return (
    request.file === undefined &&
    (!builtin || getReporterDefinition(builtin).stdout === 'exclusive')
  );
}

/** Two reports in one stream are none. */
export function refuseSharedStdout(requests: readonly ReporterRequest[]): void {
  const [first, second] = requests.map(({ shown }) =>
    shown.startsWith('-') ? shown : `--reporter ${shown}`,
  );
  if (first === undefined || second === undefined) return;
  const hint = `give one of them a file, such as --reporter junit=junit.xml`;
  throw new UsageError(`${first} and ${second} both want standard output`, hint);
}

function requestOf(shown: string): ReporterRequest {
  const end = shown.indexOf('=');
  const name = end === -1 ? shown : shown.slice(0, end);
  const file = end === -1 ? undefined : shown.slice(end + 1);
  if (file?.trim() === '') throw new UsageError(`--reporter ${shown}: expected a file after =`);
  return { shown, kind: kindOf(name), ...(file !== undefined && { file: resolve(file) }) };
}

function kindOf(name: string): ReporterRequest['kind'] {
  const builtin = builtinNames.find((each) => each === name);
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
