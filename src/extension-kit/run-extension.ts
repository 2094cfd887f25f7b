import type { Extension } from './extension.js';
import { reserveStdout } from './reserve-stdout.js';
import { serveExtension } from './serve-extension.js';

/** Serves on stdin and stdout until Proctor is done with the extension, and ends the process then. */
export async function runExtension<State>(extension: Extension<State>): Promise<never> {
  const write = reserveStdout();
  // A promise that an operation forgot: the other operations can go on.
  process.on('unhandledRejection', (reason) => console.error('Unhandled rejection:', reason));
  let exitCode = 0;
  try {
    await serveExtension(extension, process.stdin, write);
  } catch (error) {
    console.error(error);
    exitCode = 1;
  }
  await new Promise<void>((resolve) => write('', resolve));
  // A connection or a timer that the extension forgot must not keep the process alive.
  process.exit(exitCode);
}
