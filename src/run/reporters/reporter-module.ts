import { dirname, isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { constants, Script } from 'node:vm';
import { UsageError } from '../../base/errors.js';
import type { CreateReporter, Reporter } from '../../reporters/reporter.js';
import { formatFirstLine, withReporterTimeout } from './running-reporter.js';

const maxLoading = 60_000;

/** Loads a reporter that is not built in. Throws UsageError. */
export async function loadReporterModule(module: string, cwd: string): Promise<CreateReporter> {
  const refuse = (why: string) => new UsageError(`--reporter: cannot load ${module}: ${why}`);
  let exported: unknown;
  try {
    exported = getDefaultExport(await withReporterTimeout(importFrom(cwd, module), maxLoading));
  } catch (error) {
    // The message names the importing file, which does not exist.
    throw refuse(
      formatFirstLine(error).replace(` imported from ${importerIn(cwd)}`, ` from ${cwd}`),
    );
  }
  if (isReporter(exported)) {
    const reporter = exported;
    return () => reporter;
  }
  if (isFunction(exported)) {
    const create = exported;
    return async (context) => {
      const reporter = await create(context);
      if (isReporter(reporter)) return reporter;
      throw new Error('it made no reporter: expected an object with onEnd or onEvent');
    };
  }
  throw refuse('its default export is neither a reporter nor a function that makes one');
}

/** No file that is there: modules are looked for from its folder. */
function importerIn(cwd: string): string {
  return join(cwd, 'proctor-check.mjs');
}

function importFrom(cwd: string, module: string): Promise<unknown> {
  const specifier = isAbsolute(module) ? pathToFileURL(module).href : module;
  // The code of Proctor comes out of a cache, where it has no `import()` of its own.
  const load = new Script('(specifier) => import(specifier)', {
    filename: importerIn(cwd),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  }).runInThisContext() as (specifier: string) => Promise<unknown>;
  return withoutWarning(() => load(specifier));
}

/** Older versions of Node.js warn, in the middle of a report, that this is an experiment. */
function withoutWarning<Value>(use: () => Value): Value {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return use();
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** What compilers of TypeScript write for CommonJS has another one inside. */
function getDefaultExport(module: unknown): unknown {
  const outer = member(module, 'default');
  return member(outer, '__esModule') === true ? member(outer, 'default') : outer;
}

function member(value: unknown, name: string): unknown {
  const isObject = typeof value === 'object' && value !== null;
  return isObject ? Reflect.get(value, name) : undefined;
}

function isFunction(value: unknown): value is (context: unknown) => unknown {
  return typeof value === 'function';
}

function isReporter(value: unknown): value is Reporter {
  const hooks = [member(value, 'onEvent'), member(value, 'onEnd')];
  return hooks.some(isFunction) && hooks.every((hook) => hook === undefined || isFunction(hook));
}

/** Part of every stack that leads through Proctor. */
const ownFolder = dirname(import.meta.dirname);

/** The listener of the eval that runs now. */
let listener: ((module: string, error: unknown) => void) | undefined;

/**
 * Errors that no code awaits, such as those of a timer or of a stream, end the process, and so does
 * `process.exit`. Those of reporter modules must not end a check: the stack says which module caused them. One
 * that leads neither to a module nor to Proctor, such as that of a socket, can be of any module. Of several
 * calls, which are for the same modules, the last one counts.
 */
export function interceptCrashes(
  modules: readonly string[],
  onError: (module: string, error: unknown) => void,
): void {
  if (modules.length === 0) return;
  const isKept = listener !== undefined;
  listener = onError;
  if (isKept) return;
  process.setUncaughtExceptionCaptureCallback((error: unknown) => {
    if (error instanceof ExitRefusedError) return;
    const owners = findOwners(error instanceof Error ? String(error.stack) : '', modules);
    for (const owner of owners) listener?.(owner, error);
    if (owners.length === 0) rethrow(error);
  });
  const { exit } = process;
  process.exit = (...code) => {
    const refused = new ExitRefusedError('it called process.exit');
    // This function itself is Proctor's.
    Error.captureStackTrace(refused, process.exit);
    const owners = findOwners(String(refused.stack), modules);
    if (owners.length === 0) return exit.apply(process, code);
    for (const owner of owners) listener?.(owner, refused);
    throw refused;
  };
}

/** Thrown into a module in place of an exit. It is reported already. */
class ExitRefusedError extends Error {}

function findOwners(stack: string, modules: readonly string[]): readonly string[] {
  const named = modules.filter((module) =>
    listStackMarks(module).some((mark) => stack.includes(mark)),
  );
  if (named.length > 0) return named;
  return stack.includes(ownFolder) ? [] : modules;
}

/** How stacks name a module. */
function listStackMarks(module: string): string[] {
  if (isAbsolute(module)) return [`${module}:`, `${pathToFileURL(module).href}:`];
  const [scope = '', name = ''] = module.split('/');
  return [`/node_modules/${scope.startsWith('@') ? `${scope}/${name}` : scope}/`];
}

/** Emits the error as if it had not been intercepted: no reporter caused it. */
function rethrow(error: unknown): void {
  const emitter: NodeJS.EventEmitter = process;
  emitter.emit('uncaughtException', error, 'uncaughtException');
}
