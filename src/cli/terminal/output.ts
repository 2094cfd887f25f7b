import { styleText } from 'node:util';
import { escapeTerminalCharacters } from '../../base/json-text.js';

/** Outputs and environment of a command. */
export interface CommandIo {
  stdout: Output;
  stderr: Output;
  environment: Readonly<Record<string, string | undefined>>;
}

export interface Output {
  write(text: string): void;
  /** Calls back when everything is on its way, or lost for good. */
  afterLastWrite?(callback: () => void): void;
  /** Whether people watch. */
  isTerminal: boolean;
  /** Current size of the terminal; undefined without a terminal, or if it is unknown. */
  size?(): TerminalSize | undefined;
}

export interface TerminalSize {
  columns: number;
  rows: number;
}

/** Writes, and waits until it is on its way: what is long must not pile up in memory. */
export function writeWhole(output: Output, text: string): Promise<void> {
  output.write(text);
  return new Promise((resolve) => {
    if (output.afterLastWrite) output.afterLastWrite(resolve);
    else resolve();
  });
}

/** JSON for standard output. */
export function jsonText(data: unknown): string {
  return `${escapeTerminalCharacters(JSON.stringify(data, null, 2))}\n`;
}

type Format = Parameters<typeof styleText>[0];

/** Styles a text, or leaves it as it is. */
export type Style = (format: Format, text: string) => string;

/** Colour only on a terminal; NO_COLOR, FORCE_COLOR and CI are respected, in this order. */
export function styleFor(output: Output, environment: CommandIo['environment']): Style {
  return usesColor(output, environment) ? paint : (_format, text) => text;
}

/** The output was looked at by us: styleText's own look at the environment must not interfere. */
const paint: Style = (format, text) => styleText(format, text, { validateStream: false });

function usesColor(output: Output, environment: CommandIo['environment']): boolean {
  if (environment.NO_COLOR) return false;
  const forced = environment.FORCE_COLOR;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return output.isTerminal && !environment.CI && environment.TERM !== 'dumb';
}
