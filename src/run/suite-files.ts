import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { resolveFrom } from '../config/read-data-file.js';
import type { Task } from '../config/task-file.js';
import type { SuiteFile } from '../events/run-events.js';
import { withHome } from '../extensions/package/home-folder.js';
import type { Plan } from '../plan/plan.js';
import type { Suite } from '../plan/suite.js';

/** Every file that decides what the task runs of a plan do, with its digest, sorted by path. */
export async function suiteFiles(
  variants: readonly [Suite, ...Suite[]],
  plan: Plan,
): Promise<SuiteFile[]> {
  const [suite] = variants;
  const folder = dirname(suite.eval.source.path);
  const used = variants.flatMap(({ agentFile, judgeFile, mcp }) => [agentFile, judgeFile, mcp]);
  const paths = new Set([
    suite.eval.source.path,
    ...used.flatMap((file) => file?.source?.path ?? []),
    ...(suite.skills ?? []).flatMap(({ folder, files }) =>
      files.map(({ path }) => join(folder, path)),
    ),
    ...extensionPrograms(suite),
    ...plan.tasks.flatMap(({ definition }) => filesOf(definition)),
  ]);
  const files: SuiteFile[] = [];
  for (const path of [...paths].sort()) {
    files.push({
      path: relative(folder, path),
      sha256: await digestOf(path),
      ...(path === suite.eval.source.path && { withoutLimits: digestWithoutLimits(suite) }),
    });
  }
  return files;
}

/** What is different between the suite of an earlier run and this one. */
export function changedFiles(before: readonly SuiteFile[], now: readonly SuiteFile[]): string[] {
  const known = new Map(before.map((file) => [file.path, file]));
  const changed = now.filter((file) => !isSame(known.get(file.path), file)).map(({ path }) => path);
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
function extensionPrograms({ eval: { source, data } }: Suite): string[] {
  const packages = Object.values(data.config.extensions ?? {}).map((each) => each.package);
  return packages
    .filter((each) => !each.startsWith('https://'))
    .map((each) => resolveFrom(source, withHome(each, process.env)));
}

/** A file whose name a placeholder completes is not there yet. */
async function digestOf(path: string): Promise<string> {
  const bytes = await readFile(path).catch(() => undefined);
  return bytes ? sha256Of(bytes) : 'missing';
}

function digestWithoutLimits({ eval: { data } }: Suite): string {
  const { limits: _, ...config } = data.config;
  return sha256Of(JSON.stringify({ ...data, config }));
}

function sha256Of(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
