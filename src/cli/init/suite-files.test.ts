import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { ChosenTool } from './chosen-tools.js';
import { suiteFiles } from './suite-files.js';

const tool = (name: string, description = '', args = {}): ChosenTool => ({
  name,
  description,
  args,
  isGuess: false,
  isRisky: false,
});

function filesFor(chosen: ChosenTool[], destructive: string[] = []) {
  const files = suiteFiles({
    server: 'db',
    serverData: { command: 'node', args: ['server.js'], cwd: '..' },
    tools: { chosen, destructive },
    agent: { type: 'scripted' },
  });
  return (name: string) => parse(files.get(name) ?? 'null');
}

const promptOf = (task: { spec: { prompt: { inline: string } } }) => task.spec.prompt.inline;

describe('the files of a suite', () => {
  it('have a prompt in the words of the description, which does not name the tool', () => {
    const file = filesFor([tool('db_q1', 'Counts the rows of a table. Slow.', { table: 'users' })]);
    expect(promptOf(file('tasks/db_q1.yaml'))).toBe(
      'Do this with the tools that you have: Counts the rows of a table. Take these values: table = "users".',
    );
  });

  it('have no prompt that would be filled in when it is read', () => {
    const hostile = 'Says {random.id} and ${HOME}\u001b[2J\nnow.';
    const file = filesFor([tool('echo', hostile)]);
    expect(promptOf(file('tasks/echo.yaml'))).toBe(
      'Do this with the tools that you have: Says random.id and HOME [2J now.',
    );
  });

  it('have scripts that play for their own task only, also if two tools are described alike', () => {
    const file = filesFor([tool('one', 'Does it (all).'), tool('two', 'Does it (all).')]);
    const rules: { when: string; do: { call: { tool: string } }[] }[] = file('agent.yaml').scripted;
    for (const name of ['one', 'two']) {
      const prompt = promptOf(file(`tasks/${name}.yaml`));
      const rule = rules.find(({ when }) => new RegExp(when).test(prompt));
      expect(rule?.do[0]?.call.tool).toBe(name);
    }
  });

  it('have a file for each tool, also if their names are nearly the same', () => {
    const file = filesFor([tool('Get Pod'), tool('get/pod'), tool('日本')]);
    expect(file('tasks/get-pod.yaml').spec.assertions.toolsUsed[0].tool).toBe('Get Pod');
    expect(file('tasks/get-pod-2.yaml').spec.assertions.toolsUsed[0].tool).toBe('get/pod');
    expect(file('tasks/unnamed.yaml').spec.assertions.toolsUsed[0].tool).toBe('日本');
  });

  it('let no call pass that failed', () => {
    const { config } = filesFor([tool('echo')])('eval.yaml');
    expect(config.taskSets[0].assertions.maxToolErrors).toBe(0);
  });

  it('forbid what destroys', () => {
    const { config } = filesFor([tool('echo')], ['wipe'])('eval.yaml');
    expect(config.taskSets[0].assertions.toolsNotUsed).toEqual([{ server: 'db', tool: 'wipe' }]);
  });
});
