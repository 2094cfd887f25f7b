import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chooseModel, findEndpoint } from '../../agents/llm/model-settings.js';
import { Problems } from '../../config/problems/problem.js';
import { displayPath } from '../../config/yaml/data-file.js';
import { loadSuite } from '../../plan/suite.js';
import { defineJudge } from './agent-definition.js';

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'judge-definition-'));
});

afterAll(() => rmSync(folder, { recursive: true }));

function define(llmJudge: object | undefined, environment: Record<string, string> = {}) {
  const evaluation = {
    kind: 'Eval',
    metadata: { name: 'judged' },
    config: {
      agent: { type: 'builtin.claude-code' },
      ...(llmJudge && { llmJudge }),
      taskSets: [{ path: 'task.yaml' }],
    },
  };
  const path = join(folder, 'eval.yaml');
  writeFileSync(path, JSON.stringify(evaluation));
  const suite = loadSuite(path, { environment }, new Problems());
  if (!suite) throw new Error('the eval cannot be read');
  const problems = new Problems();
  const definition = defineJudge(suite, environment, problems);
  const found = problems.report().problems.map(({ code, message }) => `${code}: ${message}`);
  return { definition, problems: found };
}

describe('judgeDefinition', () => {
  it('is nothing where no judge is configured', () => {
    expect(define(undefined)).toEqual({ definition: undefined, problems: [] });
  });

  it('takes an agent that Proctor knows', () => {
    const ref = { type: 'builtin.llm-agent', model: 'anthropic:claude' };
    expect(define({ ref }).definition).toEqual({
      name: 'llm-agent',
      data: { kind: 'Agent', builtin: { type: 'llm-agent', model: 'anthropic:claude' } },
    });
  });

  it('takes an Agent file, with the model of the eval, and its program from beside it', () => {
    const builtin = { type: 'llm-agent', model: 'openai:gpt-4' };
    writeFileSync(join(folder, 'strict.yaml'), JSON.stringify({ kind: 'Agent', builtin }));
    const ref = { type: 'file', path: 'strict.yaml', model: 'openai:gpt-5' };
    expect(define({ ref }).definition).toEqual({
      name: 'strict',
      file: displayPath(join(folder, 'strict.yaml')),
      data: { kind: 'Agent', builtin: { type: 'llm-agent', model: 'openai:gpt-5' } },
    });
    const acp = { cmd: './judge.mjs' };
    writeFileSync(join(folder, 'program.yaml'), JSON.stringify({ kind: 'Agent', acp }));
    const program = define({ ref: { type: 'file', path: 'program.yaml' } }).definition;
    expect(program?.data.acp).toEqual({ cmd: join(folder, 'judge.mjs') });
  });

  it('is nothing for an Agent file that is not there: that is a problem of the suite', () => {
    const ref = { type: 'file', path: 'missing.yaml' };
    expect(define({ ref })).toEqual({ definition: undefined, problems: [] });
  });
});

describe('judgeDefinition by variables', () => {
  const env = { baseUrlKey: 'URL', apiKeyKey: 'KEY', modelNameKey: 'MODEL' };
  const environment = { URL: 'http://localhost:1234/v1', KEY: 'key-of-judge', MODEL: ' judge-1 ' };

  it('is a model at that address, asked with that key and no other', () => {
    const others = {
      OPENAI_API_KEY: 'other',
      OPENAI_BASE_URL: 'http://other/',
      MODEL_KEY: 'other',
    };
    const { definition, problems } = define({ env }, { ...environment, ...others });
    expect(problems).toEqual([]);
    const builtin = definition?.data.builtin;
    expect(builtin).toEqual({
      type: 'openai-agent',
      baseUrl: 'http://localhost:1234/v1',
      apiKey: 'KEY',
      model: 'judge-1',
    });
    if (!builtin) throw new Error('no builtin');
    const choice = chooseModel(builtin);
    if (!('model' in choice)) throw new Error(choice.message);
    expect(findEndpoint(choice, builtin, { ...environment, ...others })).toEqual({
      provider: 'openai-compatible',
      model: 'judge-1',
      baseUrl: 'http://localhost:1234/v1',
      apiKey: { name: 'KEY', value: 'key-of-judge' },
    });
  });

  it.each(['URL', 'KEY', 'MODEL'])('needs %s', (name) => {
    const unset = [`unset-variable: the environment variable ${name} is not set`];
    const { [name as 'URL']: _, ...rest } = environment;
    expect(define({ env }, rest)).toEqual({ definition: undefined, problems: unset });
    const blank = { ...environment, [name]: ' ' };
    expect(define({ env }, blank)).toEqual({ definition: undefined, problems: unset });
  });

  it('tells all that are not set', () => {
    expect(define({ env }).problems).toHaveLength(3);
  });
});
