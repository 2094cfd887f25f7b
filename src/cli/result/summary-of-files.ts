import { summarize } from '../../analysis/summary/summarize.js';
import type { Summary } from '../../analysis/summary/summary.js';
import type { Pattern } from '../../config/pattern.js';
import { explainUnreadableResults } from '../../run/outputs/unreadable-results.js';
import { withTokenCounter } from '../../tokens/with-token-counter.js';
import { UsageError } from '../exit-codes.js';
import type { CommandIo } from '../io.js';
import { mostNames, noSuchTask, openChosen } from './chosen-results.js';

interface Wanted {
  tasks?: Pattern | undefined;
  variants?: Pattern | undefined;
  schemaTokens?: boolean;
}

/** Reads files as one sample and sums them up. Throws UsageError. */
export async function summaryOfFiles(
  io: CommandIo,
  paths: readonly string[],
  { tasks, variants, schemaTokens = false }: Wanted = {},
): Promise<Summary> {
  // What is left out is only named, and only if nothing else is there.
  const others = new Set<string>();
  try {
    const sample = await openChosen(io, paths, { variants });
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

function refusal(paths: readonly string[], error: unknown): unknown {
  if (error instanceof UsageError) return error;
  const { path } = error as NodeJS.ErrnoException;
  return explainUnreadableResults(path ?? paths.join(', '), error);
}
