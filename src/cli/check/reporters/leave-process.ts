import type { CommandIo } from '../../terminal/output.js';

/** Ends the process when everything is said, whatever somebody else's code left at work. */
export function leaveProcess({ stdout, stderr }: CommandIo): void {
  const leave = () => process.exit();
  // By then, the exit code is known.
  setImmediate(() => {
    const afterStdout = () => (stderr.afterLastWrite ? stderr.afterLastWrite(leave) : leave());
    if (stdout.afterLastWrite) stdout.afterLastWrite(afterStdout);
    else afterStdout();
  });
}
