import { expect, test } from 'vitest';
import { checkWithAgent } from './agent-check.js';
import { byName, realAgents } from './real-agents.js';
import { startModel } from './scripted-model.js';

// The others wait by themselves.
const impatient = realAgents.filter(({ program }) =>
  ['claude-code-2.1.197', 'claude-agent-acp-0.49.0', 'codex-0.166.0'].includes(program),
);

test.for(byName(impatient))('%s waits for a server that is slow to start', async ([, agent]) => {
  const model = await startModel();

  const check = await checkWithAgent({ agent, model, evalFile: 'slow-server.yaml' });

  expect(check, check.stderr).toMatchObject({ exitCode: 0, processesLeft: [] });
  expect(check.taskRun).toMatchObject({
    outcome: 'passed',
    calls: [{ server: 'local', name: 'get-sum', isError: false }],
  });
});
