import { getReporterDefinition } from '../../../reporters/registry.js';
import type { CreateReporter, Reporter } from '../../../reporters/reporter.js';
import { WorkflowCommandEscaper } from '../../../reporters/workflow-commands.js';
import { UsageError } from '../../exit-codes.js';
import type { CommandIo } from '../../terminal/output.js';
import { sanitizeForOutput } from '../../terminal/text.js';
import { boundedWait } from './bounded-wait.js';
import { isInGithubActions } from './inert-io.js';
import { type ReportOutput, toFile, toOutput } from './report-output.js';
import { loadReporterModule } from './reporter-module.js';
import { builtinOf, type ReporterRequest } from './reporter-requests.js';
import { whyOf } from './why.js';

export interface ReporterSurroundings {
  /** As it came, for what has to be a command to GitHub. */
  io: CommandIo;
  /** The same, where nothing becomes one. */
  inertIo: CommandIo;
  evalFile: string;
  evalFolder: string;
  resultsPath: string;
  redact(text: string): string;
  /** Where results go that are asked for on stdout, if they are a part of something there. */
  jsonOutput?: ReportOutput;
  /** The report for people, without colours. */
  finalReport(): string;
  /** Known when all reporters are there. */
  isStdoutTaken(): boolean;
}

export interface CreatedReporter {
  request: ReporterRequest;
  reporter: Reporter;
  output: ReportOutput;
}

const maxCreation = 60_000;

/** Throws UsageError: before anything runs, it costs nothing to be strict. */
export async function createReporter(
  request: ReporterRequest,
  around: ReporterSurroundings,
): Promise<CreatedReporter> {
  const { io, evalFile, evalFolder } = around;
  const cwd = process.cwd();
  const output = outputOf(request, around);
  const create = await creatorOf(request, around, cwd);
  const place = { environment: io.environment, evalFile, evalFolder, cwd };
  try {
    const creation = (async () => create({ output, file: request.file, ...place }))();
    return { request, output, reporter: await boundedWait(creation, maxCreation) };
  } catch (error) {
    throw new UsageError(`--reporter ${request.shown}: ${whyOf(error)}`);
  }
}

async function creatorOf(
  { kind }: ReporterRequest,
  { finalReport }: ReporterSurroundings,
  cwd: string,
): Promise<CreateReporter> {
  if ('module' in kind) return loadReporterModule(kind.module, cwd);
  const { load } = getReporterDefinition(kind.builtin);
  if (load) return load();
  return ({ output }) => ({ onEnd: () => output.write(finalReport()) });
}

function outputOf(request: ReporterRequest, around: ReporterSurroundings): ReportOutput {
  const { io, inertIo, isStdoutTaken } = around;
  const builtin = builtinOf(request);
  if (request.file !== undefined) return toFile(request.file);
  if (builtin === 'github') {
    // GitHub reads both.
    return toOutput(
      () => (isStdoutTaken() ? io.stderr : io.stdout),
      (text) => text,
    );
  }
  if (builtin === 'json') return around.jsonOutput ?? jsonOutput(io);
  const { stdout } = inertIo;
  // Somebody else's module may mean its colours.
  return toOutput(
    () => stdout,
    (text) => (builtin ? sanitizeForOutput(stdout, text) : text),
  );
}

/** Data for programs, on stdout. */
export function jsonOutput({ stdout, environment }: CommandIo): ReportOutput {
  const inert = isInGithubActions(environment) ? new WorkflowCommandEscaper('json') : undefined;
  return toOutput(
    () => stdout,
    (text) => inert?.escape(text) ?? text,
  );
}
