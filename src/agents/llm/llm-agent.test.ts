import { expect, it } from 'vitest';
import type { AgentData } from '../../config/schemas/agent-schema.js';
import { createLlmAgent } from './llm-agent.js';

type Builtin = NonNullable<AgentData['builtin']>;

const agentOf = (builtin: Builtin) =>
  createLlmAgent({ name: 'mine', data: { kind: 'Agent', builtin } });

function problemsOf(builtin: Builtin, environment: NodeJS.ProcessEnv = { OPENAI_API_KEY: 'k' }) {
  const { signal } = new AbortController();
  return agentOf(builtin)
    .prepare({ environment, signal })
    .then(({ problems }) => problems);
}

const builtin: Builtin = { type: 'openai-agent', model: 'm' };

it('says who it is', () => {
  expect(agentOf(builtin).identity).toEqual({ name: 'mine', type: 'openai-agent', model: 'm' });
  const old = agentOf({ ...builtin, type: 'openai-acp' });
  expect(old.identity.type).toBe('openai-agent');
});

it('is ready with a model and a key, also one of its own', async () => {
  expect(await problemsOf(builtin)).toEqual([]);
  expect(await problemsOf({ ...builtin, env: { MODEL_KEY: 'k' } }, {})).toEqual([]);
});

it('takes the settings that models have', async () => {
  const params = {
    temperature: 0,
    topP: 1,
    topK: 3,
    presencePenalty: 0,
    frequencyPenalty: 0,
    maxOutputTokens: 100,
    seed: 7,
    stopSequences: ['x'],
    system: 'Be kind.',
    maxSteps: 3,
    stream: true,
  };
  expect(await problemsOf({ ...builtin, params })).toEqual([]);
});

it('prepare reports every problem at once', async () => {
  const params = { temperature: '0', tempratur: 0, maxSteps: 0, system: 1, sing: true };
  const problems = await problemsOf({ ...builtin, params }, {});
  expect(problems).toEqual([
    expect.objectContaining({ message: expect.stringContaining('OPENAI_API_KEY or MODEL_KEY') }),
    { message: 'params.temperature of the agent has to be a number' },
    { message: 'params.system of the agent has to be a text' },
    { message: 'params.maxSteps of the agent has to be a whole number above 0' },
    {
      message: 'unknown setting "tempratur" in params of the agent',
      hint: 'did you mean temperature?',
    },
    {
      message: 'unknown setting "sing" in params of the agent',
      hint: expect.stringContaining('known are temperature, '),
    },
  ]);
});

it('does not start with a problem', async () => {
  const { signal } = new AbortController();
  const result = await agentOf(builtin).run({
    prompt: 'Hello',
    servers: [],
    workdir: '/nowhere',
    privateFolder: '/nowhere',
    environment: {},
    signal,
    report: () => {},
  });
  expect(result).toMatchObject({
    end: 'failed',
    failure: { code: 'not-started', message: expect.stringContaining('there is no API key') },
  });
});
