import { describe, expect, it } from 'vitest';
import { splitCommandLine } from './init-answers.js';

describe('the words of a command line', () => {
  it.each([
    ['node server.js', ['node', 'server.js']],
    ['  npx   -y  my-server\t--stdio ', ['npx', '-y', 'my-server', '--stdio']],
    ['"/path with spaces/server" --name "a b"', ['/path with spaces/server', '--name', 'a b']],
    [`sh -c 'echo "$HOME" \\n'`, ['sh', '-c', 'echo "$HOME" \\n']],
    ['a\\ b "c\\"d"', ['a b', 'c"d']],
    ['--empty "" x', ['--empty', '', 'x']],
    [`pre"fix"'ed'`, ['prefixed']],
    ['', []],
    ['   ', []],
  ])('are those that a shell sees in %j', (line, words) => {
    expect(splitCommandLine(line)).toEqual(words);
  });

  it.each(['"open', "it's"])('are not known if a quote does not end: %s', (line) => {
    expect(splitCommandLine(line)).toBeUndefined();
  });
});
