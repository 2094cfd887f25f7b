import { isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { constants, Script } from 'node:vm';
import type { CreateReporter, Reporter } from '../../../reporters/reporter.js';
import { UsageError } from '../../exit-codes.js';
import { boundedWait } from './bounded-wait.js';
import { whyOf } from './why.js';

const maxLoading = 60_000;

/** Loads a reporter that is not ours. Throws UsageError. */
export async function loadReporterModule(module: string, cwd: string): Promise<CreateReporter> {
  const refuse = (why: string) => new UsageError(`--reporter: cannot load ${module}: ${why}`);
  let exported: unknown;
  try {
    exported = defaultOf(await boundedWait(importFrom(cwd, module), maxLoading));
  } catch (error) {
    // It names the one that asks, and nobody has that file.
    throw refuse(whyOf(error).replace(` imported from ${importerIn(cwd)}`, ` from ${cwd}`));
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
function defaultOf(module: unknown): unknown {
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
  return hooks.some(isFunction) && hooks.every((each) => each === undefined || isFunction(each));
}
