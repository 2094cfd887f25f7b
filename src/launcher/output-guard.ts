/** The reader went away (`proctor list | head -1`), or the terminal did. */
const readerGone = new Set(['EPIPE', 'EIO', 'ERR_STREAM_DESTROYED']);

/** 2: the environment is wrong. */
const outputLostExitCode = 2;

/**
 * Decides what a failing stdout or stderr means. A reader that has seen enough changes nothing:
 * the rest of the output is dropped, the work goes on, and the exit code stays what it would have
 * been, so that `proctor check | head` can neither stop an evaluation nor hide that it failed.
 * Output that should have been kept and was not (a full disk) must not look like success.
 */
export function guardOutput(): { exitCodeFor(exitCode: number): number } {
  let lost = false;
  process.stderr.on('error', () => {
    // There is nowhere left to say it.
  });
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (lost || readerGone.has(error.code ?? '')) return;
    lost = true;
    process.stderr.write(`proctor: cannot write to standard output: ${error.message}\n`);
    process.exitCode ||= outputLostExitCode;
  });
  return { exitCodeFor: (exitCode) => exitCode || (lost ? outputLostExitCode : 0) };
}
