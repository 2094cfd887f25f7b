import { exampleModels } from '../config/models.js';
import { converters } from '../reporters/registry.js';
import type { ArgumentSpec, CommandSpec, OptionSpec } from './command.js';
import { output } from './command-options.js';

const results: ArgumentSpec = {
  name: '<results...>',
  description: 'Results or journals of `proctor check`, or results of mcpchecker',
};

const resultsOrRecordings: ArgumentSpec = {
  ...results,
  description: `${results.description}; or recordings of \`proctor proxy\``,
};

const task: OptionSpec = {
  flags: '--task <regex>',
  description: 'only tasks with a matching name',
  details: 'A pattern in RE2 syntax, unanchored.',
};

const variant: OptionSpec = {
  flags: '--variant <regex>',
  description: 'only variants with a matching name',
  details: 'Of the results of a matrix. A pattern in RE2 syntax, unanchored.',
};

const outputWithMarkdown: OptionSpec = { ...output, choices: ['text', 'json', 'markdown'] };

const outputFile: OptionSpec = {
  flags: '--output-file <file>',
  description: 'write to a file',
  details: 'Without it, to standard output.',
};

/** The commands that read results, and run nothing. */
export const resultCommands: readonly CommandSpec[] = [
  {
    name: 'summary',
    group: 'result',
    summary: 'tell what passed, how often, at what cost',
    heading: 'Look at results',
    description:
      'Sums up results: outcome, pass rate with its 95% interval, duration, calls, tokens and cost of every task. Several files count as one sample.',
    arguments: [resultsOrRecordings],
    options: [
      task,
      variant,
      outputWithMarkdown,
      {
        flags: '--github-output',
        description: 'also set outputs of a GitHub step',
        details:
          'Appends `pass-rate`, `task-runs-passed`, `tasks` and more to the file in `GITHUB_OUTPUT`, or prints them where that is not set; text goes to standard error then. `tasks-total`, `tasks-passed`, `task-pass-rate` and the like are those of mcpchecker, with its meaning: task runs count as tasks, and verified ones as passed.',
      },
    ],
    examples: [
      { command: 'proctor summary out.json', does: 'one run' },
      { command: 'proctor summary monday.json tuesday.json', does: 'several as one' },
      { command: 'proctor summary out.json -o markdown', does: 'for a pull request' },
      { command: 'proctor summary record.jsonl', does: 'calls of a recording' },
    ],
    load: () => import('./commands/summary.js'),
  },
  {
    name: 'view',
    group: 'result',
    summary: 'tell the story of a task run',
    heading: 'Look at results',
    description:
      'Shows task runs as a timeline: phases, what the agent said and called, errors, the judgement and the assertions. Also of a check that still runs.',
    arguments: [resultsOrRecordings],
    options: [
      task,
      variant,
      { flags: '--run <n>', description: 'only this run of the tasks' },
      { flags: '--failed', description: 'only task runs that did not pass' },
      {
        flags: '--max-events <n>',
        description: 'events shown of a task run; 0: all',
        default: '40',
      },
      {
        flags: '--max-output-lines <n>',
        description: 'lines shown of arguments, results and texts; 0: all',
        default: '6',
      },
      {
        flags: '--max-line-length <n>',
        description: 'characters in a line of such texts',
        details: 'Without it, as many as the terminal has room for; with 0, lines are not broken.',
      },
      {
        flags: '--timeline [shown]',
        description: 'false: leave the events out',
        details: '`--timeline=false` shows verdict, failure and assertions alone.',
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
      { command: 'proctor view out.jsonl', does: 'of a check that still runs' },
      { command: 'proctor view record.jsonl', does: 'sessions of proctor proxy' },
    ],
    load: () => import('./commands/view.js'),
  },
  {
    name: 'diff',
    group: 'result',
    summary: 'better, worse, or noise: compare two runs',
    heading: 'Look at results',
    description:
      'Compares results task by task, over all runs of each, and says what is more than noise. Exit code 0: fine; 1: --fail-on fired; 2: nothing was compared.',
    arguments: [],
    options: [
      { flags: '--base <results...>', description: 'results to compare with' },
      { flags: '--current <results...>', description: 'results of now' },
      {
        flags: '--fail-on <what>',
        description: 'what makes the exit code 1',
        choices: ['regression', 'any-drop', 'never'],
        default: 'regression',
        details:
          '`regression`: the whole or a task got worse by more than noise. `any-drop`: any rate fell.',
      },
      {
        flags: '--allow-different',
        description: 'also compare other agents or models',
        details: 'Without it, results of another eval, agent or model are refused.',
      },
      {
        ...variant,
        details:
          'Of the results of a matrix. A pattern in RE2 syntax, unanchored. Where it leaves one variant on each side, these are compared, whatever their names.',
      },
      outputWithMarkdown,
    ],
    examples: [
      { command: 'proctor diff --base main.json --current pr.json', does: 'is it better?' },
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
    summary: 'rank agents, models and servers, and say what is noise',
    heading: 'Look at results',
    description:
      'Ranks the variants of a matrix, or several results, each of which is one then, by pass rate with cost, tokens and time; says which of them really differ, over the tasks that all judged; and shows on which tasks they disagree. Exit code 0: compared; 2: there was nothing to compare.',
    arguments: [results],
    options: [
      task,
      {
        ...variant,
        details: `A pattern in RE2 syntax, unanchored. Results without a matrix are called by agent and model (\`openai-agent + ${exampleModels.large}\`), or by their path where that is not distinct.`,
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
    summary: 'hold results against thresholds',
    heading: 'Look at results',
    description:
      'Holds results against thresholds. Rates are those of task runs that could be judged; in a matrix, each variant has to reach them on its own. Exit code 0: all hold; 1: one is missed; 2: nothing was checked.',
    arguments: [results],
    options: [
      { flags: '--task <rate>', description: 'least share of passed task runs, such as 0.8' },
      {
        flags: '--assertion <rate>',
        description: 'least share of assertions that held',
        details:
          'Not applicable, which is no failure, where the tasks have no assertions; missed where a task run had some and does not list them.',
      },
      {
        flags: '--pass-hat-k <k=rate>',
        description: 'least chance that k runs in a row pass',
        details:
          'pass^k, the mean over all tasks with at least k judged runs; missed if more than a third of the tasks have fewer. Can be given several times.',
        repeatable: true,
      },
      {
        flags: '--confidence <c>',
        description: 'be so sure of rates, such as 0.95',
        details:
          "Compares the lower bound of a rate's interval in place of the rate. The interval respects that runs of one task belong together.",
      },
      {
        flags: '--max-cost <dollars>',
        description: 'most that agents and judge may cost',
        details: 'Missed if a task run does not tell; so is `--max-tokens`.',
      },
      { flags: '--max-tokens <n>', description: 'most tokens of agents and judge' },
      {
        flags: '--max-errors <n>',
        description: 'most task runs that could not be judged',
        details: 'Without it, half of them.',
      },
      {
        flags: '--allow-unfinished',
        description: 'take results of a run that did not end',
        details:
          'Without it, results with task runs missing do not pass: of a check that still runs, was killed or interrupted, or left some out by `--bail`; nor do several files, or merged results, that lack a shard of `--shard`. One shard alone counts as what it is, so that its own job can verify it.',
      },
      variant,
      output,
    ],
    examples: [
      { command: 'proctor verify out.json --task 0.8', does: 'four of five pass' },
      { command: 'proctor verify out.json --pass-hat-k 3=0.6', does: 'and pass again' },
    ],
    load: () => import('./commands/verify.js'),
  },
  {
    name: 'tools',
    group: 'result',
    isOnlyInGroup: true,
    summary: 'tell how agents used the tools of a server',
    heading: 'Look at results',
    description:
      'Shows what the author of a server needs: for every tool calls, errors, rejected arguments, durations and tokens; what was offered and never used; where agents had to try again.',
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
      { command: 'proctor result tools record.jsonl', does: 'of a recording' },
    ],
    load: () => import('./commands/tools.js'),
  },
  {
    name: 'merge',
    group: 'result',
    isOnlyInGroup: true,
    summary: 'make one results file of several',
    heading: 'Look at results',
    description:
      'Makes one results file of shards and of runs that were repeated. The order of the files does not matter; a task run that is told in two ways is refused.',
    arguments: [results],
    options: [
      { flags: '--out <file>', description: 'results file to write' },
      {
        flags: '--force',
        description: 'merge although evals, agents or tools differ',
        details: 'A task run that is told in two ways is refused all the same.',
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
    summary: 'write results for other programs',
    heading: 'Look at results',
    description:
      'Writes results as JUnit XML, Markdown, CSV (a row for every task run), or as mcpchecker writes them.',
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
      'Writes one HTML file that needs nothing else: overview, every task run, tools, and with several results a comparison.',
    arguments: [resultsOrRecordings],
    options: [
      {
        flags: '--out <file>',
        description: 'HTML file to write',
        details:
          'Without it, the name of the first results with the ending `.html`, right here. Of texts longer than 256 Ki characters it holds the beginning.',
      },
      { flags: '--title <text>', description: 'heading of the report' },
      {
        flags: '--pool',
        description: 'several files are one sample',
        details: 'Without it, each is compared with the first.',
      },
    ],
    examples: [
      { command: 'proctor report out.json', does: 'writes out.html' },
      { command: 'proctor report main.json pr.json --out diff.html', does: 'compares' },
      { command: 'proctor report record.jsonl', does: 'a recording' },
    ],
    load: () => import('./commands/report.js'),
  },
];
