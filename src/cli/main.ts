import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { exitCodes, UsageError } from '../base/errors.js';
import { proctorVersion } from '../proctor-version.js';
import {
  type CommandGroup,
  type CommandRun,
  type CommandSpec,
  commandGroups,
  commandWords,
  type OptionSpec,
} from './command.js';
import { commands } from './command-table.js';
import { type CommandIo, styleFor } from './terminal/output.js';
import { printText, terminalText } from './terminal/text.js';

/** Runs the command line; the number is the exit code. An exception is a bug in Proctor. */
export async function main(argv: readonly string[], io: CommandIo): Promise<number> {
  let exitCode: number = exitCodes.ok;
  const done = (code: number) => {
    exitCode = code;
  };
  const misuse: string[] = [];
  const program = makeProgram(io, { done, misused: (text) => misuse.push(text) }, argv[0]);
  try {
    // For the scripts of `proctor completion`; people do not type it.
    if (argv[0] === '__complete') {
      const { complete } = await import('./completion/candidates.js');
      return complete(argv.slice(1), io);
    }
    if (argv.length === 0) {
      program.outputHelp({ error: true });
      io.stderr.write(misuse.join(''));
      return exitCodes.invalid;
    }
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) {
      const asked = error.exitCode === 0 || error.code === 'commander.help';
      if (misuse.length > 0) io.stderr.write(await shownMessage(misuse.join(''), io));
      return asked ? exitCodes.ok : exitCodes.invalid;
    }
    if (!(error instanceof UsageError)) throw error;
    await reportUsage(error, io);
    return exitCodes.invalid;
  }
}

async function reportUsage({ message, hint }: UsageError, io: CommandIo): Promise<void> {
  const style = styleFor(io.stderr, io.environment);
  const shown = await shownMessage(message, io);
  printText(io.stderr, `${style('red', 'error:')} ${shown}\n`);
  if (hint !== undefined) printText(io.stderr, `  ${await shownMessage(hint, io)}\n`);
}

/** Prints a usage error, which quotes the command line, without secrets. */
async function shownMessage(text: string, { environment }: CommandIo): Promise<string> {
  // Most calls have nothing to say, and loading this takes time.
  const { withoutSecrets } = await import('./redacted-text.js');
  return terminalText(withoutSecrets(text, environment));
}

/** Runs a command, and turns what it throws into an exit code. */
interface CallEnd {
  done(exitCode: number): void;
  /** Why it is wrong, and where to read how it is right. */
  misused(text: string): void;
}

/** The command line. Every command takes time to describe: if one is called, only that. */
function makeProgram(io: CommandIo, { done, misused }: CallEnd, called = ''): Command {
  const program = new Command('proctor')
    .description('Evaluate MCP servers by watching real AI agents use them.')
    .version(proctorVersion, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .commandsGroup('Other commands:')
    .helpCommand('help [command]', 'show help for a command')
    // Their arguments are in their own help: this has to fit a screen.
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .showSuggestionAfterError()
    .showHelpAfterError("See 'proctor --help'.")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: misused,
    })
    .addHelpText('after', rootExamples);
  const isTop = ({ isOnlyInGroup }: CommandSpec) => !isOnlyInGroup;
  const only = commands.filter((spec) => isTop(spec) && spec.name === called);
  for (const spec of only.length > 0 ? only : commands.filter(isTop)) {
    program.addCommand(addCommand(program, spec, io, done));
  }
  if (only.length === 0) {
    for (const group of commandGroups) program.addCommand(addGroup(program, group, io, done));
  }
  return program;
}

function addGroup(
  program: Command,
  { name, summary, heading, description, usage, examples }: CommandGroup,
  io: CommandIo,
  done: (exitCode: number) => void,
): Command {
  const group = new Command(name)
    .copyInheritedSettings(program)
    .summary(summary)
    .helpGroup(`${heading}:`)
    .description(description)
    .usage(usage)
    .helpOption('-h, --help', 'show help')
    .showHelpAfterError(`See 'proctor ${name} --help'.`)
    .helpCommand(false)
    .addHelpText('after', `\nExamples:\n${examples.map((each) => `  ${each}\n`).join('')}`);
  for (const spec of commands.filter((each) => each.group === name)) {
    group.addCommand(addCommand(program, spec, io, done));
  }
  return group;
}

const rootExamples = `
Examples:
  proctor init                a suite for your server
  proctor check eval.yaml     run it
  proctor view out.json       what happened

Exit codes: 0 fine, 1 something did not pass, 2 invalid files or usage (nothing
ran), 70 a bug in Proctor, 130 interrupted.
`;

function addCommand(
  program: Command,
  spec: CommandSpec,
  io: CommandIo,
  done: (exitCode: number) => void,
): Command {
  const command = new Command(spec.name)
    .copyInheritedSettings(program)
    // The usage line and the description say it: help has to fit a screen.
    .configureHelp({ visibleArguments: () => [] })
    .summary(spec.summary)
    .helpGroup(`${spec.heading}:`)
    .description(spec.description)
    .helpOption('-h, --help', 'show help')
    .showHelpAfterError(`See 'proctor ${commandWords(spec)} --help'.`)
    .allowExcessArguments(false);
  for (const { name, description } of spec.arguments) command.argument(name, description);
  for (const option of spec.options) command.addOption(makeOption(option));
  const width = Math.max(...spec.examples.map(({ command }) => command.length));
  const examples = spec.examples.map(({ command, does }) => `  ${command.padEnd(width)}  ${does}`);
  command.addHelpText('after', `\nExamples:\n${examples.join('\n')}\n`);
  command.action(async () => {
    const module = await spec.load();
    const options = command.opts();
    done(
      await module.run({ arguments: command.args, options, io: await shownIo(spec, options, io) }),
    );
  });
  return command;
}

/** In GitHub Actions, words of agents in a text for people must not become commands to it. */
async function shownIo(
  { name }: CommandSpec,
  options: CommandRun['options'],
  io: CommandIo,
): Promise<CommandIo> {
  // A check has commands of its own to give.
  if (options.output !== 'text' || name === 'check') return io;
  if (io.environment.GITHUB_ACTIONS !== 'true') return io;
  const { escapeWorkflowCommands } = await import('./check/check-io.js');
  return escapeWorkflowCommands(io);
}

function makeOption(spec: OptionSpec): Option {
  const { flags, description, choices, default: initial, group, repeatable, refuse } = spec;
  const option = new Option(flags, description);
  if (choices) option.choices(choices);
  if (initial !== undefined) option.default(initial);
  if (group !== undefined) option.helpGroup(`${group}:`);
  if (repeatable) {
    option.argParser((value: string, earlier: string[] = []) => [...earlier, value]);
  }
  if (refuse) {
    option.argParser((value: string) => {
      const reason = refuse(value);
      if (reason !== undefined) throw new InvalidArgumentError(reason);
      return value;
    });
  }
  return option;
}
