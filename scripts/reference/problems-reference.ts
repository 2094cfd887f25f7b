import { problemCodes } from '../../src/config/problems/problem-codes.js';
import { code, generatedNote, table } from './markdown.js';

/** Every problem with its cause and fix. */
export function problemsReference(): string {
  const entries = Object.entries(problemCodes).sort(([left], [right]) => (left < right ? -1 : 1));
  const overview = table(
    ['Code', 'Severity', 'Meaning'],
    entries.map(([name, { severity, cause }]) => [`[${code(name)}](#${name})`, severity, cause]),
  );
  const details = entries.map(
    ([name, { severity, cause, fix }]) =>
      `## ${name}\n\n**${severity === 'error' ? 'Error' : 'Warning'}.** ${cause}\n\n**What to do:** ${fix}\n`,
  );
  return [
    generatedNote,
    '# Problems\n',
    'What `proctor validate` can find in a suite, by code. Codes are stable. Warnings become errors with `--strict`.\n',
    '`-o json` prints problems as data: `code`, `severity`, `file`, `line`, `column`, `endLine`, `endColumn`, `message` and, if there is one, `hint`. Lines and columns count from 1, columns in UTF-16 units as in editors; the end is exclusive.\n',
    overview,
    ...details,
  ].join('\n');
}
