import { test } from 'vitest';
import { checkWithAgent } from './agent-check.js';
import { byName, newestAgents } from './real-agents.js';
import { startSilentModel } from './scripted-model.js';

// All at once: they only wait for the limit, which leaves each of them time to start.
test.concurrent.for(byName(newestAgents))(
  '%s whose model never answers is stopped at its limit, with all it has started',
  async ([, agent], { expect, onTestFinished }) => {
    const model = await startSilentModel(onTestFinished);

    const check = await checkWithAgent({
      agent,
      model,
      evalFile: 'wait-forever.yaml',
      onTestFinished,
    });

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
