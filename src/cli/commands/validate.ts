import { exitCodes, UsageError } from '../../base/errors.js';
import { plural } from '../../base/text.js';
import { Problems } from '../../config/problems/problem.js';
import { findEvals } from '../../plan/find-evals.js';
import type {
  ConnectedAgent,
  ConnectedEval,
  ConnectedVariant,
} from '../../run/preflight/connect-eval.js';
import { loadEvalSuites, type Suites } from '../../run/prepare/prepare-eval.js';
import { resolveCheckOptions } from '../../run/session/check-options.js';
import type { CommandRun } from '../command.js';
import { jsonWithoutSecrets, withoutSecrets } from '../redacted-text.js';
import { countProblems, problemsAsData, renderProblems } from '../render-problems.js';
import { findSourcesOfEval, type SourceMode } from '../sources-of.js';
import { onStopSignal } from '../stop-signals.js';
import { jsonText, styleFor } from '../terminal/output.js';
import { printText, terminalLine } from '../terminal/text.js';

export async function run(call: CommandRun): Promise<number> {
  const { arguments: paths, options, io } = call;
  if (paths.includes('')) {
    throw new UsageError('the name of an eval is empty', 'is a shell variable not set?');
  }
  const { suite, strict } = resolveCheckOptions(options, io.environment);
  const problems = new Problems();
  const evals: Suites[] = [];
  for (const path of findEvals(paths, problems)) {
    const loaded = await loadEvalSuites(path, {
      suite,
      environment: io.environment,
      findSources: (evalPath) => findSourcesOfEval(evalPath, io, chooseSourceMode(options)),
    });
    problems.addFrom(loaded.problems);
    if (loaded.suites) evals.push(loaded.suites);
  }
  const connected = new Map<Suites, ConnectedEval>();
  // Asking servers of a suite that is wrong anyway would only take time.
  if (options.connect === true && problems.report().errors === 0) {
    const { connectEval } = await import('../../run/preflight/connect-eval.js');
    const stop = new AbortController();
    const unsubscribe = onStopSignal(() => stop.abort());
    for (const variants of evals) {
      const context = {
        environment: io.environment,
        signal: stop.signal,
        onProgress: (message: string) => io.stderr.write(`${terminalLine(message)}\n`),
      };
      const found = await connectEval(variants, context, problems);
      if (stop.signal.aborted) return exitCodes.interrupted;
      if (found) connected.set(variants, found);
    }
    unsubscribe();
  }
  const report = problems.report({ strict });
  if (options.output === 'json') {
    const described = evals.map((variants) => ({
      ...describe(variants),
      ...connected.get(variants),
    }));
    const data = { evals: described, ...problemsAsData(report) };
    io.stdout.write(jsonWithoutSecrets(jsonText(data), io.environment));
  } else {
    const style = styleFor(io.stdout, io.environment);
    if (report.problems.length > 0) {
      const text = `${renderProblems(report, style)}\n${style('bold', countProblems(report))}\n`;
      printText(io.stdout, withoutSecrets(text, io.environment));
    }
    if (report.errors === 0) {
      for (const variants of evals) {
        const found = connected.get(variants);
        printText(io.stdout, confirm(variants, style) + (found ? formatConnected(found) : ''));
      }
    }
  }
  return report.errors > 0 ? exitCodes.invalid : exitCodes.ok;
}

/** Nothing is fetched unless --connect or --update-sources asks for it. */
function chooseSourceMode({ connect, updateSources }: CommandRun['options']): SourceMode {
  if (updateSources === true) return 'update';
  return connect === true ? 'fetch' : 'offline';
}

function describe([suite, ...others]: Suites) {
  const { source, data } = suite.eval;
  const variants = [suite, ...others].flatMap(({ variant }) => variant?.name ?? []);
  return {
    file: source.name,
    name: data.metadata.name,
    tasks: suite.tasks.length,
    ...(variants.length > 0 && { variants: variants.map((name) => ({ name })) }),
  };
}

/** Says what was read, so that "no problems" cannot mean "nothing there". */
function confirm(variants: Suites, style: ReturnType<typeof styleFor>) {
  const {
    eval: { source, data },
    tasks,
    mcp,
    variant,
  } = variants[0];
  const parts = [
    plural(tasks.length, 'task'),
    plural(data.config.taskSets.length, 'task set'),
    plural(mcp?.servers.length ?? 0, 'server'),
    ...(variant ? [plural(variants.length, 'variant')] : []),
  ];
  const name = terminalLine(source.name);
  return `${style('green', 'valid')}  ${name}  (${terminalLine(data.metadata.name)}: ${parts.join(', ')})\n`;
}

/** What `validate --connect` found, in words. */
function formatConnected({ variants, judge, extensions, ...only }: ConnectedEval): string {
  const lines = (variants ?? [{ name: undefined, ...only }]).flatMap(({ name, ...variant }) => [
    ...(name === undefined ? [] : [`  variant ${terminalLine(name)}\n`]),
    ...formatVariant(variant, name === undefined ? '  ' : '    '),
  ]);
  for (const { name, version, operations } of extensions) {
    const what = `${terminalLine(name)} ${terminalLine(version)}`;
    lines.push(`  extension ${what}: ${plural(operations.length, 'operation')}\n`);
  }
  if (judge) lines.push(`  judge ${formatAgent(judge)}`);
  return lines.join('');
}

function formatVariant(
  { servers = [], serversForLater = [], agent }: Partial<ConnectedVariant>,
  indent: string,
): string[] {
  const lines = servers.map(({ name, tools, allowedTools, resources, prompts }) => {
    const parts = [
      `${plural(tools, 'tool')} (${allowedTools} allowed)`,
      plural(resources, 'resource'),
      plural(prompts, 'prompt'),
    ];
    return `${indent}server ${terminalLine(name)}: ${parts.join(', ')}\n`;
  });
  for (const { name, problem } of serversForLater) {
    const why = problem === null ? '' : `; before setup: ${terminalLine(problem)}`;
    lines.push(`${indent}server ${terminalLine(name)}: asked after setup in each task run${why}\n`);
  }
  return [...lines, ...(agent ? [`${indent}agent ${formatAgent(agent)}`] : [])];
}

function formatAgent({ name, type, version }: ConnectedAgent): string {
  const shown = version === undefined ? '' : ` ${terminalLine(version)}`;
  return `${terminalLine(name)} (${type})${shown}: ready\n`;
}
