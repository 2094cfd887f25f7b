import { describe, expect, it } from 'vitest';
import type { EvalFile } from '../config/files/eval-file.js';
import { Problems } from '../config/problems/problem.js';
import type { MatrixData } from '../config/schemas/eval-schema.js';
import { SourceFile } from '../config/yaml/source-file.js';
import { listCombinations, type MatrixOptions } from './matrix.js';

function evalWith(matrix: MatrixData): EvalFile {
  const data = {
    kind: 'Eval' as const,
    metadata: { name: 'suite' },
    config: { matrix, taskSets: [{ glob: '*.yaml' }] },
  };
  return { source: new SourceFile('/suite/eval.yaml', 'eval.yaml', 'config: {}\n'), data };
}

function namesOf(matrix: MatrixData, options: MatrixOptions = {}, withoutModel: string[] = []) {
  const takesModel = (agent?: { written: string }) => !withoutModel.includes(agent?.written ?? '');
  const combinations = listCombinations(evalWith(matrix), options, takesModel, new Problems());
  return combinations.map(({ variant }) => variant?.name);
}

describe('the combinations of a matrix', () => {
  it('are named by what distinguishes them', () => {
    expect(namesOf({ agents: ['claude-code', 'agents/mine.yaml'], models: ['m'] })).toEqual([
      'claude-code',
      'mine',
    ]);
    expect(namesOf({ models: ['a', 'b'], mcpConfigFiles: ['now.yaml', 'x/next.yaml'] })).toEqual([
      'a + now',
      'a + next',
      'b + now',
      'b + next',
    ]);
  });

  it('are named by whole paths where the short names are the same', () => {
    expect(namesOf({ mcpConfigFiles: ['now/mcp.yaml', 'next/mcp.yaml'] })).toEqual([
      'now/mcp.yaml',
      'next/mcp.yaml',
    ]);
  });

  it('have no name where there is only one of each', () => {
    expect(namesOf({ agents: ['claude-code'], models: ['m'] })).toEqual([undefined]);
    expect(namesOf({})).toEqual([undefined]);
  });

  it('have an agent that takes no model once', () => {
    const matrix = { agents: ['claude-code', 'script.yaml'], models: ['a', 'b'] };
    expect(namesOf(matrix, {}, ['script.yaml'])).toEqual([
      'claude-code + a',
      'claude-code + b',
      'script',
    ]);
  });

  it('have a value that is named twice only once', () => {
    expect(
      namesOf({ agents: ['claude-code', 'builtin.claude-code'], models: ['a', 'b', 'a'] }),
    ).toEqual(['a', 'b']);
  });

  it('use a list of the command line in place of the list of the eval', () => {
    const matrix = { agents: ['claude-code', 'mine.yaml'], models: ['a', 'b'] };
    expect(namesOf(matrix, { models: ['c'] })).toEqual(['claude-code', 'mine']);
    const agents = [
      { written: 'other.yaml', value: { type: 'file' as const, path: '/other.yaml' } },
    ];
    expect(namesOf(matrix, { agents })).toEqual(['a', 'b']);
  });

  it('leave out every combination that has all that an exclusion names', () => {
    const exclude = [
      { agent: 'claude-code', model: 'b' },
      { mcpConfigFile: './next.yaml', model: 'a' },
    ];
    const matrix = { agents: ['builtin.claude-code', 'mine.yaml'], models: ['a', 'b'], exclude };
    expect(namesOf({ ...matrix, mcpConfigFiles: ['now.yaml', 'next.yaml'] })).toEqual([
      'claude-code + a + now',
      'mine + a + now',
      'mine + b + now',
      'mine + b + next',
    ]);
  });
});
