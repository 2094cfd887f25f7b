import { describe, expect, it } from 'vitest';
import { chooseTools } from './tools.js';

const tool = (name: string, annotations?: object, inputSchema: unknown = { type: 'object' }) => ({
  name,
  inputSchema,
  ...(annotations && { annotations }),
});

const namesOf = (tools: readonly { name: string }[]) => tools.map(({ name }) => name);

describe('the tools that tasks are written for', () => {
  it('are those first that only read', () => {
    const tools = [tool('echo'), tool('list_pods', { readOnlyHint: true })];
    expect(namesOf(chooseTools(tools, 5).chosen)).toEqual(['list_pods', 'echo']);
  });

  it('are those last whose arguments name what may not be there', () => {
    const needs = (name: string) => ({
      type: 'object',
      required: [name],
      properties: { [name]: { type: 'string' } },
    });
    const tools = [
      tool('read', { readOnlyHint: true }, needs('path')),
      tool('say', { readOnlyHint: true }, needs('message')),
      tool('now'),
    ];
    const { chosen } = chooseTools(tools, 5);
    expect(chosen.map(({ name, isGuess }) => [name, isGuess])).toEqual([
      ['say', false],
      ['now', false],
      ['read', true],
    ]);
  });

  it.each([
    ['get-env', ''],
    ['getEnv', ''],
    ['printenv', ''],
    ['env', ''],
    ['list_environment_variables', ''],
    ['debug', 'Returns all environment variables, helpful for debugging'],
    ['config', 'Prints process.env as JSON.'],
  ])('leave out %s, as it shows the environment: %s', (name, description) => {
    const tools = [{ ...tool(name), description }, tool('echo')];
    expect(namesOf(chooseTools(tools, 5).chosen)).toEqual(['echo']);
  });

  it.each([
    ['list_environments', 'Lists the environments that were deployed.'],
    ['get_envelope', ''],
    ['inventory', ''],
    ['login', 'Needs the environment variable API_HOST.'],
  ])('leave %s in, which shows something else: %s', (name, description) => {
    expect(namesOf(chooseTools([{ ...tool(name), description }], 5).chosen)).toEqual([name]);
  });

  it('leave out those that can only be called as a task', () => {
    const tasks = { ...tool('research'), execution: { taskSupport: 'required' } };
    const both = { ...tool('count'), execution: { taskSupport: 'optional' } };
    expect(namesOf(chooseTools([tasks, both], 5).chosen)).toEqual(['count']);
  });

  it('are no more than asked for', () => {
    expect(chooseTools([tool('a'), tool('b'), tool('c')], 2).chosen).toHaveLength(2);
  });

  it.each(['delete_pod', 'sendMail', 'kill', 'reset-password', 'pods.remove'])(
    'leave out %s while there are others',
    (name) => {
      expect(namesOf(chooseTools([tool(name), tool('echo')], 5).chosen)).toEqual(['echo']);
    },
  );

  it.each(['settings_get', 'get_address', 'list_runs'])(
    'keep %s, which sounds harmless',
    (name) => {
      expect(namesOf(chooseTools([tool(name), tool('echo')], 5).chosen)).toContain(name);
    },
  );

  it('are risky ones where there are no others, and are marked', () => {
    const { chosen } = chooseTools([tool('delete_pod')], 5);
    expect(chosen).toMatchObject([{ name: 'delete_pod', isRisky: true }]);
  });

  it('leave out those whose arguments cannot be made up', () => {
    const odd = { type: 'object', required: ['x'], properties: { x: {} } };
    expect(chooseTools([tool('odd', undefined, odd)], 5).chosen).toEqual([]);
  });

  it('name what destroys by its own account, so that the eval can forbid it', () => {
    const tools = [
      tool('echo'),
      tool('wipe', { destructiveHint: true }),
      tool('look', { destructiveHint: true, readOnlyHint: true }),
    ];
    expect(chooseTools(tools, 5).destructive).toEqual(['wipe']);
  });
});
