import type { AskedFor } from '../matching/asked-for.js';
import { callName } from './call-name.js';
import { callWords } from './call-words.js';
import { shortJson } from './short-json.js';
import { type Redact, shortText } from './short-text.js';

const longestPattern = 80;
const longestArgs = 160;

/** What an item asks for, in words. */
export function itemText(asked: AskedFor, redact: Redact): string {
  const { args, succeeded } = asked;
  const name = nameText(asked, redact);
  const called = args === undefined ? name : `${name} with ${shortJson(args, longestArgs, redact)}`;
  return succeeded ? `${called} (succeeded)` : called;
}

function nameText({ kind, server, name, pattern }: AskedFor, redact: Redact): string {
  const exact = name === undefined ? undefined : callName({ kind, server, name }, redact);
  const from = server === '' ? '' : ` of ${shortText(server, 40, redact)}`;
  if (pattern === undefined) return exact ?? `${callWords[kind].one}${from}`;
  const matching = `that matches /${shortText(pattern, longestPattern, redact)}/`;
  return exact === undefined
    ? `${callWords[kind].one}${from} ${matching}`
    : `${exact} or ${callWords[kind].one} ${matching}`;
}
