import { exitCodes } from '../base/errors.js';
import type { SourceStates } from '../plan/source-tasks.js';
import { findSources } from '../run/prepare/prepare-eval.js';
import type { SourceMode } from '../sources/resolve-sources.js';
import { onStopSignal } from './stop-signals.js';
import type { CommandIo } from './terminal/output.js';
import { terminalLine } from './terminal/text.js';

export type { SourceMode } from '../sources/resolve-sources.js';

/**
 * Finds the files of an eval's sources. What is fetched is named on stderr, as it may take a while. A signal
 * ends the process, and nothing of the fetch stays behind.
 */
export async function findSourcesOfEval(
  evalPath: string,
  { environment, stderr }: CommandIo,
  mode: SourceMode,
  { besideEval = false } = {},
): Promise<SourceStates> {
  const stop = new AbortController();
  const forget = onStopSignal(() => stop.abort());
  try {
    return await findSources(evalPath, {
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
