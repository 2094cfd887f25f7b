import { expect, it } from 'vitest';
import { compilePattern } from '../config/patterns/pattern.js';
import { Redactor } from '../config/secrets/redactor.js';
import { Secrets } from '../config/secrets/secrets.js';
import { redactedMembers } from './redacted-members.js';

const digest = '0123456789abcdef0123456789abcdef';

function editFor(pattern: string) {
  const secrets = new Secrets();
  const compiled = compilePattern(pattern);
  if (compiled.ok) secrets.addPattern(compiled.pattern);
  const edit = redactedMembers(new Redactor(secrets));
  return (key: string, value: unknown) =>
    JSON.parse(edit(key, JSON.stringify(value), false)) as unknown;
}

it.each(['workspace', 'workdir'])('leaves %s as it is, so that it can be removed', (key) => {
  expect(editFor('[0-9a-f]{32}')(key, `/tmp/${digest}`)).toBe(`/tmp/${digest}`);
});

it('leaves what a run is resumed by, and redacts the rest', () => {
  const edit = editFor('[0-9a-f]{32}');
  const own = { id: digest, workspace: `/tmp/${digest}`, process: { startTime: digest } };
  expect(
    edit('evaluation', {
      ...own,
      files: [{ path: digest, sha256: digest }],
      options: { a: digest },
    }),
  ).toEqual({
    ...own,
    files: [{ path: '[redacted:pattern]', sha256: digest }],
    options: { a: '[redacted:pattern]' },
  });
  expect(edit('files', [{ path: 'a.yaml', sha256: digest }])).toEqual([
    { path: 'a.yaml', sha256: digest },
  ]);
  expect(edit('message', digest)).toBe('[redacted:pattern]');
});
