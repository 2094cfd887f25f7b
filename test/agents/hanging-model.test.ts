import { expect, test } from 'vitest';
import { checkWithAgent } from './agent-check.js';
import { byName, newestAgents } from './real-agents.js';
import { startSilentModel } from './scripted-model.js';

test.for(byName(newestAgents))(
  '%s whose model never answers is stopped at its limit, with all it has started',
  async ([, agent]) => {
    const model = await startSilentModel();

    const check = await checkWithAgent({ agent, model, evalFile: 'wait-forever.yaml' });

    expect(model.requests.length).toBeGreaterThan(0);
    expect(check, check.stderr).toMatchObject({ exitCode: 1, processesLeft: [] });
    expect(check.taskRun).toMatchObject({
      outcome: 'timeout',
      failure: { category: 'timeout' },
      verified: null,
      phases: { agent: { outcome: 'timeout' }, verify: null },
    });
  },
);
