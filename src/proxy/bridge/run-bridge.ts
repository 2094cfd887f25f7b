import { Bridge } from './bridge.js';

/** A client need not read standard error, and a full pipe would stop everything. */
const maxNotes = 100;

/** In milliseconds: for output that nobody reads any more. */
const lastWriteTimeout = 2_000;

/** The exit code of a process that was interrupted, as shells have it. */
const interruptedExitCode = 130;

/**
 * Offers the MCP server at an address on this process's own streams, until the client is gone or a
 * signal comes; a second signal ends the process at once. `note` takes a line for people.
 */
export async function runBridge(url: URL, note: (text: string) => void): Promise<void> {
  let notes = 0;
  const bridge = new Bridge({
    url,
    environment: process.env,
    input: process.stdin,
    output: process.stdout,
    note: (text) => {
      notes += 1;
      if (notes <= maxNotes) note(text);
    },
  });
  let isAsked = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (isAsked) process.exit(interruptedExitCode);
      isAsked = true;
      void bridge.close();
    });
  }
  await bridge.run();
  // Only acts if something still keeps the process: what was written, and nobody reads.
  setTimeout(() => process.exit(0), lastWriteTimeout).unref();
}
