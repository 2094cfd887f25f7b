import { WorkflowCommandEscaper } from '../../../reporters/workflow-commands.js';
import type { CommandIo, Output } from '../../terminal/output.js';

export function isInGithubActions(environment: CommandIo['environment']): boolean {
  return environment.GITHUB_ACTIONS === 'true';
}

/** In GitHub Actions, what agents and servers said must not become a command to it. */
export function inertIo(io: CommandIo): CommandIo {
  if (!isInGithubActions(io.environment)) return io;
  return { ...io, stdout: inertOutput(io.stdout), stderr: inertOutput(io.stderr) };
}

function inertOutput(output: Output): Output {
  const inert = new WorkflowCommandEscaper();
  return {
    write: (text) => output.write(inert.escape(text)),
    afterLastWrite: (callback) =>
      output.afterLastWrite ? output.afterLastWrite(callback) : callback(),
    isTerminal: output.isTerminal,
    size: () => output.size?.(),
  };
}
