import type { CommandIo } from './io.js';

/** An option as people write it, and as the reference describes it. */
export interface OptionSpec {
  /** As commander takes it: `-r, --run <regex>`. */
  flags: string;
  description: string;
  /** What the reference says besides; help has to fit a screen. */
  details?: string;
  choices?: readonly string[];
  default?: string;
  /** Heading that help puts it under, where a command has many. */
  group?: string;
  /**
   * What is wrong with a value, asked while the command line is read. For an optional value, which
   * could swallow the argument behind it.
   */
  refuse?(value: string): string | undefined;
}

export interface ArgumentSpec {
  /** As commander takes it: `<eval>`, `<eval...>`, `[kind]`. */
  name: string;
  description: string;
}

export interface CommandRun {
  arguments: string[];
  options: Record<string, string | boolean | undefined>;
  io: CommandIo;
}

/** What a command's file exports; the number is the exit code. */
export interface CommandModule {
  run(call: CommandRun): Promise<number>;
}

export interface CommandSpec {
  name: string;
  summary: string;
  description: string;
  arguments: readonly ArgumentSpec[];
  options: readonly OptionSpec[];
  examples: readonly { command: string; does: string }[];
  /** Loaded only when the command is called. */
  load(): Promise<CommandModule>;
}
