import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { makeSuiteFiles, makeTasksForTools } from './suite-files.js';
import type { ChosenTool } from './tools.js';

const tool = (name: string, description = '', args = {}): ChosenTool => ({
  name,
  description,
  args,
  isGuess: false,
  isRisky: false,
});

function filesFor(chosen: ChosenTool[], destructive: string[] = []) {
  const files = makeSuiteFiles({
    name: 'db',
    mcp: { servers: { db: { command: 'node', args: ['server.js'], cwd: '..' } } },
    tasks: makeTasksForTools('db', chosen),
    forbidden: destructive.map((name) => ({ server: 'db', tool: name })),
    maxToolCalls: 10,
    agent: { type: 'scripted' },
  });
  return (name: string) => parse(files.get(name) ?? 'null');
}

const promptOf = (task: { spec: { prompt: { inline: string } } }) => task.spec.prompt.inline;

describe('the files of a suite', () => {
  it('have a prompt in the words of the description, which does not name the tool', () => {
    const file = filesFor([tool('db_q1', 'Counts the rows of a table. Slow.', { table: 'users' })]);
    expect(promptOf(file('tasks/counts-rows-of-table.yaml'))).toBe(
      'Do this with the tools that you have: Counts the rows of a table. Take these values: table = "users".',
    );
  });

  it('have no prompt that would be filled in when it is read', () => {
    const hostile = 'Says {random.id} and ${HOME}\u001b[2J\nnow.';
    const file = filesFor([tool('echo', hostile)]);
    expect(promptOf(file('tasks/says-random-id-and-home-2j.yaml'))).toBe(
      'Do this with the tools that you have: Says random.id and HOME [2J now.',
    );
  });

  it('have scripts that play for their own task only, also if two tools are described alike', () => {
    const file = filesFor([tool('one', 'Does it (all).'), tool('two', 'Does it (all).')]);
    const rules: { task: string; do: { call: { tool: string } }[] }[] = file('agent.yaml').scripted;
    expect(rules.map(({ task, do: actions }) => [task, actions[0]?.call.tool])).toEqual([
      ['does-it-all', 'one'],
      ['does-it-all-2', 'two'],
    ]);
    for (const { task } of rules) {
      expect(file(`tasks/${task}.yaml`).metadata.name).toBe(task);
      expect(promptOf(file(`tasks/${task}.yaml`))).not.toMatch(/one|two/);
    }
  });

  it('are not named after the tool, even if it says nothing else of itself', () => {
    const file = filesFor([tool('Get Pod'), tool('get_pod', 'Get pod.'), tool('日本', '日本')]);
    expect(file('tasks/try-it.yaml').spec.assertions.toolsUsed[0].tool).toBe('Get Pod');
    expect(file('tasks/try-it-2.yaml').spec.assertions.toolsUsed[0].tool).toBe('get_pod');
    expect(file('tasks/try-it-3.yaml').spec.assertions.toolsUsed[0].tool).toBe('日本');
  });

  it.each([
    ['read_graph', 'read_graph: Reads all that is known.', 'reads-all-that-is-known'],
    ['readGraph', 'Read the graph', 'try-it'],
    ['get-sum', 'Use get-sum to add two numbers.', 'use-this-tool-to-add-two'],
    ['search_docs', 'Search docs for a passage in a language.', 'passage-in-language'],
    ['search', 'Search the documentation.', 'search-documentation'],
    ['q', '日本語の説明', 'try-it'],
  ])('are not named after %s, which says of itself: %s', (name, description, task) => {
    const file = filesFor([tool(name, description)])(`tasks/${task}.yaml`);
    expect(file.metadata.name).toBe(task);
    expect(promptOf(file)).not.toMatch(/read_graph|readGraph|get-sum|search_docs/);
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
