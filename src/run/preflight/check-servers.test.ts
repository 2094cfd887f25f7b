import { execFile } from 'node:child_process';
import { expect, it } from 'vitest';
import { summarizeLog } from './check-servers.js';

/** What Node.js says of a program that does not start. */
function logOf(program: string): Promise<string> {
  const options = ['--input-type=module', '--eval', program];
  return new Promise((resolve) => {
    execFile(process.execPath, options, { env: {} }, (_error, _stdout, stderr) => resolve(stderr));
  });
}

it.each([
  ['is no JavaScript', 'const = 5;', /SyntaxError: Unexpected token '='$/],
  [
    'throws',
    'console.error("one");\nthrow new Error("no database url");',
    / \| Error: no database url$/,
  ],
  [
    'misses a file',
    'import "/not/there.mjs";',
    /Error \[ERR_MODULE_NOT_FOUND\]: Cannot find module [^|]*$/,
  ],
  ['rejects', 'await Promise.reject(new TypeError("bad\\nconfig"))', /TypeError: bad \| config$/],
])('has the error of a program that %s', async (_what, program, hint) => {
  const log = await logOf(program);
  expect(log).toMatch(/\n {4}at .*\nNode\.js v/s);
  expect(summarizeLog(log)).toMatch(hint);
  expect(summarizeLog(log.replaceAll('\n', '\r\n'))).toMatch(hint);
});

it('summarizeLog has the last three lines of other logs', () => {
  expect(summarizeLog('one\ntwo\n\n  three\nat four o’clock\n')).toBe(
    'two | three | at four o’clock',
  );
  expect(summarizeLog('   \n')).toBeUndefined();
  expect(summarizeLog(undefined)).toBeUndefined();
});
