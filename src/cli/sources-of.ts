import { readTextFile } from '../config/yaml/data-file.js';
import type { SourceStates } from '../plan/source-tasks.js';
import type { SourceMode } from '../sources/resolve-sources.js';
import { exitCodes } from './exit-codes.js';
import { onStopSignal } from './stop-signals.js';
import type { CommandIo } from './terminal/output.js';
import { terminalLine } from './terminal/text.js';

export type { SourceMode } from '../sources/resolve-sources.js';

/**
 * Where the files of an eval's sources are. What is fetched is named on stderr, as it may take a while. A
 * signal ends the process, and nothing of the fetch stays behind.
 */
export async function sourcesOf(
  evalPath: string,
  { environment, stderr }: CommandIo,
  mode: SourceMode,
  { besideEval = false } = {},
): Promise<SourceStates> {
  if (!mayHaveSources(evalPath)) return new Map();
  const { resolveSources } = await import('../sources/resolve-sources.js');
  const stop = new AbortController();
  const forget = onStopSignal(() => stop.abort());
  try {
    return await resolveSources(evalPath, {
      mode,
      besideEval,
      environment,
      signal: stop.signal,
      onProgress: (message) => stderr.write(`${terminalLine(message)}\n`),
    });
  } finally {
    forget();
    if (stop.signal.aborted) process.exit(exitCodes.interrupted);
  }
}

/**
 * Whether the key `sources` can be in an eval; quotes can spell it in escapes. Most evals have none, and
 * then reading the eval twice and loading what fetches would be a fifth of a whole `validate`.
 */
function mayHaveSources(evalPath: string): boolean {
  const read = readTextFile(evalPath);
  return read.ok && /sources|\\/.test(read.text);
}
