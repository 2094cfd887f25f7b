import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { examples, fixtures, proctor } from '../support/cli.js';

/** An independent validator: what editors will say of the same files. */
function validatorOf(schema: object) {
  return new Ajv2020({
    strict: true,
    allErrors: true,
    strictRequired: false,
    strictTypes: false,
  }).compile(schema);
}

const kinds = ['eval', 'agent', 'mcp', 'task', 'judge-cases', 'prices', 'results'];
const root = path.resolve(examples, '..');
const shipped = (kind: string) =>
  JSON.parse(readFileSync(path.join(root, 'schemas', `${kind}.schema.json`), 'utf8'));

function yamlFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.yaml'))
    .map((entry) => path.join(entry.parentPath, entry.name));
}

function kindOf(data: Record<string, unknown>): string {
  if (Array.isArray(data)) return 'judge-cases';
  return 'mcpServers' in data ? 'mcp' : String(data.kind).toLowerCase();
}

describe('JSON Schemas', () => {
  it.each(kinds)('proctor schema %s prints the one that ships', async (kind) => {
    const { exitCode, stdout } = await proctor(['schema', kind]);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual(shipped(kind));
    expect(shipped(kind).$schema).toBe('https://json-schema.org/draft/2020-12/schema');
  });

  it('proctor schema refuses other kinds, with a suggestion', async () => {
    const { exitCode, stdout, stderr } = await proctor(['schema', 'evla']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain('did you mean eval?');
  });

  // Those for Kubernetes are not ours: test/examples/kubernetes.test.ts checks them.
  const manifests = path.join(examples, 'kubernetes', path.sep);
  const ours = yamlFiles(examples).filter((file) => !file.startsWith(manifests));
  const files = [...ours, ...yamlFiles(path.join(fixtures, 'seed'))];

  it.each(files.map((file) => path.relative(root, file)))('accept %s', (name) => {
    const data = parse(readFileSync(path.join(root, name), 'utf8'));
    const validate = validatorOf(shipped(kindOf(data)));
    validate(data);
    expect(validate.errors ?? []).toEqual([]);
  });

  it.each(ours.map((file) => path.relative(root, file)))(
    'are named in %s by a line that editors understand',
    (name) => {
      const text = readFileSync(path.join(root, name), 'utf8');
      const [, schema] = /^# yaml-language-server: \$schema=(\S+)$/m.exec(text) ?? [];
      expect(text.startsWith('# yaml-language-server:')).toBe(true);
      const target = path.resolve(root, path.dirname(name), schema ?? '');
      expect(path.relative(root, target)).toBe(`schemas/${kindOf(parse(text))}.schema.json`);
    },
  );

  it.each([
    ['eval', { kind: 'Eval', metadata: { name: 'x' }, config: { taskSets: [] } }],
    ['eval', evalWith({ taskSets: [{ path: 'a', glob: 'b' }] })],
    ['eval', evalWith({ taskSets: [{}] })],
    ['eval', evalWith({ agent: { type: 'file' } })],
    ['eval', evalWith({ agent: { type: 'builtin.openai-agent' } })],
    ['eval', evalWith({ taskSets: [{ path: 'a', assertions: { toolUsed: [] } }] })],
    ['eval', evalWith({ taskSets: [{ path: 'a', assertions: { toolsUsed: [] } }] })],
    ['eval', evalWith({ taskSets: [{ path: 'a', assertions: { toolsUsed: [{ tool: 'x' }] } }] })],
    ['eval', evalWith({ defaultTaskLimits: { timeout: '5 minutes' } })],
    ['agent', { kind: 'Agent' }],
    ['agent', { kind: 'Agent', commands: {} }],
    ['agent', { kind: 'Agent', acp: { cmd: 'x' }, scripted: [{ do: [{ say: 'x' }] }] }],
    ['agent', { kind: 'Agent', scripted: [{ do: [{ say: 'x', fail: 'y' }] }] }],
    ['mcp', { mcpServers: { a: {} } }],
    ['mcp', { mcpServers: { a: { url: 'http://x', command: 'y' } } }],
    ['task', { kind: 'Task', metadata: { name: 'x' }, spec: {} }],
    ['task', { kind: 'Task', metadata: { name: 'x' }, steps: { prompt: {} } }],
    ['task', taskWith([{ scrpt: {} }])],
    ['task', taskWith([{ script: {} }])],
    ['task', taskWith([{ http: { url: 'http://x', expect: { statusCode: 500 } } }])],
    ['task', taskWith([{ http: { url: 'http://x', expect: { body: {} } } }])],
    ['judge-cases', []],
    ['judge-cases', [{ prompt: 'x', answer: 'y', reference: 'z', mode: 'contains' }]],
    ['prices', {}],
    ['prices', { models: { 'openai:x': { input: 1 } } }],
    ['prices', { models: { 'openai:x': { input: -1, output: 2 } } }],
  ])('refuse a wrong %s: %j', (kind, data) => {
    expect(validatorOf(shipped(kind))(data)).toBe(false);
  });

  it('accept steps of servers and extensions', () => {
    const validate = validatorOf(shipped('task'));
    expect(validate(taskWith([{ id: 'x', 'memory.read_graph': { args: {} } }]))).toBe(true);
  });
});

function evalWith(config: object) {
  const valid = { agent: { type: 'builtin.claude-code' }, taskSets: [{ path: 'a' }] };
  return { kind: 'Eval', metadata: { name: 'x' }, config: { ...valid, ...config } };
}

function taskWith(verify: object[]) {
  return { kind: 'Task', metadata: { name: 'x' }, spec: { prompt: { inline: 'x' }, verify } };
}
