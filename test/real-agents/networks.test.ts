import { expect, test } from 'vitest';
import { CompanyNetwork } from '../support/company-network.js';
import { checkWithAgent } from './agent-check.js';
import { byName, newestAgents } from './real-agents.js';
import { startModel } from './scripted-model.js';

/** In every spelling that a program may read. */
function proxyVariables(url: string): Record<string, string> {
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'];
  return Object.fromEntries(names.map((name) => [name, url]));
}

const programs = ['claude-code-2.1.325', 'codex-0.166.0', 'gemini-cli-0.61.0'];
const agents = byName(newestAgents.filter(({ program }) => programs.includes(program)));

test.for(agents)(
  '%s asks its model through a proxy, and MCP servers on this machine never',
  async ([, agent]) => {
    const network = await CompanyNetwork.start();
    const model = { url: await network.place((await startModel()).url, 'http') };

    const check = await checkWithAgent({
      agent,
      model,
      evalFile: 'use-tools.yaml',
      environment: proxyVariables(network.proxyUrl),
    });

    expect(check, check.stdout + check.stderr).toMatchObject({ exitCode: 0, processesLeft: [] });
    expect(check.taskRun?.calls.map(({ server }) => server)).toEqual(['local', 'remote']);
    expect(network.hosts).toContain(new URL(model.url).host);
    expect(network.log.filter((line) => /127\.0\.0\.1|localhost|::1/.test(line))).toEqual([]);
  },
);

test.for(agents)(
  '%s does its work on this machine although the proxy is dead',
  async ([, agent]) => {
    const model = await startModel();

    const check = await checkWithAgent({
      agent,
      model,
      evalFile: 'use-tools.yaml',
      environment: proxyVariables('http://127.0.0.1:1'),
    });

    expect(check, check.stdout + check.stderr).toMatchObject({ exitCode: 0, processesLeft: [] });
    expect(check.taskRun?.calls.map(({ server }) => server)).toEqual(['local', 'remote']);
  },
);
