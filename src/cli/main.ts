import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { proctorVersion } from '../proctor-version.js';
import type { CommandSpec, OptionSpec } from './command.js';
import { commands } from './command-table.js';
import { exitCodes, UsageError } from './exit-codes.js';
import type { CommandIo } from './io.js';
import { styleFor } from './style.js';
import { terminalText } from './terminal-text.js';

/** Runs the command line; the number is the exit code. An exception is a bug in Proctor. */
export async function main(argv: readonly string[], io: CommandIo): Promise<number> {
  let exitCode: number = exitCodes.ok;
  const program = programOf(io, (code) => {
    exitCode = code;
  });
  try {
    if (argv.length === 0) {
      program.outputHelp({ error: true });
      return exitCodes.invalid;
    }
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) {
      const asked = error.exitCode === 0 || error.code === 'commander.help';
      return asked ? exitCodes.ok : exitCodes.invalid;
    }
    if (!(error instanceof UsageError)) throw error;
    reportUsage(error, io);
    return exitCodes.invalid;
  }
}

function reportUsage({ message, hint }: UsageError, io: CommandIo) {
  const style = styleFor(io.stderr, io.environment);
  io.stderr.write(`${style('red', 'error:')} ${terminalText(message)}\n`);
  if (hint !== undefined) io.stderr.write(`  ${terminalText(hint)}\n`);
}

/** The whole command line, also for the generator of the reference. */
export function programOf(io: CommandIo, done: (exitCode: number) => void): Command {
  const program = new Command('proctor')
    .description('Evaluate MCP servers by watching real AI agents use them.')
    .version(proctorVersion, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .showSuggestionAfterError()
    .showHelpAfterError('run with --help to see how it is used')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      outputError: (text, write) => write(terminalText(text)),
    })
    .addHelpText('after', rootExamples);
  for (const spec of commands) program.addCommand(commandOf(program, spec, io, done));
  return program;
}

const rootExamples = `
Examples:
  proctor check eval.yaml       run it
  proctor validate eval.yaml    is the suite right?

Exit codes: 0 fine, 1 something did not pass, 2 the files or the call are wrong.
`;

function commandOf(
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
    .description(spec.description)
    .helpOption('-h, --help', 'show help')
    .allowExcessArguments(false);
  for (const { name, description } of spec.arguments) command.argument(name, description);
  for (const option of spec.options) command.addOption(optionOf(option));
  const width = Math.max(...spec.examples.map(({ command }) => command.length));
  const examples = spec.examples.map(({ command, does }) => `  ${command.padEnd(width)}  ${does}`);
  command.addHelpText('after', `\nExamples:\n${examples.join('\n')}\n`);
  command.action(async () => {
    const module = await spec.load();
    done(await module.run({ arguments: command.args, options: command.opts(), io }));
  });
  return command;
}

function optionOf(spec: OptionSpec): Option {
  const { flags, description, choices, default: initial, group, refuse } = spec;
  const option = new Option(flags, description);
  if (choices) option.choices(choices);
  if (initial !== undefined) option.default(initial);
  if (group !== undefined) option.helpGroup(`${group}:`);
  if (refuse) {
    option.argParser((value: string) => {
      const reason = refuse(value);
      if (reason !== undefined) throw new InvalidArgumentError(reason);
      return value;
    });
  }
  return option;
}
