import { dirname, isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';

/** In every stack that leads through Proctor. */
const ownFolder = dirname(import.meta.dirname);

/** Whoever hears of errors now. */
let listener: ((module: string, error: unknown) => void) | undefined;

/**
 * Errors that nobody waits for, such as of a timer or of a stream, end the process, and so does
 * `process.exit`. Those of modules that report must not end a check: whose they are, their stack
 * tells. One that leads neither to a module nor to Proctor, such as of a socket, can be of any module.
 * Of several calls, which are for the same modules, the last one counts.
 */
export function keepFromEnding(
  modules: readonly string[],
  onError: (module: string, error: unknown) => void,
): void {
  if (modules.length === 0) return;
  const isKept = listener !== undefined;
  listener = onError;
  if (isKept) return;
  process.setUncaughtExceptionCaptureCallback((error: unknown) => {
    if (error instanceof ExitRefused) return;
    const owners = ownersOf(error instanceof Error ? String(error.stack) : '', modules);
    for (const owner of owners) listener?.(owner, error);
    if (owners.length === 0) pass(error);
  });
  const { exit } = process;
  process.exit = (...code) => {
    const refused = new ExitRefused('it called process.exit');
    // This function itself is Proctor's.
    Error.captureStackTrace(refused, process.exit);
    const owners = ownersOf(String(refused.stack), modules);
    if (owners.length === 0) return exit.apply(process, code);
    for (const owner of owners) listener?.(owner, refused);
    throw refused;
  };
}

/** What a module gets in place of an end. It is told already. */
class ExitRefused extends Error {}

function ownersOf(stack: string, modules: readonly string[]): readonly string[] {
  const named = modules.filter((module) => marksOf(module).some((mark) => stack.includes(mark)));
  if (named.length > 0) return named;
  return stack.includes(ownFolder) ? [] : modules;
}

/** As stacks name it. */
function marksOf(module: string): string[] {
  if (isAbsolute(module)) return [`${module}:`, `${pathToFileURL(module).href}:`];
  const [scope = '', name = ''] = module.split('/');
  return [`/node_modules/${scope.startsWith('@') ? `${scope}/${name}` : scope}/`];
}

/** To whoever would have got it. */
function pass(error: unknown): void {
  const emitter: NodeJS.EventEmitter = process;
  emitter.emit('uncaughtException', error, 'uncaughtException');
}
