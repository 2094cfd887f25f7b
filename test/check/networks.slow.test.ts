import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest';
import { describePlatform } from '../../src/extensions/package/release-assets.js';
import { certificateFile, LoopbackServer } from '../../testing/loopback-http.js';
import { StandInReleaseHost } from '../../testing/releases.js';
import { BridgeProcess } from '../support/bridge-process.js';
import { fixtures } from '../support/cli.js';
import { CompanyNetwork, type Way } from '../support/company-network.js';
import { providers } from '../support/llm-agent-run.js';
import { type HttpServer, startEverything } from '../support/mcp-servers.js';
import { submitting } from '../support/model-judge.js';
import { ModelServer } from '../support/model-server/model-server.js';
import type { Script } from '../support/model-server/turn.js';
import { proctorProgram, testNode } from '../support/proctor-process.js';
import { it } from '../support/scratch-suite.js';
import { command, type SuiteParts, script, tellingServer } from '../support/suite-parts.js';

/** Nobody listens there. */
const deadProxy = 'http://127.0.0.1:1';
const verdict = submitting({ passed: true, reason: 'It is done.' });

let remote: HttpServer;
let old: HttpServer;
beforeAll(async () => {
  [remote, old] = await Promise.all([startEverything('streamableHttp'), startEverything('sse')]);
});
afterAll(() => Promise.all([remote.stop(), old.stop()]));

async function startModel(turns: Script): Promise<string> {
  const model = await ModelServer.start(turns);
  onTestFinished(() => model.close());
  return model.url;
}

/** What Proctor asks over HTTP, each with its address and what it takes in a suite. */
type Kind = 'model' | 'judge' | 'remote' | 'old' | 'page' | 'release';

interface Outgoing {
  hosts: string[];
  parts: Partial<SuiteParts>;
  step?: object;
  environment?: Record<string, string>;
}

const modelAgent = (url: string) => ({
  builtin: { type: 'llm-agent', model: 'openai-compatible:m-1', baseUrl: `${url}/v1` },
});

/** How a suite uses each kind of server, at the address that `place` gives to one on loopback. */
const outgoing: Record<Kind, (place: (origin: string) => Promise<string>) => Promise<Outgoing>> = {
  async model(place) {
    const url = await place(await startModel([{ text: 'done' }]));
    return { hosts: [hostOf(url)], parts: { agent: modelAgent(url) } };
  },
  async judge(place) {
    const url = await place(await startModel(() => verdict));
    const agent = { kind: 'Agent', metadata: { name: 'judge' }, ...modelAgent(url) };
    return {
      hosts: [hostOf(url)],
      parts: {
        config: { llmJudge: { ref: { type: 'file', path: 'judge.yaml' } } },
        files: { 'judge.yaml': JSON.stringify(agent) },
      },
      step: { llmJudge: { contains: 'done' } },
    };
  },
  async remote(place) {
    const url = await place(remote.url);
    const server = { type: 'http', url, enableAllTools: true };
    return {
      hosts: [hostOf(url)],
      parts: { servers: { remote: server } },
      step: { 'remote.echo': { args: { message: 'a' }, expect: { content: { match: 'a' } } } },
    };
  },
  async old(place) {
    const url = await place(old.url);
    const server = { type: 'sse', url, enableAllTools: true };
    return {
      hosts: [hostOf(url)],
      parts: { servers: { old: server } },
      step: { 'old.echo': { args: { message: 'a' }, expect: { content: { match: 'a' } } } },
    };
  },
  async page(place) {
    const page = await LoopbackServer.http((_, response) => void response.end('here'));
    const url = await place(page.url());
    return { hosts: [hostOf(url)], parts: {}, step: { http: { url } } };
  },
  async release(place) {
    const host = await StandInReleaseHost.listen(onTestFinished, place);
    const { systemWords, processorWords } = describePlatform(process.platform, process.arch);
    const content = readFileSync(path.join(fixtures, 'extensions/packaged.sh'));
    const files = { [`packed-${systemWords[0]}-${processorWords[0]}`]: content };
    host.publish({ repository: 'org/packed', tag: 'v1.0.0', files });
    return {
      hosts: host.origins.map(hostOf),
      parts: {
        config: { extensions: { packed: { package: 'https://github.com/org/packed@v1.0.0' } } },
      },
      step: { 'packed.where': {} },
      environment: { PROCTOR_GITHUB_API_URL: host.apiUrl, PROCTOR_CACHE_DIR: 'cache' },
    };
  },
};

const kinds = Object.keys(outgoing) as Kind[];

function hostOf(url: string): string {
  return new URL(url).host;
}

/** A suite with one task that needs servers of all these kinds. */
async function suiteUsing(used: readonly Kind[], place: (origin: string) => Promise<string>) {
  const all = await Promise.all(used.map((kind) => outgoing[kind](place)));
  const steps = all.flatMap(({ step }) => step ?? []);
  const requires = used.includes('release') ? [{ extension: 'packed' }] : [];
  const merged = <Key extends keyof SuiteParts>(key: Key) =>
    Object.assign({}, ...all.map(({ parts }) => parts[key]));
  const servers = merged('servers');
  const parts: SuiteParts = {
    ...Object.assign({}, ...all.map((each) => each.parts)),
    ...(Object.keys(servers).length > 0 && { servers }),
    config: merged('config'),
    files: merged('files'),
    tasks: { one: { spec: { requires, verify: [script('true'), ...steps] } } },
  };
  const environment: Record<string, string> = Object.assign(
    {},
    ...all.map((each) => each.environment),
  );
  return { parts, environment, hosts: new Set(all.flatMap(({ hosts }) => hosts)) };
}

describe('with a proxy, everything that goes out', () => {
  it.for<[string, Way, (url: string) => Record<string, string>]>([
    ['HTTP_PROXY', 'http', (url) => ({ HTTP_PROXY: url })],
    [
      'all_proxy, and HTTPS',
      'https',
      (url) => ({ all_proxy: url, SSL_CERT_FILE: certificateFile }),
    ],
    [
      'HTTPS_PROXY',
      'https',
      (url) => ({ HTTPS_PROXY: url, HTTP_PROXY: deadProxy, NODE_EXTRA_CA_CERTS: certificateFile }),
    ],
    [
      'NO_PROXY for another network',
      'address',
      (url) => ({ ALL_PROXY: url, NO_PROXY: '10.0.0.0/8' }),
    ],
  ])('goes through it, and nothing else does: %s', async ([, way, variables], { makeSuite }) => {
    const network = await CompanyNetwork.start();
    const { parts, environment, hosts } = await suiteUsing(kinds, (url) => network.place(url, way));
    const suite = await makeSuite(parts);

    const check = await suite.check([], { ...environment, ...variables(network.proxyUrl) });

    expect(check.exitCode, check.stdout + check.stderr).toBe(0);
    expect(network.hosts).toEqual(hosts);
  });

  it.for<Way>(['http', 'https'])(
    'shows a proxy the password of its address: %s',
    async (way, { makeSuite }) => {
      const network = await CompanyNetwork.start('me:secret-of-the-proxy');
      const { parts, environment, hosts } = await suiteUsing(kinds, (url) =>
        network.place(url, way),
      );
      const suite = await makeSuite(parts);

      const check = await suite.check([], {
        ...environment,
        ALL_PROXY: network.proxyUrl,
        SSL_CERT_FILE: certificateFile,
      });

      expect(check.exitCode, check.stdout + check.stderr).toBe(0);
      expect(network.hosts).toEqual(hosts);
      expect(await suite.read('out.jsonl')).not.toContain('secret-of-the-proxy');
    },
  );

  it.for(['0.0.0.0/8', '0.0.0.0', '*'])(
    'goes around it to what NO_PROXY=%s names',
    async (noProxy, { makeSuite }) => {
      const network = await CompanyNetwork.start();
      const place = (url: string) => network.place(url, 'address');
      const { parts, environment } = await suiteUsing(kinds, place);
      const suite = await makeSuite(parts);

      const variables = { ALL_PROXY: network.proxyUrl, no_proxy: noProxy };
      const check = await suite.check([], { ...environment, ...variables });

      expect(check.exitCode, check.stdout + check.stderr).toBe(0);
      expect(network.log).toEqual([]);
    },
  );

  it('goes around a dead one to this machine', async ({ makeSuite }) => {
    const { parts, environment } = await suiteUsing(kinds, async (url) => url);
    const suite = await makeSuite(parts);

    const check = await suite.check([], { ...environment, ALL_PROXY: deadProxy });

    expect(check.exitCode, check.stdout + check.stderr).toBe(0);
  });
});

/** Whether the system lets us see what a program connects to. */
const canTrace = spawnSync('strace', ['-e', 'trace=none', 'true']).status === 0;

it('a check connects to nobody but the proxy of this machine, by the account of the system', async ({
  makeSuite,
}) => {
  const network = await CompanyNetwork.start();
  const place = (url: string) => network.place(url, 'http');
  const { parts, environment, hosts } = await suiteUsing(kinds, place);
  const suite = await makeSuite(parts);
  const trace = suite.path('trace');

  const tracer = canTrace ? ['strace', '-f', '-e', 'trace=connect', '-o', trace] : [];
  const commandLine = [...tracer, testNode, proctorProgram, 'check', 'eval.yaml'];
  const [program = '', ...args] = commandLine;
  const own = { PATH: process.env.PATH, HOME: suite.folder, TMPDIR: suite.temporaryFolder };
  const env = { ...own, ...environment, HTTP_PROXY: network.proxyUrl };
  await promisify(execFile)(program, args, { cwd: suite.folder, env });

  expect(network.hosts).toEqual(hosts);
  const connections = canTrace ? await suite.read('trace') : '';
  const addresses = [...connections.matchAll(/inet_(?:addr\(|pton\(AF_INET6, )"([^"]+)/g)];
  const others = addresses.filter(([, address = '']) => !/^(127\.|::1$)/.test(address));
  expect(others.map(([text]) => text)).toEqual([]);
  expect(addresses.length > 0).toBe(canTrace);
});

describe('a proxy that does not work is named as the reason', () => {
  it.for(kinds)('by a check that needs it for: %s', async (kind, { makeSuite }) => {
    const network = await CompanyNetwork.start();
    const { parts, environment } = await suiteUsing([kind], (url) => network.place(url, 'https'));
    const suite = await makeSuite(parts);

    const check = await suite.check([], { ...environment, ALL_PROXY: deadProxy });

    expect(check.exitCode).not.toBe(0);
    expect(check.stdout + check.stderr).toContain('the proxy 127.0.0.1:1 cannot be used');
  });

  it.for(kinds)('without the password that it wants, for: %s', async (kind, { makeSuite }) => {
    const network = await CompanyNetwork.start('me:secret-of-the-proxy');
    const { parts, environment } = await suiteUsing([kind], (url) => network.place(url, 'https'));
    const suite = await makeSuite(parts);

    const proxy = network.proxyUrl.replace('secret-of-the-proxy', 'wrong');
    const check = await suite.check([], { ...environment, ALL_PROXY: proxy });

    expect(check.exitCode).not.toBe(0);
    expect(check.stdout + check.stderr).toContain('it answers 407 Proxy Authentication Required');
  });
});

it('a certificate that nobody vouches for is named as the reason', async ({ makeSuite }) => {
  const network = await CompanyNetwork.start();
  const place = (url: string) => network.place(url, 'https');
  const { parts } = await suiteUsing(['model'], place);
  const suite = await makeSuite(parts);

  const { stdout } = await suite.check([], { ALL_PROXY: network.proxyUrl });

  expect(stdout).toMatch(/could not be reached \(there is no secure .*: self-signed certificate\)/);
});

describe('a model behind a proxy', () => {
  it.for(providers)('is asked through it: $name', async ({ agent }, { makeSuite }) => {
    const network = await CompanyNetwork.start();
    const url = await network.place(await startModel([{ text: 'done' }]), 'https');
    const { builtin, environment } = agent(url);
    const suite = await makeSuite({ tasks: { one: {} }, agent: { builtin } });

    const check = await suite.check([], {
      ...(environment as Record<string, string>),
      HTTPS_PROXY: network.proxyUrl,
      SSL_CERT_FILE: certificateFile,
    });

    expect(check.exitCode, check.stdout + check.stderr).toBe(0);
    expect(network.log).toEqual([`CONNECT ${hostOf(url)}`]);
  });
});

it('a model is asked through the proxy that its Agent file names', async ({ makeSuite }) => {
  const network = await CompanyNetwork.start();
  const url = await network.place(await startModel([{ text: 'done' }]), 'http');
  const { builtin } = modelAgent(url);
  const env = { HTTP_PROXY: network.proxyUrl };
  const suite = await makeSuite({ tasks: { one: {} }, agent: { builtin: { ...builtin, env } } });

  const check = await suite.check([], { HTTP_PROXY: deadProxy });

  expect(check.exitCode, check.stdout + check.stderr).toBe(0);
  expect(network.log).toEqual([`POST ${url}/v1/chat/completions`]);
});

describe('bridge', () => {
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    },
  };

  it.for<[Way, string]>([
    ['http', 'me:secret'],
    ['https', 'me:secret'],
  ])('goes through a proxy: %s', async ([way, credentials]) => {
    const network = await CompanyNetwork.start(credentials);
    const url = await network.place(remote.url, way);
    const environment = { ALL_PROXY: network.proxyUrl, SSL_CERT_FILE: certificateFile };
    const bridge = new BridgeProcess(url, environment);

    bridge.send(initialize);

    expect(await bridge.message()).toMatchObject({ id: 1, result: { serverInfo: {} } });
    expect(network.hosts).toEqual(new Set([hostOf(url)]));
  });

  it('goes around one as NO_PROXY says', async () => {
    const network = await CompanyNetwork.start();
    const url = await network.place(remote.url, 'address');
    const environment = { ALL_PROXY: network.proxyUrl, NO_PROXY: '0.0.0.0/32' };
    const bridge = new BridgeProcess(url, environment);

    bridge.send(initialize);

    expect(await bridge.message()).toMatchObject({ id: 1, result: { serverInfo: {} } });
    expect(network.log).toEqual([]);
  });

  it('says that a proxy is dead', async () => {
    const bridge = new BridgeProcess('https://server.test/mcp', { HTTPS_PROXY: deadProxy });

    bridge.send(initialize);

    const message = expect.stringContaining('the proxy 127.0.0.1:1 cannot be used');
    expect(await bridge.message()).toMatchObject({ id: 1, error: { message } });
  });
});

it('agents, scripts and servers have this machine in NO_PROXY and no_proxy', async ({
  makeSuite,
}) => {
  const note = (name: string) => `printf '%s %s' "$NO_PROXY" "$no_proxy" > "$NOTES/${name}"`;
  const { command: node, args } = tellingServer();
  const suite = await makeSuite({
    tasks: { one: { spec: { verify: [script(note('script'))] } } },
    agent: command(`${note('agent')}; true {{.Prompt}}`),
    servers: {
      telling: {
        command: '/bin/sh',
        args: ['-c', `${note('server')}; exec "$@"`, 'sh', node, ...args],
        env: { NO_PROXY: 'only-for-this.test' },
        enableAllTools: true,
      },
    },
  });

  const environment = { NOTES: suite.folder, HTTP_PROXY: deadProxy, NO_PROXY: 'company.test' };
  const check = await suite.check([], environment);

  expect(check.exitCode, check.stdout + check.stderr).toBe(0);
  const list = (own: string) => `${own},127.0.0.1,localhost,::1`;
  const usual = `${list('company.test')} ${list('company.test')}`;
  expect(await suite.read('agent')).toBe(usual);
  expect(await suite.read('script')).toBe(usual);
  const ofServer = list('only-for-this.test');
  expect(await suite.read('server')).toBe(`${ofServer} ${ofServer}`);
});
