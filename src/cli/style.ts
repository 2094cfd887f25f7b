import { styleText } from 'node:util';
import type { CommandIo, Output } from './io.js';

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
