import { CheckSession } from '../../run/session/check-session.js';
import { escapeWorkflowCommands, exitAfterFlush, openReporterOutput } from '../check/check-io.js';
import { CheckTerminal } from '../check/check-terminal.js';
import { resolveCommandOptions } from '../check-options.js';
import type { CommandRun } from '../command.js';
import { findSourcesOfEval } from '../sources-of.js';
import { onStopSignal } from '../stop-signals.js';

export async function run(call: CommandRun): Promise<number> {
  const options = resolveCommandOptions(call);
  const io = escapeWorkflowCommands(call.io);
  const { queueUse } = options;
  const terminal = new CheckTerminal({ io, options, budgetState: () => session.budgetState });
  const session = new CheckSession({
    paths: call.arguments,
    options,
    environment: io.environment,
    findSources: (path) =>
      findSourcesOfEval(path, io, 'fetch', { besideEval: queueUse !== undefined }),
    openOutput: openReporterOutput(call.io, io),
    addsGithubReporter: true,
    renderReport: (info, ended) => terminal.renderReport(info, ended),
    onEvent(event) {
      if (event.type === 'planned') onStopSignal((times) => session.interrupt(times));
      terminal.show(event);
    },
    ...(queueUse && {
      async createRunner(context) {
        const { QueueRunner } = await import('../../queue/queue-runner.js');
        return QueueRunner.connect(context, queueUse);
      },
    }),
  });
  try {
    const exitCode = await session.run();
    if (!terminal.hasBegun) terminal.stop();
    return exitCode;
  } catch (error) {
    terminal.stop();
    throw error;
  } finally {
    if (session.mayKeepProcessAlive) exitAfterFlush(call.io);
  }
}
