import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { parseDocument } from 'yaml';
import { exampleModels } from '../../src/config/models.js';
import { Problems } from '../../src/config/problems/problem.js';
import { checkSuites } from '../../src/plan/checks/check-suite.js';
import { loadSuites } from '../../src/plan/suite.js';
import { proctor } from '../support/cli.js';
import { readAction } from '../support/composite-action.js';
import { documentationSnippets, type Snippet } from '../support/doc-snippets.js';

type Data = Record<string, unknown>;

/** As far as it can be read: what is wrong with it, the product says. */
const dataOf = (text: string): unknown => parseDocument(text).toJS();

const pages = documentationSnippets();
const yaml = pages.filter(({ language }) => language === 'yaml');

/** What a page shows of a suite, put into a whole one. */
type SuiteFiles = Record<string, Data | string>;

const isData = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The one that pages use; what else stands before a step's dot is a server. */
const extension = 'stock';

/** Everything that pages name and do not show. */
const around = (servers: readonly string[]): SuiteFiles => ({
  'eval.yaml': {
    kind: 'Eval',
    metadata: { name: 'shop' },
    config: {
      agent: { type: 'file', path: 'agent.yaml' },
      llmJudge: { ref: { type: 'builtin.llm-agent', model: `openai:${exampleModels.large}` } },
      extensions: { [extension]: { package: './extensions/stock.mjs' } },
      mcpConfigFile: 'mcp-config.yaml',
      taskSets: [{ glob: 'tasks/*.yaml' }],
    },
  },
  'agent.yaml': {
    kind: 'Agent',
    metadata: { name: 'own' },
    builtin: { type: 'llm-agent', model: `openai:${exampleModels.large}` },
  },
  'mcp-config.yaml': {
    mcpServers: Object.fromEntries(
      servers.map((name) => [name, { command: 'own-server', enableAllTools: true }]),
    ),
  },
  'tasks/own.yaml': {
    kind: 'Task',
    metadata: { name: 'own' },
    spec: {
      requires: [{ extension }],
      prompt: { inline: 'Do it.' },
      verify: [{ script: { inline: 'test -e done' } }],
    },
  },
});

/** The files of a suite with the snippet in it; undefined: this is no file of ours. */
function suiteWith(data: unknown, servers: readonly string[]): SuiteFiles | undefined {
  const files = around(servers);
  const own = files['tasks/own.yaml'] as { metadata: Data; spec: Data };
  const base = files['eval.yaml'] as { config: Data };
  if (Array.isArray(data)) return { ...files, 'tasks/own.yaml': withSpec(own, { verify: data }) };
  if (!isData(data)) return undefined;
  if (data.kind === 'Eval') {
    return { ...files, 'eval.yaml': withConfig(data as typeof base, {}, base.config) };
  }
  if (data.kind === 'Task') return { ...files, 'tasks/own.yaml': data };
  if (data.kind === 'Agent') return { ...files, 'agent.yaml': data };
  if ('mcpServers' in data) return { ...files, 'mcp-config.yaml': data };
  // Not a file, then, but a part of one; a misspelt kind does not make it that.
  if ('kind' in data) return undefined;
  if (isData(data.config)) {
    return { ...files, 'eval.yaml': { ...data, ...withConfig(base, data.config) } };
  }
  if ('taskSets' in data) return { ...files, 'eval.yaml': withConfig(base, data) };
  if (isData(data.spec)) {
    return { ...files, 'tasks/own.yaml': { ...data, ...withSpec(own, data.spec) } };
  }
  if (Object.keys(data).every((key) => key in specKeys)) {
    return { ...files, 'tasks/own.yaml': withSpec(own, data) };
  }
  return undefined;
}

const specKeys = {
  requires: 0,
  limits: 0,
  setup: 0,
  prompt: 0,
  verify: 0,
  cleanup: 0,
  assertions: 0,
};

function withSpec(task: { spec: Data }, spec: Data): Data {
  return { ...task, spec: { ...task.spec, ...spec } };
}

/** A matrix has the agents and servers itself; a judge is there for those who ask it. */
function withConfig(evaluation: { config: Data }, config: Data, fallback: Data = {}): Data {
  const all: Data = { ...fallback, ...evaluation.config, ...config };
  if (isData(evaluation.config.extensions) && isData(config.extensions)) {
    all.extensions = { ...evaluation.config.extensions, ...config.extensions };
  }
  if ('matrix' in config) {
    delete all.agent;
    delete all.mcpConfigFile;
  }
  return { kind: 'Eval', metadata: { name: 'shop' }, ...evaluation, config: all };
}

/** Files that snippets refer to, by what they are. */
const referred: SuiteFiles = {
  'mcp-current.yaml': { mcpServers: { shop: { command: 'own-server', enableAllTools: true } } },
  'mcp-next.yaml': { mcpServers: { shop: { command: 'own-server', enableAllTools: true } } },
  'agents/scripted.yaml': {
    kind: 'Agent',
    metadata: { name: 'x' },
    scripted: [{ do: [{ say: 'x' }] }],
  },
  'agents/mine.yaml': { kind: 'Agent', metadata: { name: 'mine' }, acp: { cmd: 'mine' } },
  'prices.yaml': { models: { 'openai:gpt': { input: 1, output: 2 } } },
  'skills/greeting/SKILL.md':
    '---\nname: greeting\ndescription: Greets people.\n---\n\nSay hello.\n',
  'extensions/stock.mjs': '#!/usr/bin/env node\n',
};

for (const name of ['easy', 'medium', 'hard']) {
  const verify = [{ script: { inline: 'test -e done' } }];
  const spec = { prompt: { inline: 'Do it.' }, verify };
  referred[`tasks/${name}/one.yaml`] = { kind: 'Task', metadata: { name }, spec };
}

/** Server names, as assertions, scripts and steps of a snippet use them. */
function serversIn(text: string, data: unknown): string[] {
  const named = [...text.matchAll(/\bserver: *([\w-]+)/g)].map(([, name = '']) => name);
  const steps = [...text.matchAll(/^ *(?:- )?([a-z][\w-]*)\.[a-zA-Z_]+: *(?:\{|$)/gm)].map(
    ([, name = '']) => name,
  );
  const mapped = [...text.matchAll(/serverMapping:\s+[\w-]+: *([\w-]+)/g)].map(([, to = '']) => to);
  const own = isData(data) && isData(data.mcpServers) ? Object.keys(data.mcpServers) : [];
  const all = new Set([...named, ...steps, ...mapped, ...own].filter((name) => name !== extension));
  return all.size === 0 ? ['shop'] : [...all];
}

/** Of other programs: what they take is theirs to say, and calls of ours in them are looked at elsewhere. */
function isOfOthers(data: unknown): boolean {
  return isData(data) && ('jobs' in data || 'script' in (Object.values(data).find(isData) ?? {}));
}

async function problemsOf({ text }: Snippet, more: SuiteFiles = {}): Promise<string[]> {
  const data = dataOf(text);
  const folder = await mkdtemp(path.join(inject('homeFolder'), 'snippet-'));
  const files = suiteWith(data, serversIn(text, data));
  if (!files) throw new Error('this snippet is nothing that is known here: say how it is checked');
  for (const [name, content] of Object.entries({ ...referred, ...files, ...more })) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    // The page's own words are what is read, not what they were parsed to.
    const isShown = content === data;
    const written = typeof content === 'string' ? content : JSON.stringify(content, null, 1);
    await writeFile(file, isShown ? text : written, { mode: 0o755 });
  }
  const environment = {
    ...{ SHOP_TOKEN: 'x', ORDERS_TOKEN: 'x', CUSTOMER: 'somebody' },
    PATH: process.env.PATH,
  };
  const problems = new Problems();
  const suites = loadSuites(path.join(folder, 'eval.yaml'), { environment }, problems);
  if (suites) checkSuites(suites, environment, problems);
  return (
    problems
      .report()
      // Repositories of others are not fetched here.
      .problems.filter(({ code }) => code !== 'source-not-ready')
      .map(({ code, message }) => `${code}: ${message}`)
  );
}

describe('YAML in the documentation', () => {
  it('is found', () => {
    expect(yaml.length).toBeGreaterThan(30);
  });

  // What is put into a whole file is not read as it is written.
  it.each(yaml.map(({ where, text }) => [where, text] as const))('%s can be read', (_, text) => {
    const { errors, warnings } = parseDocument(text);
    expect([...errors, ...warnings].map(({ message }) => message)).toEqual([]);
  });

  it('gives the action inputs, and takes outputs, that it has', async () => {
    const { inputs, outputs } = await readAction();
    const workflows = yaml.filter(({ text }) => /uses: \S*mcp-proctor@/.test(text));
    expect(workflows.length).toBeGreaterThan(0);
    for (const { text } of workflows) {
      const { jobs } = dataOf(text) as { jobs: Record<string, { steps: Step[] }> };
      const steps = Object.values(jobs).flatMap(({ steps }) => steps);
      const used = steps.filter(({ uses }) => uses?.includes('mcp-proctor@'));
      for (const step of used) {
        expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(step.with ?? {})));
        const taken = [
          ...text.matchAll(new RegExp(`steps\\.${step.id}\\.outputs\\.([\\w-]+)`, 'g')),
        ];
        const names = taken.map(([, name]) => name);
        expect(Object.keys(outputs)).toEqual(expect.arrayContaining(names));
      }
    }
  });

  const suites = yaml.filter(({ text }) => {
    const data = dataOf(text);
    // A comment alone, for editors.
    return data !== null && !isOfOthers(data) && !isCases(data) && !isPrices(data);
  });
  it.each(suites.map((snippet) => [snippet.where, snippet] as const))(
    '%s is valid as a part of a suite',
    async (_where, snippet) => {
      expect(await problemsOf(snippet)).toEqual([]);
    },
  );

  const cases = yaml.filter(({ text }) => isCases(dataOf(text)));
  it.each(cases.map(({ where, text }) => [where, text] as const))(
    '%s is a file of cases that judge-eval takes',
    async (_where, text) => {
      const folder = await mkdtemp(path.join(inject('homeFolder'), 'cases-'));
      await writeFile(path.join(folder, 'cases.yaml'), text);
      await writeFile(
        path.join(folder, 'judge.yaml'),
        'kind: Agent\nacp: { cmd: no-such-judge }\n',
      );
      const { stderr } = await proctor(['judge-eval', 'cases.yaml', '--judge', 'judge.yaml'], {
        cwd: folder,
      });
      // It came as far as looking for the judge.
      expect(stderr).toContain('no-such-judge');
    },
  );

  const prices = yaml.filter(({ text }) => isPrices(dataOf(text)));
  it.each(prices.map(({ where, text }) => [where, text] as const))(
    '%s is a file of prices',
    async (_where, text) => {
      const snippet = { where: '', language: 'yaml', text: 'config: { prices: shown.yaml }' };
      expect(await problemsOf(snippet)).not.toEqual([]);
      expect(await problemsOf(snippet, { 'shown.yaml': text })).toEqual([]);
    },
  );
});

describe('JSON in the documentation', () => {
  const json = pages.filter(({ language }) => language === 'json');
  it.each(json.map((snippet) => [snippet.where, snippet] as const))(
    '%s can be read, and is valid if it is an MCP config',
    async (_where, snippet) => {
      const data: unknown = JSON.parse(snippet.text);
      if (isData(data) && 'mcpServers' in data) expect(await problemsOf(snippet)).toEqual([]);
    },
  );
});

interface Step {
  id?: string;
  uses?: string;
  with?: Record<string, unknown>;
}

function isCases(data: unknown): boolean {
  return Array.isArray(data) && data.every((each) => isData(each) && 'expected' in each);
}

function isPrices(data: unknown): boolean {
  return isData(data) && 'models' in data;
}
