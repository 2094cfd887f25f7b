import { expect, onTestFinished, test } from 'vitest';
import { ModelServer } from '../support/model-server/model-server.js';
import type { ModelRequest, Turn } from '../support/model-server/turn.js';
import { checkWithAgent } from './agent-check.js';
import { byName, realAgents } from './real-agents.js';

const claudeCode = byName(realAgents.filter(({ file }) => file === 'claude-code.yaml'));

test.for(claudeCode)('%s finds the skills it is given, and loads one', async ([, agent]) => {
  const model = await startModel();

  const check = await checkWithAgent({ agent, model, evalFile: 'use-skill.yaml' });

  expect(check, check.stdout + check.stderr).toMatchObject({ exitCode: 0, processesLeft: [] });
  expect(check.taskRun).toMatchObject({
    outcome: 'passed',
    verified: true,
    assertionsHeld: true,
    permissionDenials: [],
  });
  const [first] = model.requests.filter(({ tools }) => tools.some(isSkillTool));
  expect(first?.body).toContain('How to greet a guest of the house.');
  expect(first?.body).toContain('How to say goodbye to a guest of the house.');
  const last = model.requests.at(-1);
  expect(last?.body).toContain('Read words.md beside this file');
  expect(last?.body).not.toContain('Come back soon');
});

test.for(claudeCode)('%s loads another skill than asserted', async ([, agent]) => {
  const model = await startModel();

  const check = await checkWithAgent({ agent, model, evalFile: 'use-skill-otherwise.yaml' });

  expect(check, check.stdout + check.stderr).toMatchObject({ exitCode: 1, processesLeft: [] });
  expect(check.taskRun).toMatchObject({
    outcome: 'failed',
    failure: { category: 'assertion-failed' },
    verified: true,
    assertions: [
      { name: 'skillsLoaded', passed: false, reason: expect.stringContaining('parting') },
      { name: 'skillsNotLoaded', passed: false, reason: expect.stringContaining('greeting') },
    ],
  });
});

/** A model that loads the skill for greeting, and does what it says. */
async function startModel(): Promise<ModelServer> {
  const model = await ModelServer.start(nextTurn);
  onTestFinished(() => model.close());
  return model;
}

function nextTurn({ tools, toolResults }: ModelRequest): Turn | undefined {
  const tool = tools.find(isSkillTool);
  if (!tool) return undefined;
  if (toolResults.length > 0) return { text: 'Welcome to the house!' };
  return { toolCalls: [{ name: tool.name, args: { skill: 'greeting' } }] };
}

const isSkillTool = ({ name }: { name: string }) => name === 'Skill';
