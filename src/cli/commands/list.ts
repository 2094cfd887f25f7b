import { formatShortDuration } from '../../analysis/figure-text.js';
import { formatDuration } from '../../base/duration.js';
import { exitCodes } from '../../base/errors.js';
import { plural } from '../../base/text.js';
import {
  type AssertionItem,
  findExactName,
  findNamePattern,
} from '../../config/files/assertion-items.js';
import type { Origin } from '../../plan/origin.js';
import {
  countFirstRuns,
  type Plan,
  type PlannedTask,
  type PlanOptions,
  type TaskRun,
} from '../../plan/plan.js';
import type { TaskTimeout } from '../../plan/task-settings.js';
import { addShardDurations, prepareEval } from '../../run/prepare/prepare-eval.js';
import { resolveCheckOptions } from '../../run/session/check-options.js';
import type { CommandRun } from '../command.js';
import { withoutSecrets } from '../redacted-text.js';
import { countProblems, problemsAsData, renderProblems } from '../render-problems.js';
import { findSourcesOfEval } from '../sources-of.js';
import { jsonText, type Style, styleFor } from '../terminal/output.js';
import { displayWidth, printText, terminalLine } from '../terminal/text.js';

export async function run(call: CommandRun): Promise<number> {
  const {
    arguments: [path = ''],
    options,
    io,
  } = call;
  const {
    suite,
    plan: given,
    shardDurations,
    strict,
  } = resolveCheckOptions(options, io.environment);
  const planOptions = await addShardDurations(given, shardDurations);
  const { prepared, problems, selectionProblems } = await prepareEval(path, {
    suite,
    environment: io.environment,
    findSources: (evalPath) => findSourcesOfEval(evalPath, io, 'offline'),
    choosePlanOptions: () => planOptions,
  });
  problems.addFrom(selectionProblems);
  const report = problems.report({ strict });
  const plan = report.errors > 0 ? undefined : prepared?.plan;
  if (options.output === 'json') {
    const data = { ...(plan && planAsData(plan, planOptions)), ...problemsAsData(report) };
    io.stdout.write(jsonText(data));
  } else {
    if (report.problems.length > 0) {
      const style = styleFor(io.stderr, io.environment);
      const count = style('bold', countProblems(report));
      const text = `${renderProblems(report, style)}\n${count}\n`;
      printText(io.stderr, withoutSecrets(text, io.environment));
    }
    const style = styleFor(io.stdout, io.environment);
    if (plan) printText(io.stdout, renderPlan(plan, planOptions, style));
  }
  return plan ? exitCodes.ok : exitCodes.invalid;
}

/** The plan for people: a table of tasks, each with what applies to it and where that comes from. */
function renderPlan(plan: Plan, { shard, autoRuns }: PlanOptions, style: Style): string {
  const { tasks, variants, taskRuns } = plan;
  const part = shard ? `, shard ${shard.index}/${shard.of}${formatTime(plan)}` : '';
  const upTo = autoRuns ? ` to ${countFirstRuns(taskRuns) * autoRuns.most}` : '';
  const runs = `${taskRuns.length}${upTo} task run${taskRuns.length === 1 ? '' : 's'}`;
  const counts = `${plural(tasks.length, 'task')}, ${runs}${part}`;
  const head = [
    `${style('bold', terminalLine(plan.name))}  ${terminalLine(plan.file)}\n${counts}\n`,
    ...(variants.length > 0
      ? [`Each run of a task by ${plural(variants.length, 'variant')}\n`]
      : []),
    ...variants.map(({ name }) => `    ${terminalLine(name)}\n`),
  ].join('');
  const sections = [
    renderSection('Sequential, one at a time in this order', plan, false, style),
    renderSection('Parallel, after the sequential ones', plan, true, style),
  ];
  return [head, ...sections.filter((text) => text !== '')].join('\n');
}

/** How long a shard that was cut by durations takes, one task run after the other. */
function formatTime({ cut }: Plan): string {
  return cut
    ? `, about ${formatShortDuration(cut.expectedMs)} of task runs by earlier results`
    : '';
}

function renderSection(title: string, plan: Plan, parallel: boolean, style: Style): string {
  const tasks = plan.tasks.filter((task) => task.parallel === parallel);
  if (tasks.length === 0) return '';
  const runs = runsByTask(plan.taskRuns);
  const header = ['TASK', 'RUNS', 'DIFFICULTY', 'LABELS', 'TIMEOUT', 'CLEANUP'];
  const rows = tasks.map((task) => renderRow(task, runs.get(task) ?? [], plan.variants.length));
  const widths = header.map((name, column) =>
    Math.max(...[name, ...rows.map((cells) => cells[column] ?? '')].map(displayWidth)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - displayWidth(cell)))
      .join('  ')
      .trimEnd();
  const body = tasks.flatMap((task, index) => [
    line(rows[index] ?? []),
    ...renderDetails(task).map((detail) => style('dim', `    ${detail}`)),
  ]);
  return `${style('underline', title)}\n${style('bold', line(header))}\n${body.join('\n')}\n`;
}

function runsByTask(taskRuns: readonly TaskRun[]): Map<PlannedTask, number[]> {
  const runs = new Map<PlannedTask, number[]>();
  for (const { task, run } of taskRuns) {
    const known = runs.get(task);
    if (known) known.push(run);
    else runs.set(task, [run]);
  }
  return runs;
}

function renderRow(task: PlannedTask, runs: readonly number[], variants: number): string[] {
  const labels = Object.entries(task.labels).map(([key, value]) => `${key}=${value}`);
  return [
    terminalLine(task.name),
    runsText(task.runs, runs, variants),
    task.difficulty ?? '-',
    terminalLine(labels.join(',')) || '-',
    formatLimit(task.limits.timeout),
    formatLimit(task.limits.cleanupTimeout),
  ];
}

function runsText(
  { count, upTo }: PlannedTask['runs'],
  own: readonly number[],
  variants: number,
): string {
  // Each variant has a first one.
  const times = own.filter((run) => run === 1).length;
  if (upTo !== undefined) return `${count * times} to ${upTo * times}`;
  const all = count * Math.max(1, variants);
  return own.length === all ? String(all) : `${own.length} of ${all}`;
}

function formatLimit(limit: TaskTimeout | undefined): string {
  return limit ? formatDuration(limit.milliseconds) : 'none';
}

/** Where the task is, where its settings come from, and the assertions that apply. */
function renderDetails({ file, runs, limits, assertions }: PlannedTask): string[] {
  const origins = [
    ...(runs.from ? [`runs from ${formatOrigin(runs.from)}`] : []),
    ...(limits.timeout ? [`timeout from ${formatOrigin(limits.timeout.from)}`] : []),
    ...(limits.cleanupTimeout
      ? [`cleanup timeout from ${formatOrigin(limits.cleanupTimeout.from)}`]
      : []),
  ];
  return [
    terminalLine(file),
    ...(origins.length > 0 ? [origins.join(', ')] : []),
    ...assertions.map(({ name, expected, at }) => {
      const place = `${at.file}:${at.line}`;
      return terminalLine(`${name} ${formatExpected(expected)}  (${place})`);
    }),
  ];
}

const maxItems = 3;

/** `memory.create_entities, memory./^open/`: enough to recognise an assertion by. */
function formatExpected(expected: unknown): string {
  if (!Array.isArray(expected)) return String(expected);
  const items = expected.slice(0, maxItems).map((item: AssertionItem) => {
    const pattern = findNamePattern(item);
    const what = findExactName(item)?.name ?? (pattern ? `/${pattern.name}/` : '*');
    return item.server === undefined ? what : `${item.server}.${what}`;
  });
  return [...items, ...(expected.length > maxItems ? ['...'] : [])].join(', ');
}

function formatOrigin(origin: Origin): string {
  return 'option' in origin ? origin.option : terminalLine(`${origin.file}:${origin.line}`);
}

/** The plan as `list -o json` prints it. */
function planAsData(plan: Plan, { shard, autoRuns }: PlanOptions) {
  const { name, file, tasks, variants, taskRuns, cut } = plan;
  return {
    eval: { name, file },
    ...(shard ? { shard: `${shard.index}/${shard.of}` } : {}),
    ...(cut ? { cut } : {}),
    totals: {
      tasks: tasks.length,
      taskRuns: taskRuns.length,
      ...(autoRuns ? { taskRunsUpTo: countFirstRuns(taskRuns) * autoRuns.most } : {}),
      sequential: taskRuns.filter((run) => !run.parallel).length,
      parallel: taskRuns.filter((run) => run.parallel).length,
    },
    ...(variants.length > 0 && { variants: variants.map(({ name }) => name) }),
    tasks: tasks.map(taskData),
    taskRuns: taskRuns.map(({ task, run, parallel, variant }) => ({
      task: task.name,
      ...(variant && { variant: variant.name }),
      run,
      runs: task.runs.count,
      mode: parallel ? 'parallel' : 'sequential',
    })),
  };
}

function taskData(task: PlannedTask) {
  return {
    task: task.name,
    path: task.file,
    difficulty: task.difficulty ?? null,
    labels: task.labels,
    mode: task.parallel ? 'parallel' : 'sequential',
    runs: task.runs.count,
    ...(task.runs.upTo === undefined ? {} : { runsUpTo: task.runs.upTo }),
    runsFrom: task.runs.from ?? null,
    limits: {
      timeout: limitData(task.limits.timeout),
      cleanupTimeout: limitData(task.limits.cleanupTimeout),
    },
    assertions: task.assertions,
  };
}

function limitData(limit: TaskTimeout | undefined) {
  if (!limit) return null;
  const { milliseconds, from } = limit;
  return { value: formatDuration(milliseconds), milliseconds, from };
}
