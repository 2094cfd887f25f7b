import { expect, it } from 'vitest';
import { shownProgram } from './shown-program.js';

it.each([
  ['proctor', {}, '/usr/bin/proctor'],
  ['npx proctor', { npm_command: 'exec' }, '/home/me/suite/node_modules/.bin/proctor'],
  ['node dist/proctor.cjs', { npm_command: 'run-script' }, `${process.cwd()}/dist/proctor.cjs`],
  ["node 'my clone/proctor.cjs'", { npm_command: 'run' }, `${process.cwd()}/my clone/proctor.cjs`],
  ['npx mcp-proctor', { npm_command: 'exec' }, '/home/me/.npm/_npx/1a2b/node_modules/.bin/proctor'],
])('is %s with %j in %s', (shown, environment, program) => {
  expect(shownProgram(environment, program)).toBe(shown);
});
