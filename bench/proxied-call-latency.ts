import path from 'node:path';
import { startProgram } from './background-process.js';
import type { Benchmark, Contest } from './benchmark.js';
import { echo } from './echo-through-proxy.js';
import { everythingProgram, startEverything } from './everything-server.js';
import { McpCaller, StdioCaller } from './mcp-caller.js';
import { benchNode } from './process-time.js';
import { startProxy, startProxyBefore } from './proxy-process.js';

const callsPerRound = 400;
const warmUpRounds = 4;

type Caller = Pick<McpCaller, 'callTool' | 'close'>;
type Ends = (() => void | Promise<void>)[];
type Relay = 'proxy' | 'bare relay';

/**
 * What the proxy adds to a call, on both transports; and what a relay adds that looks at nothing, which is
 * the least that two more hops through the system can cost: no budget, it is there to compare with.
 */
export const proxiedCallLatencies: Benchmark[] = [
  latency('proxied-call-latency', 'HTTP', 'proxy', 1.5),
  latency('bare-http-relay', 'HTTP', 'bare relay'),
  latency('proxied-stdio-latency', 'stdio', 'proxy', 2.8),
  latency('bare-stdio-relay', 'stdio', 'bare relay'),
];

function latency(
  name: string,
  transport: 'HTTP' | 'stdio',
  relay: Relay,
  atMost?: number,
): Benchmark {
  return {
    name,
    measures: `p50 of a tools/call on ${transport} through the ${relay}`,
    against: 'directly',
    unit: 'ms',
    budget: atMost === undefined ? {} : { atMost },
    rounds: 15,
    async prepare(folder) {
      const ends: Ends = [];
      const close = async () => {
        for (const end of ends.toReversed()) await end();
      };
      try {
        const open = transport === 'HTTP' ? openOverHttp : openOverStdio;
        const { direct, relayed } = await open(folder, relay, ends);
        ends.push(
          () => direct.close(),
          () => relayed.close(),
        );
        return await warmedUp({
          measure: () => medianLatency(relayed),
          measureBaseline: () => medianLatency(direct),
          close,
        });
      } catch (error) {
        await close();
        throw error;
      }
    },
  };
}

async function openOverHttp(folder: string, relay: Relay, ends: Ends) {
  const server = await startEverything(folder);
  ends.push(server.stop);
  const { url, stop } =
    relay === 'proxy'
      ? await startProxy(folder, server.url)
      : await startBareRelay(folder, ['http', server.url]);
  ends.push(stop);
  return { direct: await McpCaller.open(server.url), relayed: await McpCaller.open(url) };
}

async function openOverStdio(folder: string, relay: Relay, ends: Ends) {
  const args = [everythingProgram, 'stdio'];
  const { url, stop } =
    relay === 'proxy'
      ? await startProxyBefore(folder, { command: benchNode, args })
      : await startBareRelay(folder, ['stdio', benchNode, ...args]);
  ends.push(stop);
  const direct: Caller = await StdioCaller.open(benchNode, args);
  return { direct, relayed: await McpCaller.open(url) };
}

async function startBareRelay(folder: string, args: string[]) {
  const started = await startProgram({
    name: 'bare-relay',
    commandLine: [path.join(import.meta.dirname, 'bare-relay.mjs'), ...args],
    folder,
    ready: { on: 'stdout', pattern: /listening on (\S+)/ },
  });
  return { ...started, url: started.said };
}

async function warmedUp(contest: Contest): Promise<Contest> {
  for (let round = 0; round < warmUpRounds; round++) {
    await contest.measureBaseline();
    await contest.measure();
  }
  return contest;
}

/** Milliseconds of a call, one after the other. */
async function medianLatency(caller: Caller): Promise<number> {
  const latencies: number[] = [];
  for (let call = 1; call <= callsPerRound; call++) {
    const start = performance.now();
    await echo(caller, call);
    latencies.push(performance.now() - start);
  }
  latencies.sort((left, right) => left - right);
  return latencies[Math.floor(latencies.length / 2)] ?? Number.NaN;
}
