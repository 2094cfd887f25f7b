import { describe, expect, test } from 'vitest';
import { suiteOf } from '../support/check-suites.js';
import { expectNothingLeft } from '../support/left-behind.js';
import { serverProgram } from '../support/mcp-servers.js';
import { startCheck } from '../support/running-check.js';

const config = `mcpServers:
  shell:
    command: /bin/sh
    args: ["\${PWD}/server.sh"]
    env: { API_TOKEN: "\${API_TOKEN}" }
    enableAllTools: true
`;

/** Answers everything with an error that quotes what it was given. */
const tellsItsToken = `while read -r line; do
  id=\${line#*'"id":'}
  id=\${id%%[,\\}]*}
  printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"no %s"}}\\n' "$id" "$API_TOKEN"
done
`;

describe('a server that is not ready', () => {
  test.each([
    'check eval.yaml',
    'check eval.yaml -o json',
    'validate eval.yaml --connect',
    'validate eval.yaml --connect -o json',
  ])('does not get a secret onto the terminal (%s)', async (command) => {
    const suite = await suiteOf({ tasks: ['a'] });
    await suite.write('mcp.yaml', config);
    await suite.write('server.sh', tellsItsToken);
    const { exitCode, stdout, stderr } = await startCheck(command.split(' '), {
      cwd: suite.folder,
      env: { PWD: suite.folder, TMPDIR: suite.temporary, API_TOKEN: 'pAs5w0rd-Of-The-Server' },
    }).ended;

    expect(exitCode, stderr).toBe(2);
    expect(stdout + stderr).toContain('no [redacted:API_TOKEN]');
    expect(stdout + stderr).not.toContain('pAs5w0rd');
  });
});

test('an agent of the command line that is not ready is not blamed on the eval', async () => {
  const suite = await suiteOf({ tasks: ['a'] });

  const { exitCode, stderr } = await suite.check('--agent', 'openai-agent', '--model', 'm');

  expect(exitCode).toBe(2);
  expect(stderr).toContain('--agent openai-agent: there is no API key');
});

test('validate --connect that is interrupted asks nobody else, and says so with its exit code', async () => {
  const suite = await suiteOf({ tasks: ['a'] });
  const validate = startCheck(['validate', 'eval.yaml', 'eval.yaml', '--connect'], {
    cwd: suite.folder,
    env: {
      TMPDIR: suite.temporary,
      SERVER: serverProgram('shell-stdio-server.sh'),
      GATES: `${suite.folder}/gates`,
      MUTE: 'yes',
    },
  });
  await suite.reached('server', 'initialize');

  validate.kill('SIGINT');
  const { exitCode, stdout } = await validate.ended;

  expect(exitCode).toBe(130);
  expect(stdout).toBe('');
  expectNothingLeft(suite);
});
