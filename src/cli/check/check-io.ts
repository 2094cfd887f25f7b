import { WorkflowCommandEscaper } from '../../reporters/workflow-commands.js';
import type { CheckRequest } from '../../run/session/check-session.js';
import { type CommandIo, type Output, writeWhole } from '../terminal/output.js';
import { sanitizeForOutput } from '../terminal/text.js';

type OpenReportOutput = CheckRequest['openOutput'];
type ReportOutput = ReturnType<OpenReportOutput>;

function isInGithubActions(environment: CommandIo['environment']): boolean {
  return environment.GITHUB_ACTIONS === 'true';
}

/** In GitHub Actions, what agents and servers said must not become a command to it. */
export function escapeWorkflowCommands(io: CommandIo): CommandIo {
  if (!isInGithubActions(io.environment)) return io;
  return { ...io, stdout: escapeOutput(io.stdout), stderr: escapeOutput(io.stderr) };
}

function escapeOutput(output: Output): Output {
  const inert = new WorkflowCommandEscaper();
  return {
    write: (text) => output.write(inert.escape(text)),
    afterLastWrite: (callback) =>
      output.afterLastWrite ? output.afterLastWrite(callback) : callback(),
    isTerminal: output.isTerminal,
    size: () => output.size?.(),
  };
}

/** Opens stdout for reporters. `raw` is the terminal without escaping of workflow commands. */
export function openReporterOutput(raw: CommandIo, escaped: CommandIo): OpenReportOutput {
  return ({ kind }, isStdoutTaken) => {
    const builtin = 'builtin' in kind ? kind.builtin : undefined;
    if (builtin === 'github') {
      // GitHub reads commands from both.
      return toReportOutput(() => (isStdoutTaken() ? raw.stderr : raw.stdout));
    }
    if (builtin === 'json') {
      const inert = isInGithubActions(raw.environment)
        ? new WorkflowCommandEscaper('json')
        : undefined;
      return toReportOutput(
        () => raw.stdout,
        (text) => inert?.escape(text) ?? text,
      );
    }
    const { stdout } = escaped;
    // A module may mean its colours.
    return toReportOutput(
      () => stdout,
      (text) => (builtin ? sanitizeForOutput(stdout, text) : text),
    );
  };
}

/** `shape` makes the text fit for its reader. */
function toReportOutput(
  getOutput: () => Output,
  shape: (text: string) => string = (text) => text,
): ReportOutput {
  let isOver = false;
  return {
    write: async (text) => {
      if (!isOver) await writeWhole(getOutput(), shape(text));
    },
    finish: async () => {},
    discard: async () => {
      isOver = true;
    },
  };
}

/** Ends the process when everything is written, whatever the code of reporters left at work. */
export function exitAfterFlush({ stdout, stderr }: CommandIo): void {
  const exit = () => process.exit();
  // By then, the exit code is known.
  setImmediate(() => {
    const afterStdout = () => (stderr.afterLastWrite ? stderr.afterLastWrite(exit) : exit());
    if (stdout.afterLastWrite) stdout.afterLastWrite(afterStdout);
    else afterStdout();
  });
}
