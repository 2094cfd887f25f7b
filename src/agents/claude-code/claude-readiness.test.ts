import { describe, expect, it } from 'vitest';
import { claudeAgent, standInEnvironment } from '../../testing/agent-tasks.js';

function prepare(agent = claudeAgent(), variables: Record<string, string> = {}) {
  return agent.prepare({
    environment: standInEnvironment('tool-calls', variables),
    signal: new AbortController().signal,
  });
}

describe('before anything runs, Claude Code', () => {
  it('tells its version, and needs no key', async () => {
    expect(await prepare()).toEqual({ problems: [], version: '2.1.325' });
    const agent = claudeAgent({}, { runPrompt: 'claude {{ .Prompt }}' });
    expect(await prepare(agent)).toEqual({ problems: [], version: '2.1.325' });
  });

  it.each([
    ['by itself', claudeAgent()],
    ['in a command', claudeAgent({}, { runPrompt: 'claude {{ .Prompt }}' })],
  ])('is missed %s', async (_, agent) => {
    const environment = { PATH: '/nowhere', SHELL: '/bin/sh' };
    const signal = new AbortController().signal;
    expect(await agent.prepare({ environment, signal })).toEqual({
      problems: [
        {
          message: expect.stringMatching(/^the program claude .*was not found$/),
          hint: 'npm install -g @anthropic-ai/claude-code',
        },
      ],
    });
  });

  it('is found to be broken', async () => {
    const variables = { STAND_IN_EXIT: '1', STAND_IN_LOG: 'native binary not installed' };
    expect(await prepare(claudeAgent(), variables)).toEqual({
      problems: [
        {
          message: 'claude --version exited with code 1: native binary not installed',
          hint: 'npm install -g @anthropic-ai/claude-code',
        },
      ],
    });
  });

  it('misses the key that the file names', async () => {
    const agent = claudeAgent({ apiKey: 'MY_KEY' });
    expect(await prepare(agent)).toMatchObject({
      problems: [
        {
          message: 'the variable MY_KEY, which apiKey names, is not set',
          hint: 'set MY_KEY to an API key of Anthropic',
        },
      ],
    });
    expect(await prepare(agent, { MY_KEY: 'secret' })).toMatchObject({ problems: [] });
  });

  it.each([
    [{ temperature: 0 }, 'claude-code has no params.temperature; it takes maxSteps and system'],
    [{ maxSteps: 0 }, 'params.maxSteps must be a whole number above 0'],
    [{ system: 7 }, 'params.system must be text'],
  ])('does not take the params %j', async (params, message) => {
    expect(await prepare(claudeAgent({ params }))).toMatchObject({ problems: [{ message }] });
  });

  it('does not take params beside a command line', async () => {
    const agent = claudeAgent({ params: { maxSteps: 7 } }, { runPrompt: 'claude {{ .Prompt }}' });
    expect(await prepare(agent)).toMatchObject({
      problems: [{ message: 'params.maxSteps has no effect: commands overrides the command line' }],
    });
  });

  it('tells the version that its own command prints', async () => {
    const agent = claudeAgent({}, { getVersion: 'echo 9.9.9 of ours' });
    expect(await prepare(agent)).toEqual({ problems: [], version: '9.9.9' });
  });
});
