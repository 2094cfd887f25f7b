import path from 'node:path';
import { describe, expect } from 'vitest';
import { fixtures } from '../support/cli.js';
import { it } from '../support/scratch-suite.js';
import { tellingServer } from '../support/suite-parts.js';

const program = path.join(fixtures, 'agents/acp-agent.mjs');
const tasks = { look: {} };

/** An agent that calls tools without saying of which server they are. */
function bareNames(calls: string[], more: object = {}) {
  const args = [program, '--bare-names', ...calls.map((call) => `${call}={"text":"hello"}`)];
  return { acp: { cmd: process.execPath, args, ...more } };
}

describe.concurrent('an ACP agent that names tools without their server', () => {
  it('may use a tool that one server has', async ({ makeSuite }) => {
    const agent = bareNames(['one/echo']);
    const other = tellingServer([], { enableAllTools: false, alwaysAllow: ['pid'] });
    const suite = await makeSuite({ tasks, agent, servers: { one: tellingServer(), other } });
    const { exitCode, taskRuns } = await suite.check();
    expect(exitCode).toBe(0);
    expect(taskRuns).toMatchObject([
      { output: 'Answer: hello', permissionDenials: [], calls: [{ server: 'one', name: 'echo' }] },
    ]);
  });

  const two = { one: tellingServer(), two: tellingServer() };

  it('is denied a tool that two servers have, and the check says why', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks, agent: bareNames(['two/echo']), servers: two });
    const { stdout, taskRuns } = await suite.check();
    const reason = expect.stringContaining('several servers have a tool of this name: one, two');
    expect(taskRuns).toMatchObject([{ permissionDenials: [{ tool: 'echo', reason }], calls: [] }]);
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      '1 tool call was denied to the agent (several servers have a tool of this name: one, two; acp.ambiguousTools decides): echo (1)',
    );
  });

  it('may use a tool that two servers have if its Agent file says so', async ({ makeSuite }) => {
    const agent = bareNames(['two/echo'], { ambiguousTools: 'allow' });
    const suite = await makeSuite({ tasks, agent, servers: two });
    const { taskRuns } = await suite.check();
    expect(taskRuns).toMatchObject([
      { output: 'Answer: hello', permissionDenials: [], calls: [{ server: 'two', name: 'echo' }] },
    ]);
  });

  it('is denied a tool that is not allowed, and every view says why', async ({ makeSuite }) => {
    const one = tellingServer([], { enableAllTools: false, alwaysAllow: ['pid'] });
    const suite = await makeSuite({ tasks, agent: bareNames(['one/echo']), servers: { one } });
    const { stdout, taskRuns } = await suite.check(['--reporter', 'github', '--out', 'out.json']);
    const reason = 'not allowed by alwaysAllow of one in mcp.yaml';
    expect(taskRuns).toMatchObject([{ permissionDenials: [{ tool: 'echo', reason }], calls: [] }]);
    const sentence = `1 tool call was denied to the agent (${reason}): echo (1)`;
    const { stdout: summary } = await suite.proctor(['summary', 'out.json']);
    for (const text of [stdout, summary]) expect(text.replace(/\s+/g, ' ')).toContain(sentence);
    expect(stdout).toContain(`::warning title=Proctor::${sentence}`);
  });
});
