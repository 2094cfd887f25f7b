import type { AgentFailure } from '../agents/agent.js';

/** In characters. */
const maxSaid = 300;
const maxLogged = 1024;
const maxLoggedLines = 10;

/** Why an agent failed, with the end of its log: there its program says what was wrong. */
export function failureText({ message, details = '' }: AgentFailure): string {
  const lines = endOf(details.trim(), maxLogged).split(/[\r\n]+/);
  const logged = inOneLine(lines.slice(-maxLoggedLines).join('\n'));
  return logged === '' ? message : `${message}; its log ends with: ${logged}`;
}

/** What an agent said instead of calling its tool. Empty: nothing. */
export function saidText(output: string): string {
  const said = inOneLine(beginningOf(output.trim(), maxSaid));
  return said === '' ? '' : `; it said: "${said}"`;
}

function inOneLine(shortText: string): string {
  return shortText.replace(/\s*[\r\n]\s*/g, ' ');
}

// Secrets are taken out later, and half of one would not be recognised: at a cut goes all that could
// belong to one, even if nothing is left.

function beginningOf(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength).replace(/[!-~]+$/, '')}…`;
}

function endOf(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `…${text.slice(-maxLength).replace(/^[!-~]+/, '')}`;
}
