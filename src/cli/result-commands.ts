import { failOnValues } from '../analysis/diff/results-diff.js';
import { exampleModels } from '../config/models.js';
import { converters } from '../reporters/registry.js';
import type { ArgumentSpec, CommandSpec, OptionSpec } from './command.js';
import { output } from './command-options.js';

const results: ArgumentSpec = {
  name: '<results...>',
  description: 'Results or journals of `proctor check`, results of mcpchecker',
};

const resultsOrRecordings: ArgumentSpec = {
  ...results,
  description: `${results.description}, or recordings of \`proctor proxy\``,
};

const task: OptionSpec = {
  flags: '--task <regex>',
  description: 'only tasks with a matching name',
  details: 'A pattern in RE2 syntax, unanchored.',
};

const variant: OptionSpec = {
  flags: '--variant <regex>',
  description: 'only variants with a matching name',
  details: 'For results of a matrix. A pattern in RE2 syntax, unanchored.',
};

const outputWithMarkdown: OptionSpec = { ...output, choices: ['text', 'json', 'markdown'] };

const outputFile: OptionSpec = {
  flags: '--output-file <file>',
  description: 'write to this file',
  details: 'By default, standard output.',
};

/** The commands that read results, and run nothing. */
export const resultCommands: readonly CommandSpec[] = [
  {
    name: 'summary',
    group: 'result',
    summary: 'show what passed, how often and at what cost',
    heading: 'Look at results',
    description:
      'Summarises results: outcome, pass rate with its 95% interval, duration, calls, tokens and cost of every task. Several files count as one sample.',
    arguments: [resultsOrRecordings],
    options: [
      task,
      variant,
      outputWithMarkdown,
      {
        flags: '--github-output',
        description: 'also set the outputs of a GitHub step',
        details:
          'Appends `pass-rate`, `task-runs-passed`, `tasks` and more to the file named by `GITHUB_OUTPUT`. If that is not set, prints them, and the text goes to standard error. `tasks-total`, `tasks-passed`, `task-pass-rate` and similar outputs mean what they mean in mcpchecker: task runs count as tasks, and verified ones as passed.',
      },
    ],
    examples: [
      { command: 'proctor summary out.json', does: 'one run' },
      { command: 'proctor summary monday.json tuesday.json', does: 'several as one sample' },
      { command: 'proctor summary out.json -o markdown', does: 'for a pull request' },
      { command: 'proctor summary record.jsonl', does: 'a recording' },
    ],
    load: () => import('./commands/summary.js'),
  },
  {
    name: 'view',
    group: 'result',
    summary: 'show a task run step by step',
    heading: 'Look at results',
    description:
      'Shows task runs as a timeline: phases, what the agent said and called, errors, verdict and assertions. Works while a check is still running.',
    arguments: [resultsOrRecordings],
    options: [
      task,
      variant,
      { flags: '--run <n>', description: 'only this run of each task' },
      { flags: '--failed', description: 'only task runs that did not pass' },
      {
        flags: '--max-events <n>',
        description: 'events per task run; 0: all',
        default: '40',
      },
      {
        flags: '--max-output-lines <n>',
        description: 'lines per argument, result or text; 0: all',
        default: '6',
      },
      {
        flags: '--max-line-length <n>',
        description: 'characters per line of these texts',
        details: 'By default, the width of the terminal; with 0, lines are not wrapped.',
      },
      {
        flags: '--timeline [shown]',
        description: 'false: leave out the events',
        details: '`--timeline=false` shows only verdict, failure and assertions.',
        default: 'true',
        suggestions: ['true', 'false'],
        refuse: (value) =>
          value === 'true' || value === 'false'
            ? undefined
            : 'Expected true or false: write --timeline=false, or the results first.',
      },
      output,
    ],
    examples: [
      { command: 'proctor view out.json --failed', does: 'what went wrong' },
      { command: 'proctor view out.json --task pod --run 2', does: 'one task run' },
      { command: 'proctor view out.jsonl', does: 'a check that is still running' },
      { command: 'proctor view record.jsonl', does: 'a recording' },
    ],
    load: () => import('./commands/view.js'),
  },
  {
    name: 'diff',
    group: 'result',
    summary: 'compare two runs: better, worse, or noise',
    heading: 'Look at results',
    description:
      'Compares results task by task, over all runs of each task, and says which differences are more than noise. Exit code 0: fine; 1: what --fail-on names happened; 2: nothing was compared.',
    arguments: [],
    options: [
      { flags: '--base <results...>', description: 'results to compare with' },
      { flags: '--current <results...>', description: 'new results' },
      {
        flags: '--fail-on <what>',
        description: 'what makes the exit code 1',
        choices: failOnValues,
        default: 'regression',
        details:
          '`regression`: a task or the overall rate got worse by more than noise. `any-drop`: any rate fell.',
      },
      {
        flags: '--allow-different',
        description: 'also compare different agents or models',
        details: 'By default, results of different evals, agents or models are refused.',
      },
      {
        ...variant,
        details:
          'For results of a matrix. A pattern in RE2 syntax, unanchored. If it leaves one variant on each side, these two are compared, whatever their names.',
      },
      outputWithMarkdown,
    ],
    examples: [
      { command: 'proctor diff --base main.json --current pr.json', does: 'is the PR better?' },
      {
        command: 'proctor diff --base a.json --current b.json -o markdown',
        does: 'for a comment',
      },
    ],
    load: () => import('./commands/diff.js'),
  },
  {
    name: 'compare',
    group: 'result',
    isOnlyInGroup: true,
    summary: 'rank agents, models and servers',
    heading: 'Look at results',
    description:
      'Ranks variants by pass rate, with cost, tokens and time: those of a matrix, or several results files. Says which of them really differ, over the tasks judged in all, and on which tasks they disagree. Exit code 0: compared; 2: there was nothing to compare.',
    arguments: [results],
    options: [
      task,
      {
        ...variant,
        details: `A pattern in RE2 syntax, unanchored. Results without a matrix are named by agent and model (\`openai-agent + ${exampleModels.large}\`), or by their path if that is ambiguous.`,
      },
      outputWithMarkdown,
    ],
    examples: [
      { command: 'proctor result compare out.json', does: 'the variants of a matrix' },
      { command: 'proctor result compare opus.json gpt.json', does: 'files as variants' },
      {
        command: "proctor result compare out.json --variant 'gpt|opus'",
        does: 'some of them',
      },
    ],
    load: () => import('./commands/compare.js'),
  },
  {
    name: 'verify',
    group: 'result',
    summary: 'check results against thresholds',
    heading: 'Look at results',
    description:
      'Checks results against thresholds. Rates count task runs that could be judged; in a matrix, every variant must reach them. Exit code 0: all are met; 1: one is not; 2: nothing was checked.',
    arguments: [results],
    options: [
      { flags: '--task <rate>', description: 'minimum share of passed task runs, such as 0.8' },
      {
        flags: '--assertion <rate>',
        description: 'minimum share of assertions that held',
        details:
          'Not applicable, and no failure, if the tasks have no assertions. Not met if a task run had some and does not list them.',
      },
      {
        flags: '--pass-hat-k <k=rate>',
        description: 'minimum chance that k runs in a row pass',
        details:
          'pass^k, the mean over all tasks with at least k judged runs. Not met if more than a third of the tasks have fewer. Can be repeated.',
        repeatable: true,
      },
      {
        flags: '--confidence <c>',
        description: 'require the lower confidence bound to reach the rates',
        details:
          "Such as 0.95. Compares the lower bound of a rate's interval instead of the rate. The interval takes into account that runs of one task belong together.",
      },
      {
        flags: '--max-cost <dollars>',
        description: 'maximum cost of agents and judge',
        details: 'Not met if a task run reports none; the same goes for `--max-tokens`.',
      },
      { flags: '--max-tokens <n>', description: 'maximum tokens of agents and judge' },
      {
        flags: '--max-errors <n>',
        description: 'maximum task runs that could not be judged',
        details: 'By default, half of them.',
      },
      {
        flags: '--allow-unfinished',
        description: 'accept results of an unfinished run',
        details:
          'By default, results do not pass while task runs are missing: the check is still running, was killed or interrupted, or skipped some because of `--bail`, or a shard is missing from several files or merged results. A single shard may pass, so that its own job can verify it.',
      },
      variant,
      output,
    ],
    examples: [
      { command: 'proctor verify out.json --task 0.8', does: '4 of 5 must pass' },
      { command: 'proctor verify out.json --pass-hat-k 3=0.6', does: '3 in a row' },
    ],
    load: () => import('./commands/verify.js'),
  },
  {
    name: 'tools',
    group: 'result',
    isOnlyInGroup: true,
    summary: 'show how agents used the tools of a server',
    heading: 'Look at results',
    description:
      'Shows what the author of a server needs to know: calls, errors, rejected arguments, durations and tokens of every tool, which tools were never used, and where agents had to try again.',
    arguments: [resultsOrRecordings],
    options: [
      task,
      variant,
      { flags: '--server <name>', description: 'only this server' },
      outputWithMarkdown,
    ],
    examples: [
      { command: 'proctor result tools out.json', does: 'every server' },
      { command: 'proctor result tools out.json --server db', does: 'one of them' },
      { command: 'proctor result tools record.jsonl', does: 'a recording' },
    ],
    load: () => import('./commands/tools.js'),
  },
  {
    name: 'merge',
    group: 'result',
    isOnlyInGroup: true,
    summary: 'combine results files into one',
    heading: 'Look at results',
    description:
      'Combines shards and repeated runs into one results file. The order of the files does not matter. Two different records of one task run are refused.',
    arguments: [results],
    options: [
      { flags: '--out <file>', description: 'results file to write' },
      {
        flags: '--force',
        description: 'merge even if evals, agents or tools differ',
        details: 'Two different records of one task run are still refused.',
      },
    ],
    examples: [
      { command: 'proctor result merge shard-*.json --out all.json', does: 'shards of one run' },
    ],
    load: () => import('./commands/merge.js'),
  },
  {
    name: 'convert',
    group: 'result',
    isOnlyInGroup: true,
    summary: 'convert results for other programs',
    heading: 'Look at results',
    description:
      'Converts results to JUnit XML, Markdown, CSV (one row per task run), or the format of mcpchecker.',
    arguments: [
      {
        name: '<format>',
        description: 'junit, markdown, mcpchecker or csv',
        suggestions: [...converters.keys()],
      },
      results,
    ],
    options: [task, variant, outputFile],
    examples: [
      {
        command: 'proctor result convert junit out.json --output-file j.xml',
        does: 'for CI',
      },
      { command: 'proctor result convert csv out.json', does: 'a table' },
    ],
    load: () => import('./commands/convert.js'),
  },
  {
    name: 'report',
    summary: 'write the HTML report',
    heading: 'Look at results',
    description:
      'Writes one self-contained HTML file with an overview, every task run, the tools and, for several results, a comparison.',
    arguments: [resultsOrRecordings],
    options: [
      {
        flags: '--out <file>',
        description: 'HTML file to write',
        details:
          'By default, the name of the first results file with the ending `.html`, in the current directory. Texts are truncated after 256 Ki characters.',
      },
      { flags: '--title <text>', description: 'heading of the report' },
      {
        flags: '--pool',
        description: 'treat all files as one sample',
        details: 'By default, each file is compared with the first.',
      },
    ],
    examples: [
      { command: 'proctor report out.json', does: 'writes out.html' },
      { command: 'proctor report main.json pr.json --out diff.html', does: 'compare two runs' },
      { command: 'proctor report record.jsonl', does: 'a recording' },
    ],
    load: () => import('./commands/report.js'),
  },
];
