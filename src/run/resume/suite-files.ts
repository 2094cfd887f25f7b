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

/** Every file that decides what the task runs of a plan do, with its digest, sorted by path. */
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
    ...extensionPrograms(suite, environment),
    ...plan.tasks.flatMap(({ definition }) => filesOf(definition)),
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
 * Programs of servers as far as their command lines name files, with their digests: one who edits a server
 * between two checks has changed what is evaluated. Other files that they name may be data, which servers
 * write themselves; what a program reaches is its own affair.
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

/** What is different between the suite of an earlier run and this one. */
export function findChangedFiles(
  before: readonly SuiteFile[],
  now: readonly SuiteFile[],
): string[] {
  const known = new Map(before.map((file) => [file.path, file]));
  // One that is new comes with a changed MCP config, or with a journal that does not know any.
  const isNew = ({ path, isProgram }: SuiteFile) => isProgram === true && !known.has(path);
  const changed = now
    .filter((file) => !isSame(known.get(file.path), file) && !isNew(file))
    .map(({ path }) => path);
  const present = new Set(now.map(({ path }) => path));
  const gone = before.filter(({ path }) => !present.has(path)).map(({ path }) => path);
  return [...changed, ...gone].sort();
}

function isSame(before: SuiteFile | undefined, now: SuiteFile): boolean {
  if (before?.sha256 === now.sha256) return true;
  return before?.withoutLimits !== undefined && before.withoutLimits === now.withoutLimits;
}

function filesOf({ source, prompt, steps }: Task): string[] {
  const scripts = steps.flatMap(({ type, data }) => {
    const { file } = (type === 'script' ? data : {}) as { file?: string };
    return file === undefined ? [] : [resolveFrom(source, file)];
  });
  return [source.path, ...(prompt ? [prompt.file.path] : []), ...scripts];
}

/** Programs of extensions that are files. A release is pinned by its version. */
function extensionPrograms(
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

/** A file of the suite must not be lost to a slip of the pen. Throws UsageError. */
export function refuseSuiteFiles(
  written: readonly NamedPath[],
  suite: readonly { path: string }[],
  evalFolder: string,
): void {
  const options = new Map(written.map(({ path, option }) => [resolveLinks(path), option]));
  for (const { path } of suite) {
    const option = options.get(resolveLinks(resolve(evalFolder, path)));
    if (option === undefined) continue;
    const hint = `choose another file with ${option}`;
    throw new UsageError(`${path} is a file of the suite, and would be overwritten`, hint);
  }
}
