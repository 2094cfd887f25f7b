import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readMcpConfigFile } from './mcp-config-file.js';
import { mcpFromEnvironment } from './mcp-environment.js';
import { Problems } from './problem.js';
import type { Secrets } from './secrets.js';
import { secretsOf } from './secrets-of.js';
import type { TaskStep } from './task-steps.js';

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'secrets-'));
});

afterAll(() => rmSync(folder, { recursive: true }));

type Server = Record<string, unknown>;

function configOf(servers: Record<string, Server>, environment: Record<string, string>) {
  const path = join(folder, 'mcp.json');
  writeFileSync(path, JSON.stringify({ mcpServers: servers }));
  const config = readMcpConfigFile(path, environment, new Problems());
  if (!config) throw new Error('the config cannot be read');
  return config;
}

function found(server: Server, environment: Record<string, string> = {}) {
  const config = configOf({ one: { enableAllTools: true, ...server } }, environment);
  return pairs(secretsOf({ mcpConfigs: config ? [config] : [] }, environment));
}

const pairs = (secrets: Secrets) => secrets.entries().map(({ name, value }) => [name, value]);
const http = (headers: Record<string, string>) => ({ url: 'http://localhost/', headers });
const stdio = (env: Record<string, string>) => ({ command: 'x', env });

describe('secretsOf a server', () => {
  it('takes variables that headers and env refer to', () => {
    const environment = { A: 'value-of-a', B: 'value-of-b', C: 'value-of-c' };
    expect(found(http({ 'X-Any': 'x ${A} ${B:-default}' }), environment)).toEqual([
      ['A', 'value-of-a'],
      ['B', 'value-of-b'],
    ]);
    expect(found(stdio({ ANY: '${C}' }), environment)).toEqual([['C', 'value-of-c']]);
  });

  it('takes each long line of a key that has several', () => {
    const line = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcw';
    const key = `-----BEGIN PRIVATE KEY-----\n${line}\nshort=\n-----END PRIVATE KEY-----`;
    expect(found({ command: 'x', env: { TLS_KEY: key } })).toEqual([
      ['TLS_KEY', key],
      ['TLS_KEY', line],
    ]);
  });

  it('takes variables elsewhere only if their names sound like a secret', () => {
    const environment = { API_TOKEN: 'abcdefgh', PORTAL_NAME: 'ordinary' };
    const args = ['--token=${API_TOKEN}', '${PORTAL_NAME}'];
    expect(found({ command: 'x', args }, environment)).toEqual([['API_TOKEN', 'abcdefgh']]);
  });

  it('shows a scheme with a variable as the name of the variable', () => {
    const header = http({ Authorization: 'Bearer ${T}' });
    expect(found(header, { T: 'abcdefgh' })).toEqual([['T', 'abcdefgh']]);
    expect(found(header, { T: 'short' })).toEqual([['Authorization', 'Bearer short']]);
    expect(found(http({ Authorization: 'Bearer ${T:-default-token}' }))).toEqual([
      ['Authorization', 'default-token'],
    ]);
  });

  it.each([
    'Authorization',
    'proxy-authorization',
    'COOKIE',
    'X-Api-Key',
    'my-secret',
    'Auth-Token',
  ])('takes the literal value of the header %s', (name) => {
    expect(found(http({ [name]: 'some value' }))).toEqual([[name, 'some value']]);
  });

  it.each(['Bearer', 'basic'])('takes what stands after %s, too', (scheme) => {
    expect(found(http({ Authorization: `${scheme}  abcdefgh` }))).toEqual([
      ['Authorization', 'abcdefgh'],
      ['Authorization', `${scheme}  abcdefgh`],
    ]);
  });

  it('takes env values by the name of their variable', () => {
    const env = { DB_PASSWORD: 'hunter22', CREDENTIALS: 'x:12345678', LOG_FORMAT: 'pretty-long' };
    expect(found(stdio(env))).toEqual([
      ['DB_PASSWORD', 'hunter22'],
      ['CREDENTIALS', 'x:12345678'],
    ]);
  });

  it.each([
    ...['DB_PASS', 'PASS', 'smtp-pass', 'dbPass', 'PASS2', 'DB_PASSWD', 'passwd'],
    ...['GITHUB_PAT', 'pat', 'azurePat', 'X-Auth', 'AUTH', 'NPM_AUTH_1', 'auth.basic'],
  ])('takes %s for the name of a secret', (name) => {
    expect(found(stdio({ [name]: 'abcdefgh' }))).toEqual([[name, 'abcdefgh']]);
    expect(found(http({ [name]: 'abcdefgh' }))).toEqual([[name, 'abcdefgh']]);
    const args = [`--x=\${${name}}`];
    // Only some of them can be names of variables.
    if (!/^\w+$/.test(name)) return;
    expect(found({ command: 'x', args }, { [name]: 'abcdefgh' })).toEqual([[name, 'abcdefgh']]);
  });

  it.each([
    ...['PATH', 'NODE_PATH', 'PATTERN', 'XPAT', 'AUTHOR', 'GIT_AUTHOR_NAME', 'authority'],
    ...['COMPASS', 'compassHeading', 'PASSAGE', 'BYPASS', 'PASSENGERS', 'by-passing', 'spatial'],
  ])('takes %s for the name of something else', (name) => {
    expect(found(stdio({ [name]: 'abcdefgh' }))).toEqual([]);
    expect(found(http({ [name]: 'abcdefgh' }))).toEqual([]);
  });

  it('takes passwords and keys of an address, as written and as read', () => {
    const url = 'https://user:p%40ssw0rd@host/mcp?api_key=a%2Fb+c12345&page=1234567890';
    expect(found({ url })).toEqual([
      ['password', 'p%40ssw0rd'],
      ['password', 'p@ssw0rd'],
      ['api_key', 'a%2Fb+c12345'],
      ['api_key', 'a/b c12345'],
      ['api_key', 'a/b+c12345'],
    ]);
    expect(found({ url: 'https://host/mcp?token=100%secret' })).toEqual([['token', '100%secret']]);
  });

  it('leaves out disabled servers', () => {
    const environment = { A: 'value-of-a' };
    const off = { ...http({ Authorization: '${A}' }), disabled: true };
    expect(
      pairs(
        secretsOf(
          { mcpConfigs: [configOf({ off }, environment)].flatMap((each) => each ?? []) },
          environment,
        ),
      ),
    ).toEqual([]);
  });

  it('leaves out what is short or ordinary', () => {
    const environment = {
      HOME: '/home/somebody',
      SHORT: '1234567',
      USER: 'somebody',
      ME: 'somebody',
    };
    const env = { A: '${HOME}', B: '${SHORT}', KEY_FOLDER: '/home/somebody', C: '${ME}' };
    expect(found(stdio(env), environment)).toEqual([]);
  });

  it('takes those of MCP_* variables', () => {
    const environments = [
      { MCP_URL: 'http://a/', MCP_HEADERS: '{"Authorization":"Bearer abcdefgh","X-A":"ordinary"}' },
      { MCP_COMMAND: 'x', MCP_ENV: '{"TOKEN":"12345678","MODE":"ordinary"}' },
    ];
    const all = environments.map((environment) => {
      const given = mcpFromEnvironment(environment);
      if (!given || !('config' in given)) throw new Error('no config');
      return pairs(secretsOf({ mcpConfigs: [given.config] }, environment));
    });
    expect(all).toEqual([
      [
        ['Authorization', 'abcdefgh'],
        ['Authorization', 'Bearer abcdefgh'],
      ],
      [['TOKEN', '12345678']],
    ]);
  });
});

describe('secretsOf the environment', () => {
  it('takes the usual keys and tokens, and no others', () => {
    const environment = {
      OPENAI_API_KEY: 'openai-key',
      MODEL_KEY: 'model-key',
      GITHUB_TOKEN: 'github-token',
      GH_TOKEN: 'gh-token',
      OTHER_KEY: 'x'.repeat(9),
    };
    expect(pairs(secretsOf({}, environment))).toEqual([
      ['OPENAI_API_KEY', 'openai-key'],
      ['MODEL_KEY', 'model-key'],
      ['GITHUB_TOKEN', 'github-token'],
      ['GH_TOKEN', 'gh-token'],
    ]);
  });
});

describe('secretsOf agents and the judge', () => {
  const environment = { AGENT_KEY: 'key-of-agent', JUDGE_KEY: 'key-of-judge' };

  it('takes the key that each names, and env values that sound secret', () => {
    const agent = (apiKey: string, env: Record<string, string>) => ({
      kind: 'Agent' as const,
      builtin: { type: 'openai-agent' as const, model: 'm', apiKey, env },
    });
    const agents = [
      agent('AGENT_KEY', { AGENT_TOKEN: 'token-of-agent', MODE: 'ordinary' }),
      agent('JUDGE_KEY', { JUDGE_PASS: 'pass-of-judge' }),
    ];
    expect(pairs(secretsOf({ agents }, environment))).toEqual([
      ['AGENT_KEY', 'key-of-agent'],
      ['AGENT_TOKEN', 'token-of-agent'],
      ['JUDGE_KEY', 'key-of-judge'],
      ['JUDGE_PASS', 'pass-of-judge'],
    ]);
  });

  it('takes the key of a judge that variables define, and a password in its address', () => {
    const env = { apiKeyKey: 'JUDGE_KEY', baseUrlKey: 'JUDGE_URL', modelNameKey: 'JUDGE_MODEL' };
    const more = { JUDGE_URL: 'https://me:password-1@judge/v1', JUDGE_MODEL: 'ordinary-model' };
    expect(pairs(secretsOf({ judge: { env } }, { ...environment, ...more }))).toEqual([
      ['JUDGE_KEY', 'key-of-judge'],
      ['password', 'password-1'],
    ]);
  });
});

describe('secretsOf extensions', () => {
  it('are also those that are written into the settings under a name that says so', () => {
    const extensions = {
      db: {
        package: './db',
        config: { user: 'somebody else', login: { password: 'literally-this' } },
      },
    };
    expect(pairs(secretsOf({ extensions }, {}))).toEqual([['password', 'literally-this']]);
  });

  it('takes the variables that config and env refer to, and env values that sound secret', () => {
    const environment = { URL: 'postgres://a', A: 'value-of-a', T: 'short' };
    const extensions = {
      database: {
        package: './database',
        config: { nested: [{ url: '{env.URL}' }], mode: 'ordinary' },
        env: { LEVEL: '{env.A}', API_TOKEN: 'literal-token', TOKEN: 'x-{env.T}-{env.NONE}' },
      },
    };
    expect(pairs(secretsOf({ extensions }, environment))).toEqual([
      ['URL', 'postgres://a'],
      ['A', 'value-of-a'],
      ['API_TOKEN', 'literal-token'],
      ['TOKEN', 'x-short-{env.NONE}'],
    ]);
  });
});

describe('secretsOf steps', () => {
  const environment = { A: 'value-of-a', API_TOKEN: 'value-of-token', T: 'short' };

  function ofStep(type: string, data: unknown) {
    const steps: TaskStep[] = [{ phase: 'verify', type, data, path: ['spec', 'verify', 0, type] }];
    return pairs(secretsOf({ steps }, environment));
  }

  const request = (headers: Record<string, string>, url = 'http://localhost/') =>
    ofStep('http', { url, headers });

  it('takes variables that headers of a request refer to', () => {
    expect(request({ 'X-Any': 'x {env.A}' })).toEqual([['A', 'value-of-a']]);
  });

  it.each(['script', 'http', 'telling.echo', 'database.query'])(
    'takes variables elsewhere in %s only if they sound secret',
    (type) => {
      const data = { url: 'http://localhost/', args: { a: ['{env.A}', 'x{env.API_TOKEN}'] } };
      expect(ofStep(type, data)).toEqual([['API_TOKEN', 'value-of-token']]);
    },
  );

  it('takes env values of a script that sound secret', () => {
    const env = { LEVEL: '{env.A}', DB_PASSWORD: '{env.A}', API_KEY: 'literal-key' };
    expect(ofStep('script', { inline: 'true', env })).toEqual([
      ['DB_PASSWORD', 'value-of-a'],
      ['API_KEY', 'literal-key'],
    ]);
    const later = { DB_PASSWORD: '{steps.login.stdout}' };
    expect(ofStep('script', { inline: 'true', env: later })).toEqual([]);
  });

  it.each(['Authorization', 'cookie', 'X-Api-Key'])('takes a literal %s', (name) => {
    expect(request({ [name]: 'some value', Accept: 'application/json' })).toEqual([
      [name, 'some value'],
    ]);
  });

  it('shows a scheme with a variable as the name of the variable', () => {
    expect(request({ Authorization: 'Bearer {env.A}' })).toEqual([['A', 'value-of-a']]);
    expect(request({ Authorization: 'Bearer {env.T}' })).toEqual([
      ['Authorization', 'Bearer short'],
    ]);
  });

  it('leaves out headers that another step completes', () => {
    expect(request({ Authorization: 'Bearer {steps.login.stdout}' })).toEqual([]);
  });

  it('takes passwords and keys of an address, whatever placeholders are in it', () => {
    const url = 'http://me:password-1@localhost:{random.port}/?token={env.A}&id={steps.a.stdout}';
    expect(request({}, url)).toEqual([
      ['password', 'password-1'],
      ['token', 'value-of-a'],
    ]);
  });
});
