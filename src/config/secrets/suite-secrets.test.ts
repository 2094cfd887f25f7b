import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readMcpConfigFile } from '../files/mcp-config-file.js';
import { readMcpEnvironment } from '../files/mcp-environment.js';
import type { TaskStep } from '../files/task-steps.js';
import { Problems } from '../problems/problem.js';
import type { Secrets } from './secrets.js';
import { collectSecrets } from './suite-secrets.js';

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
  return pairs(collectSecrets({ mcpConfigs: config ? [config] : [] }, environment));
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
        collectSecrets(
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
      const given = readMcpEnvironment(environment);
      if (!given || !('config' in given)) throw new Error('no config');
      return pairs(collectSecrets({ mcpConfigs: [given.config] }, environment));
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
  const value = 'aB3-dE6-gH9';

  it.each([
    'OPENAI_API_KEY',
    'AWS_SECRET_ACCESS_KEY',
    'GITHUB_TOKEN',
    'GH_PAT',
    'PGPASSWORD',
    'MYSQL_PWD',
    'DB_PASS',
    'SMTPPASS',
    'KEY_PASSPHRASE',
    'NPM_AUTH',
    'NPM_CONFIG__AUTHTOKEN',
    'SENTRY_DSN',
    'SSH_PRIVATE',
    'GCP_CREDENTIALS',
    'SLACK_WEBHOOK',
    'AZURE_STORAGE_CONNECTION_STRING',
    'apiKey',
    'ACME_TOKEN_2',
  ])('takes %s by its name', (name) => {
    expect(pairs(collectSecrets({}, { [name]: value }))).toEqual([[name, value]]);
  });

  it.each([
    'AUTHOR',
    'COMPASS',
    'KEYBOARD',
    'PATTERN',
    'MONKEY',
    'BYPASS',
    'SECRETARY',
    'TOKENIZER',
    'AUTH_TYPE',
    'TOKEN_TTL',
    'SECRET_NAME',
    'KEY_LAYOUT',
    'PASSWORD_FILE',
    'HOSTNAME',
    'OTHER',
  ])('leaves %s alone', (name) => {
    expect(pairs(collectSecrets({}, { [name]: value }))).toEqual([]);
  });

  it.each([
    ['PWD', '/somewhere/else'],
    ['OLDPWD', '/somewhere/else'],
    ['SSH_AUTH_SOCK', '/tmp/ssh-XXX/agent.1'],
    ['XAUTHORITY', '/run/user/1000/gdm/Xauthority'],
    ['GOOGLE_APPLICATION_CREDENTIALS', '/secrets/account.json'],
    ['TLS_KEY', './certs/server.key'],
    ['TLS_KEY', 'C:\\certs\\server.key'],
    ['GPG_KEY', 'E3FF2839C048B25C084DEBE9B26995E310250568'],
    ['MAX_TOKENS', '100000000'],
    ['TOKEN_EXPIRY_AUTH', '2026-01-02T03:04:05Z'],
    ['AUTH', 'disabled'],
    ['AUTH_HEADER', 'Authorization'],
    ['AUTH_BASE', 'https://login.example.test/realms/a'],
    ['API_KEY', '********'],
    ['API_KEY', '${API_KEY}'],
    ['API_KEY', 'short'],
  ])('leaves %s alone if its value is %s', (name, ordinary) => {
    expect(pairs(collectSecrets({}, { [name]: ordinary }))).toEqual([]);
  });

  it.each([
    ['AWS_SECRET_ACCESS_KEY', '/wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'],
    ['DB_PASSWORD', '20240101'],
    ['PASSWORD', 'correcthorse'],
    ['SLACK_WEBHOOK_URL', 'https://hooks.example.test/T00/B00/XXXX'],
  ])('takes %s though its value is %s', (name, secret) => {
    expect(pairs(collectSecrets({}, { [name]: secret }))).toEqual([[name, secret]]);
  });

  it('takes passwords in addresses, whatever they are called', () => {
    const environment = {
      DATABASE_URL: 'postgres://me:hunter22-a@db/x',
      SENTRY_DSN: 'https://0123456789abcdef0123456789abcdef@sentry.example.test/1',
      REMOTE: 'https://somebody@git.example.test/a.git',
    };
    expect(pairs(collectSecrets({}, environment))).toEqual([
      ['password', 'hunter22-a'],
      ['SENTRY_DSN', environment.SENTRY_DSN],
      ['password', '0123456789abcdef0123456789abcdef'],
    ]);
  });

  it('takes the parts of a connection string', () => {
    const text = 'Server=db;User=me;Password=hunter22-a;AccountKey=abc/def+123==';
    expect(
      pairs(collectSecrets({}, { DB_CONNECTION_STRING: text })).map(([, part]) => part),
    ).toEqual([text, 'hunter22-a', 'abc/def+123==']);
  });

  it('takes the keys in JSON credentials, and nothing else of them', () => {
    const account = {
      type: 'service_account',
      private_key: `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0B'.repeat(2)}\n`,
      client_email: 'a@project.example.test',
      token_uri: 'https://oauth2.example.test/token',
      nested: [{ clientSecret: 'swordfish-1' }],
    };
    const found = pairs(collectSecrets({}, { SERVICE_ACCOUNT: JSON.stringify(account) }));
    expect(found.map(([name]) => name)).toEqual(['private_key', 'private_key', 'clientSecret']);
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
    expect(pairs(collectSecrets({ agents }, environment))).toEqual([
      ['AGENT_KEY', 'key-of-agent'],
      ['JUDGE_KEY', 'key-of-judge'],
      ['AGENT_TOKEN', 'token-of-agent'],
      ['JUDGE_PASS', 'pass-of-judge'],
    ]);
  });

  it('takes the key of a judge that variables define, and a password in its address', () => {
    const env = { apiKeyKey: 'JUDGE_KEY', baseUrlKey: 'JUDGE_URL', modelNameKey: 'JUDGE_MODEL' };
    const more = { JUDGE_URL: 'https://me:password-1@judge/v1', JUDGE_MODEL: 'ordinary-model' };
    expect(pairs(collectSecrets({ judge: { env } }, { ...environment, ...more }))).toEqual([
      ['AGENT_KEY', 'key-of-agent'],
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
    expect(pairs(collectSecrets({ extensions }, {}))).toEqual([['password', 'literally-this']]);
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
    expect(pairs(collectSecrets({ extensions }, environment))).toEqual([
      ['URL', 'postgres://a'],
      ['A', 'value-of-a'],
      ['API_TOKEN', 'literal-token'],
      ['TOKEN', 'x-short-{env.NONE}'],
    ]);
  });
});

describe('secretsOf steps', () => {
  const environment = { A: 'value-of-a', T: 'short' };

  function ofStep(type: string, data: unknown, more = {}) {
    const steps: TaskStep[] = [{ phase: 'verify', type, data, path: ['spec', 'verify', 0, type] }];
    return pairs(collectSecrets({ steps }, { ...environment, ...more }));
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
      expect(ofStep(type, data, { API_TOKEN: 'value-of-token' })).toEqual([
        ['API_TOKEN', 'value-of-token'],
      ]);
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

  const sent = {
    user: 'somebody-else',
    password: 'literal-password',
    login: { apiKeys: ['literal-key-1'], token: '{env.A}', secret: '{steps.a.stdout}' },
    key: 'name-of-something',
  };
  const ofSent = [
    ['password', 'literal-password'],
    ['apiKeys', 'literal-key-1'],
    ['token', 'value-of-a'],
  ];

  it('takes what the body of a request has under a name that sounds secret', () => {
    const url = 'http://localhost/';
    expect(ofStep('http', { url, body: { json: sent } })).toEqual(ofSent);
    const raw = JSON.stringify({ ...sent, login: { apiKeys: ['literal-key-1'] } });
    expect(ofStep('http', { url, body: { raw } })).toEqual(
      expect.arrayContaining(ofSent.slice(0, 2)),
    );
  });

  it.each(['database.query', 'local.create_user'])(
    'takes arguments of %s with a name that sounds secret',
    (type) => {
      expect(ofStep(type, { args: sent, password: 'literal-password' })).toEqual(ofSent);
    },
  );

  it('takes passwords and keys of an address, whatever placeholders are in it', () => {
    const url = 'http://me:password-1@localhost:{random.port}/?token={env.A}&id={steps.a.stdout}';
    expect(request({}, url)).toEqual([
      ['password', 'password-1'],
      ['token', 'value-of-a'],
    ]);
  });
});

describe('secretsOf arguments', () => {
  it.each([
    [['--api-key=swordfish-1'], ['api-key', 'swordfish-1']],
    [
      ['--token', 'swordfish-1'],
      ['token', 'swordfish-1'],
    ],
    [
      ['-e', 'DB_PASSWORD=swordfish-1'],
      ['DB_PASSWORD', 'swordfish-1'],
    ],
    [
      ['--header', 'X-Api-Key: swordfish-1'],
      ['X-Api-Key', 'swordfish-1'],
    ],
    [['redis://:swordfish-1@cache'], ['password', 'swordfish-1']],
  ])('of a server: %j', (args, found) => {
    const agents = [{ kind: 'Agent' as const, acp: { cmd: 'agent', args } }];
    expect(pairs(collectSecrets({ agents }, {}))).toEqual([found]);
  });

  it.each([[['--key-file', '/etc/tls.key']], [['--token', '--verbose']], [['--mode=fast-mode']]])(
    'leaves %j alone',
    (args) => {
      const agents = [{ kind: 'Agent' as const, acp: { cmd: 'agent', args } }];
      expect(pairs(collectSecrets({ agents }, {}))).toEqual([]);
    },
  );
});

describe('secretsOf what only looks like a secret', () => {
  it.each([
    ['the name in an address', { DATABASE_URL: 'postgres://password1:password1@localhost/db' }],
    ['a word', { DATABASE_URL: 'postgres://app:password@localhost/db' }],
    ['a word in a query', { CALLBACK: 'https://example.test/?auth=required' }],
  ])('leaves %s alone', (_, environment) => {
    expect(pairs(collectSecrets({}, environment))).toEqual([]);
  });

  it('leaves settings of a server alone that only say something about a secret', () => {
    expect(found(stdio({ AUTH_MODE: 'required', PASSWORD_FILE: '/run/secrets/db' }))).toEqual([]);
    expect(found({ command: 'x', args: ['--auth=required', '--key=/etc/tls.key'] })).toEqual([]);
  });

  it('leaves a value alone that results go by, unless it is asked for, and names its variable', () => {
    const environment = { PGPASSWORD: 'inventory', OTHER_TOKEN: 'inventory-token' };
    const secrets = collectSecrets({ names: ['inventory'] }, environment);
    expect(pairs(secrets)).toEqual([['OTHER_TOKEN', 'inventory-token']]);
    expect(secrets.shown()).toEqual(['PGPASSWORD']);
    const asked = collectSecrets(
      { names: ['inventory'], redact: [{ env: 'PGPASSWORD' }] },
      environment,
    );
    expect(pairs(asked)).toContainEqual(['PGPASSWORD', 'inventory']);
    expect(asked.shown()).toEqual([]);
  });
});

describe('secretsOf parts of a variable', () => {
  it.each([
    ['MONGO', 'mongodb://u:OtherPw99@h1:27017,h2:27017/db', 'OtherPw99'],
    ['MYSQL_DSN', 'user:godsnpass9@tcp(db:3306)/x', 'godsnpass9'],
    ['PG_DSN', "host=db password='dsn pass99'", 'dsn pass99'],
    ['CONFIG', '[{"token":"listtoken99"}]', 'listtoken99'],
    ['API_TOKENS', 'firsttoken,othertoken', 'othertoken'],
  ])('finds that of %s=%s', (name, value, secret) => {
    const values = collectSecrets({}, { [name]: value }).entries();
    expect(values.map((each) => each.value)).toContain(secret);
  });

  it('takes no part of the name of an image, and no host of a list', () => {
    expect(pairs(collectSecrets({}, { IMAGE: 'repo:release-12@sha256:abcdef' }))).toEqual([]);
    const hosts = 'one.example.test,two.example.test';
    expect(pairs(collectSecrets({}, { AUTH_HOSTS: hosts }))).toEqual([['AUTH_HOSTS', hosts]]);
  });

  it('tries the words of a long passphrase once', () => {
    const value = 'some words '.repeat(100_000).trim();
    expect(collectSecrets({}, { APP_PASSPHRASE: value }).entries()).toHaveLength(1);
  });
});

describe('secretsOf a script', () => {
  const inScript = (inline: string) =>
    pairs(
      collectSecrets({ steps: [{ type: 'script', data: { inline } } as unknown as TaskStep] }, {}),
    );

  it('takes what is written out', () => {
    const script = `# don't
      export DB_PASSWORD=literalpw77; curl -H 'X-Api-Key: literalkey88' --token "other token99" x`;
    expect(inScript(script)).toEqual([
      ['DB_PASSWORD', 'literalpw77'],
      ['X-Api-Key', 'literalkey88'],
      ['token', 'other token99'],
    ]);
  });

  it.each([
    ['a name with quotes in it', `run --to"ken"=literal99x`, ['token', 'literal99x']],
    ['the password of an address', 'curl https://me:literal99x@host/', ['password', 'literal99x']],
    ['a header of its own kind', `curl -H 'Cookie: literal99x'`, ['Cookie', 'literal99x']],
    ['a word behind one that sounds secret', 'run --tokenIs=literal99x', ['tokenIs', 'literal99x']],
    ['a connection', 'run --db-conn_str=literal99x', ['db-conn_str', 'literal99x']],
  ])('takes %s where nothing else in it sounds secret', (_, script, secret) => {
    expect(inScript(script)).toEqual([secret]);
  });

  it('leaves what the shell puts in', () => {
    const script =
      'API_KEY="$(cat /run/secrets/key)" curl -H "Authorization: Bearer $GITHUB_TOKEN"';
    expect(inScript(script)).toEqual([]);
  });
});
