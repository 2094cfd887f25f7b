import { createHash } from 'node:crypto';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { UsageError } from '../../base/errors.js';
import { digestFile, resolveLinks } from '../../base/files.js';
import type { Task } from '../../config/files/task-file.js';
import { resolveFrom } from '../../config/yaml/data-file.js';
import { expandHome } from '../../extensions/package/cache-folder.js';
import type { SuiteFile } from '../../journal/run-events.js';
import type { Plan } from '../../plan/plan.js';
import type { Suite } from '../../plan/suite.js';

/** Lists every file that decides what the task runs of a plan do, with its digest, sorted by path. */
export function listSuiteFiles(
  variants: readonly [Suite, ...Suite[]],
  plan: Plan,
  environment: NodeJS.ProcessEnv,
): SuiteFile[] {
  const [suite] = variants;
  const folder = dirname(suite.eval.source.path);
  const used = variants.flatMap(({ agentFile, judgeFile, mcp }) => [agentFile, judgeFile, mcp]);
  const paths = new Set([
    suite.eval.source.path,
    ...used.flatMap((file) => file?.source?.path ?? []),
    ...(suite.skills ?? []).flatMap(({ folder, files }) =>
      files.map(({ path }) => join(folder, path)),
    ),
    ...listExtensionPrograms(suite, environment),
    ...plan.tasks.flatMap(({ definition }) => listTaskFiles(definition)),
  ]);
  const files: SuiteFile[] = [];
  for (const path of [...paths].sort()) {
    files.push({
      path: relative(folder, path),
      // A file whose name a placeholder completes is not there yet.
      sha256: digestFile(path) ?? 'missing',
      ...(path === suite.eval.source.path && { withoutLimits: digestWithoutLimits(suite) }),
    });
  }
  return files;
}

const programEnding = /\.(?:[cm]?[jt]sx?|py|rb|php|pl|lua|sh|jar|dll|exe)$/i;

/**
 * Lists the programs of servers that are named in their command lines, with their digests: a server that was edited
 * between two checks is another one. Other files in command lines may be data that servers write themselves. Files
 * that a program imports are not found.
 */
export function listServerPrograms(variants: readonly [Suite, ...Suite[]]): SuiteFile[] {
  const folder = dirname(variants[0].eval.source.path);
  const paths = new Set<string>();
  for (const { data } of variants.flatMap(({ mcp }) => mcp?.servers ?? [])) {
    const { command = '', args = [], cwd = '' } = data;
    const isProgram = (word: string) => programEnding.test(word);
    const named = args.filter(isProgram);
    const isOwnFile = !isAbsolute(command) && command.includes(sep);
    if (isOwnFile || isProgram(command)) named.push(command);
    for (const word of named) paths.add(resolve(cwd, word));
  }
  const files: SuiteFile[] = [];
  for (const path of [...paths].sort()) {
    const sha256 = digestFile(path);
    if (sha256) files.push({ path: relative(folder, path), sha256, isProgram: true });
  }
  return files;
}

/** Lists the paths of files that are not what they were in an earlier run, new and missing ones included. */
export function findChangedFiles(
  before: readonly SuiteFile[],
  now: readonly SuiteFile[],
): string[] {
  const known = new Map(before.map((file) => [file.path, file]));
  // A server's program that the journal does not list is no change of its own: either the MCP config has changed too,
  // which is noticed, or the journal is older than these entries.
  const isUnlistedProgram = ({ path, isProgram }: SuiteFile) => isProgram && !known.has(path);
  const changed = now
    .filter((file) => !isSame(known.get(file.path), file) && !isUnlistedProgram(file))
    .map(({ path }) => path);
  const present = new Set(now.map(({ path }) => path));
  const gone = before.filter(({ path }) => !present.has(path)).map(({ path }) => path);
  return [...changed, ...gone].sort();
}

function isSame(before: SuiteFile | undefined, now: SuiteFile): boolean {
  if (before?.sha256 === now.sha256) return true;
  return before?.withoutLimits !== undefined && before.withoutLimits === now.withoutLimits;
}

function listTaskFiles({ source, prompt, steps }: Task): string[] {
  const scripts = steps.flatMap(({ type, data }) => {
    const { file } = (type === 'script' ? data : {}) as { file?: string };
    return file === undefined ? [] : [resolveFrom(source, file)];
  });
  return [source.path, ...(prompt ? [prompt.file.path] : []), ...scripts];
}

/** Lists programs of extensions that are files here. A release from elsewhere is pinned by its version. */
function listExtensionPrograms(
  { eval: { source, data } }: Suite,
  environment: NodeJS.ProcessEnv,
): string[] {
  const packages = Object.values(data.config.extensions ?? {}).map(
    (extension) => extension.package,
  );
  return packages
    .filter((program) => !program.startsWith('https://'))
    .map((program) => resolveFrom(source, expandHome(program, environment)));
}

function digestWithoutLimits({ eval: { data } }: Suite): string {
  const { limits: _, ...config } = data.config;
  return createHash('sha256')
    .update(JSON.stringify({ ...data, config }))
    .digest('hex');
}

/** A file that a check reads or writes, and the option that names it. */
export interface NamedPath {
  path: string;
  option: string;
}

/** Throws UsageError if the check would overwrite one of the files that it reads. */
export function refuseSuiteFiles(
  filesToWrite: readonly NamedPath[],
  filesRead: readonly { path: string }[],
  evalFolder: string,
): void {
  const options = new Map(filesToWrite.map(({ path, option }) => [resolveLinks(path), option]));
  for (const { path } of filesRead) {
    const option = options.get(resolveLinks(resolve(evalFolder, path)));
    if (option === undefined) continue;
    const hint = `choose another file with ${option}`;
    throw new UsageError(`${path} is a file of the suite, and would be overwritten`, hint);
  }
}
