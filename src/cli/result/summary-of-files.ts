import { summarize } from '../../analysis/summary/summarize.js';
import type { Summary } from '../../analysis/summary/summary.js';
import type { Pattern } from '../../config/pattern.js';
import { withTokenCounter } from '../../tokens/with-token-counter.js';
import { UsageError } from '../exit-codes.js';
import { unreadableResults } from '../unreadable-results.js';
import { openChosen } from './chosen-results.js';

interface Wanted {
  tasks?: Pattern | undefined;
  variants?: Pattern | undefined;
  schemaTokens?: boolean;
}

/** Reads files as one sample and sums them up. Throws UsageError. */
export async function summaryOfFiles(
  paths: readonly string[],
  { tasks, variants, schemaTokens = false }: Wanted = {},
): Promise<Summary> {
  // What is left out is only named, and only if nothing else is there.
  const others = new Set<string>();
  try {
    const sample = await openChosen(paths, variants);
    const isWanted = (task: string) => {
      if (!tasks || tasks.test(task)) return true;
      if (others.size < mostNames) others.add(task);
      return false;
    };
    const summary = await withTokenCounter((countTokens) =>
      summarize(sample, { isWanted, ...(schemaTokens && { countTokens }) }),
    );
    if (tasks && summary.tasks.length === 0) throw noSuchTask(tasks, [...others]);
    return summary;
  } catch (error) {
    throw refusal(paths, error);
  }
}

const mostNames = 20;

function noSuchTask({ source }: Pattern, names: readonly string[]): UsageError {
  const message = `--task: no task matches ${JSON.stringify(source)}`;
  if (names.length === 0) return new UsageError(message, 'the results hold no task runs');
  return new UsageError(
    message,
    `tasks are: ${names.map((name) => name.slice(0, 100)).join(', ')}`,
  );
}

function refusal(paths: readonly string[], error: unknown): unknown {
  if (error instanceof UsageError) return error;
  const { path } = error as NodeJS.ErrnoException;
  return unreadableResults(path ?? paths.join(', '), error);
}
