import { plural } from '../../config/plural.js';
import { Problems } from '../../config/problem.js';
import { checkSuite } from '../../plan/checks/check-suite.js';
import { findEvals } from '../../plan/find-evals.js';
import { loadSuite, type Suite } from '../../plan/suite.js';
import type { CommandRun } from '../command.js';
import type { ConnectedSuite } from '../connect-suite.js';
import { exitCodes, UsageError } from '../exit-codes.js';
import { jsonText } from '../json-text.js';
import { suiteOptionsOf } from '../options.js';
import { problemsAsData } from '../problem-data.js';
import { countProblems, renderProblems } from '../render-problems.js';
import { styleFor } from '../style.js';
import { terminalLine } from '../terminal-text.js';
import { onStopSignal } from '../until-stopped.js';

export async function run(call: CommandRun): Promise<number> {
  const { arguments: paths, options, io } = call;
  if (paths.includes('')) {
    throw new UsageError('an eval is named by nothing', 'is a shell variable not set?');
  }
  const problems = new Problems();
  const suites: Suite[] = [];
  for (const path of findEvals(paths, problems)) {
    const suite = loadSuite(path, suiteOptionsOf(call), problems);
    if (!suite) continue;
    checkSuite(suite, io.environment, problems);
    suites.push(suite);
  }
  const connected = new Map<Suite, ConnectedSuite>();
  // Asking servers of a suite that is wrong anyway would only take time.
  if (options.connect === true && problems.report().errors === 0) {
    const { connectSuite } = await import('../connect-suite.js');
    const stop = new AbortController();
    onStopSignal(() => stop.abort());
    for (const suite of suites) {
      const found = await connectSuite(suite, io, problems, stop.signal);
      if (stop.signal.aborted) return exitCodes.interrupted;
      if (found) connected.set(suite, found);
    }
  }
  const report = problems.report({ strict: options.strict === true });
  if (options.output === 'json') {
    const evals = suites.map((suite) => ({ ...describe(suite), ...connected.get(suite)?.data }));
    const data = { evals, ...problemsAsData(report) };
    io.stdout.write(jsonText(data));
  } else {
    const style = styleFor(io.stdout, io.environment);
    if (report.problems.length > 0) {
      const count = countProblems(report);
      io.stdout.write(`${renderProblems(report, style)}\n${style('bold', count)}\n`);
    }
    if (report.errors === 0) {
      for (const suite of suites) {
        io.stdout.write(confirm(suite, style) + (connected.get(suite)?.text ?? ''));
      }
    }
  }
  return report.errors > 0 ? exitCodes.invalid : exitCodes.ok;
}

function describe({ eval: { source, data }, tasks }: Suite) {
  return { file: source.name, name: data.metadata.name, tasks: tasks.length };
}

/** Says what was read, so that "no problems" cannot mean "nothing there". */
function confirm(
  { eval: { source, data }, tasks, mcp }: Suite,
  style: ReturnType<typeof styleFor>,
) {
  const parts = [
    plural(tasks.length, 'task'),
    plural(data.config.taskSets.length, 'task set'),
    plural(mcp?.servers.length ?? 0, 'server'),
  ];
  const name = terminalLine(source.name);
  return `${style('green', 'valid')}  ${name}  (${terminalLine(data.metadata.name)}: ${parts.join(', ')})\n`;
}
