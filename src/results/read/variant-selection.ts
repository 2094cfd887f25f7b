import type { ResultsFile } from '../results-file.js';
import type { AgentRecord, ResultsHeader } from '../results-header.js';
import { findOrigin } from '../task-run-record.js';
import type { PooledResults } from './pooled-results.js';

/** Whether a variant is selected. Results without a matrix have the variant null. */
export type IsWantedVariant = (variant: string | null) => boolean;

/** The names of the variants in a sample, with null if a file has no matrix. */
export function listVariants(files: readonly ResultsFile[]): (string | null)[] {
  const names = files.flatMap(({ header }) =>
    header.variants.length > 0 ? header.variants.map(({ name }) => name) : [null],
  );
  return [...new Set(names)];
}

/**
 * The part of a sample that belongs to some variants; headers keep the agents and servers of these only. Files
 * without any of them are left out.
 */
export async function selectVariants(
  pooled: PooledResults,
  isWanted: IsWantedVariant,
): Promise<PooledResults> {
  if (listVariants(pooled.files).every(isWanted)) return pooled;
  const others = await countOtherVariants(pooled, isWanted);
  const narrowed = new Map(
    pooled.files
      .filter((file) => listVariants([file]).some(isWanted))
      .map((file) => [file, narrowFile(file, isWanted, others.countFor(file))]),
  );
  return {
    files: [...narrowed.values()],
    async *taskRuns({ of, ...options } = {}) {
      const [whole] = [...narrowed].find(([, part]) => part === of) ?? [];
      const all = { ...options, ...(whole && { of: whole }) };
      for await (const { file, taskRun } of pooled.taskRuns(all)) {
        const part = narrowed.get(file);
        if (part && isWanted(taskRun.variant)) yield { file: part, taskRun };
      }
    },
  };
}

/** Counts the task runs of the other variants for each run, as these are part of its plan. */
async function countOtherVariants(pooled: PooledResults, isWanted: IsWantedVariant) {
  const counts = new Map<string | ResultsFile, number>();
  for await (const { file, taskRun } of pooled.taskRuns({ withoutCallResults: true })) {
    if (isWanted(taskRun.variant)) continue;
    const key = findOrigin(file.header, taskRun)?.id ?? file;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return {
    countFor(file: ResultsFile): number {
      const { evaluations } = file.header;
      const keys = evaluations.length > 0 ? evaluations : [file];
      return keys.reduce((sum, key) => sum + (counts.get(key) ?? 0), 0);
    },
  };
}

function narrowFile(
  file: ResultsFile,
  isWanted: IsWantedVariant,
  doneByOthers: number,
): ResultsFile {
  return {
    path: file.path,
    leftOut: () => file.leftOut(),
    header: narrowHeader(file.header, isWanted, doneByOthers),
    async *taskRuns(options) {
      for await (const taskRun of file.taskRuns(options)) {
        if (isWanted(taskRun.variant)) yield taskRun;
      }
    },
  };
}

function narrowHeader(
  header: ResultsHeader,
  isWanted: IsWantedVariant,
  doneByOthers: number,
): ResultsHeader {
  const variants = header.variants.filter(({ name }) => isWanted(name));
  const configs = new Set(variants.map(({ mcpConfigFile }) => mcpConfigFile));
  return {
    ...header,
    agent: findCommonAgent(variants.map(({ agent }) => agent)) ?? header.agent,
    variants,
    mcpServers: header.mcpServers.filter(
      ({ mcpConfigFile }) => mcpConfigFile === undefined || configs.has(mcpConfigFile),
    ),
    // Task runs that were not done may belong to any variant: they still count as missing.
    planned: header.planned === null ? null : Math.max(0, header.planned - doneByOthers),
    open: header.open.filter(({ variant }) => isWanted(variant ?? null)),
  };
}

function findCommonAgent(agents: readonly NonNullable<AgentRecord>[]): AgentRecord {
  const [first, ...others] = agents;
  const isSame = (other: AgentRecord) => JSON.stringify(other) === JSON.stringify(first);
  return first && others.every(isSame) ? first : null;
}
