import type { Benchmark } from './benchmark.js';
import { echo, startEchoThroughProxy } from './echo-through-proxy.js';
import type { McpCaller } from './mcp-caller.js';

const callsPerRound = 400;
const warmUpRounds = 4;

export const proxiedCallLatency: Benchmark = {
  name: 'proxied-call-latency',
  measures: 'p50 of a tools/call through the proxy',
  against: 'directly',
  unit: 'ms',
  budget: { atMost: 1.45 },
  rounds: 15,
  async prepare(folder) {
    const { direct, proxied, close } = await startEchoThroughProxy(folder, { sessions: 1 });
    const contest = {
      measure: () => medianLatency(proxied),
      measureBaseline: () => medianLatency(direct),
      close,
    };
    for (let round = 0; round < warmUpRounds; round++) {
      await contest.measureBaseline();
      await contest.measure();
    }
    return contest;
  },
};

/** Milliseconds of a call, one after the other. */
async function medianLatency([caller]: readonly McpCaller[]): Promise<number> {
  const latencies: number[] = [];
  for (let call = 1; caller && call <= callsPerRound; call++) {
    const start = performance.now();
    await echo(caller, call);
    latencies.push(performance.now() - start);
  }
  latencies.sort((left, right) => left - right);
  return latencies[Math.floor(latencies.length / 2)] ?? Number.NaN;
}
