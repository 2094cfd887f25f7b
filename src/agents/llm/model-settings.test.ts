import { describe, expect, it } from 'vitest';
import { type BuiltinData, chooseModel, findEndpoint, type ModelChoice } from './model-settings.js';

const llm = (model: string, more: Partial<BuiltinData> = {}): BuiltinData => ({
  type: 'llm-agent',
  model,
  ...more,
});
const openaiAgent: BuiltinData = { type: 'openai-agent', model: 'm' };

function endpointFor(builtin: BuiltinData, environment: NodeJS.ProcessEnv) {
  const choice = chooseModel(builtin);
  if ('message' in choice) throw new Error(choice.message);
  return findEndpoint(choice, builtin, environment);
}

const key = (name: string, value = 'k') => ({ name, value });

describe('the model of an agent', () => {
  it.each<[string, ModelChoice]>([
    ['openai:gpt-4', { provider: 'openai', model: 'gpt-4' }],
    ['gemini:flash', { provider: 'google', model: 'flash' }],
    ['openai-compatible:llama3:8b', { provider: 'openai-compatible', model: 'llama3:8b' }],
  ])('%s names provider and model', (model, expected) => {
    expect(chooseModel(llm(model))).toEqual(expected);
  });

  it.each(['gpt-4', 'openai:', ':x', 'nobody:x', ''])('cannot be %j', (model) => {
    expect(chooseModel(llm(model))).toMatchObject({
      message: expect.stringContaining('provider:id'),
      hint: expect.stringContaining('openai-compatible, gemini'),
    });
  });

  it.each(['openai-agent', 'openai-acp', 'llm-agent'] as const)('is needed by %s', (type) => {
    expect(chooseModel({ type })).toMatchObject({ message: `${type} needs a model` });
  });
});

describe('key and address', () => {
  it.each([
    { builtin: llm('openai:m'), name: 'OPENAI_API_KEY', url: 'https://api.openai.com/v1' },
    { builtin: llm('anthropic:m'), name: 'ANTHROPIC_API_KEY', url: 'https://api.anthropic.com/v1' },
    ...['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'].map((name) => ({
      builtin: llm('google:m'),
      name,
      url: 'https://generativelanguage.googleapis.com/v1beta',
    })),
    { builtin: openaiAgent, name: 'OPENAI_API_KEY', url: 'https://api.openai.com/v1' },
    { builtin: openaiAgent, name: 'MODEL_KEY', url: 'https://api.openai.com/v1' },
  ])('of $builtin.model are those of $name and its provider', ({ builtin, name, url }) => {
    expect(endpointFor(builtin, { [name]: ' k\n' })).toMatchObject({
      baseUrl: url,
      apiKey: key(name),
    });
  });

  it('come from one pair of variables, never from two', () => {
    const both = { OPENAI_BASE_URL: 'http://one', MODEL_KEY: 'k', MODEL_BASE_URL: 'http://two' };
    expect(endpointFor(openaiAgent, both)).toMatchObject({
      baseUrl: 'http://two',
      apiKey: key('MODEL_KEY'),
    });
    expect(endpointFor(openaiAgent, { ...both, OPENAI_API_KEY: 'k' })).toMatchObject({
      baseUrl: 'http://one',
      apiKey: key('OPENAI_API_KEY'),
    });
    const named = { ...openaiAgent, apiKey: 'MINE' };
    const environment = { MINE: 'k', OPENAI_API_KEY: 'x', MODEL_BASE_URL: 'http://two' };
    expect(endpointFor(named, environment)).toMatchObject({
      baseUrl: 'http://two',
      apiKey: key('MINE'),
    });
  });

  it('of the Agent file win', () => {
    const builtin = llm('openai:m', { baseUrl: 'http://here/v1', apiKey: 'MINE' });
    const environment = { MINE: 'k', OPENAI_API_KEY: 'x', OPENAI_BASE_URL: 'http://there' };
    expect(endpointFor(builtin, environment)).toMatchObject({
      baseUrl: 'http://here/v1',
      apiKey: key('MINE'),
    });
  });

  it('decide whether an openai-agent speaks to OpenAI', () => {
    const environment = { OPENAI_API_KEY: 'k' };
    expect(endpointFor(openaiAgent, environment)).toMatchObject({ provider: 'openai' });
    const elsewhere = { ...environment, OPENAI_BASE_URL: 'http://localhost:11434/v1' };
    expect(endpointFor(openaiAgent, elsewhere)).toMatchObject({ provider: 'openai-compatible' });
  });

  it('of an openai-compatible model need no key', () => {
    const builtin = llm('openai-compatible:m');
    expect(endpointFor(builtin, { MODEL_BASE_URL: 'http://here' })).toEqual({
      provider: 'openai-compatible',
      model: 'm',
      baseUrl: 'http://here',
    });
    const other = { OPENAI_BASE_URL: 'http://there', OPENAI_API_KEY: 'k' };
    expect(endpointFor(builtin, other)).toMatchObject({
      baseUrl: 'http://there',
      apiKey: key('OPENAI_API_KEY'),
    });
  });

  it.each([
    { builtin: openaiAgent, hint: 'set OPENAI_API_KEY or MODEL_KEY (any text' },
    { builtin: llm('anthropic:m'), hint: 'set ANTHROPIC_API_KEY' },
    { builtin: llm('google:m'), hint: 'or GEMINI_API_KEY or GOOGLE_API_KEY' },
    { builtin: llm('openai:m', { apiKey: 'MINE' }), hint: 'set MINE' },
    { builtin: llm('openai-compatible:m', { apiKey: 'MINE' }), hint: 'set MINE' },
    { builtin: llm('openai-compatible:m'), hint: 'set MODEL_BASE_URL or OPENAI_BASE_URL' },
  ])('are missing: $hint', ({ builtin, hint }) => {
    const environment = { OPENAI_API_KEY: ' ', MODEL_KEY: '' };
    expect(endpointFor(builtin, environment)).toMatchObject({
      hint: expect.stringContaining(hint),
    });
  });

  it('are said to be wrong, without being shown', () => {
    const environment = { OPENAI_API_KEY: 'two words', OPENAI_BASE_URL: 'ftp://secret' };
    expect(endpointFor(openaiAgent, environment)).toEqual({
      message: 'OPENAI_API_KEY holds characters that no API key has',
    });
    expect(endpointFor(openaiAgent, { ...environment, OPENAI_API_KEY: 'k' })).toEqual({
      message: 'OPENAI_BASE_URL is not an address that begins with http:// or https://',
    });
  });
});
