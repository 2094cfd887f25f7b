import type { Benchmark } from './benchmark.js';
import { echo, startEchoThroughProxy } from './echo-through-proxy.js';
import { callConcurrently, type McpCaller } from './mcp-caller.js';

const concurrentCallers = 32;
const callsPerRound = 1000;
const warmUpRounds = 10;

export const proxiedThroughput: Benchmark = {
  name: 'proxied-throughput',
  measures: `${concurrentCallers} callers through the proxy`,
  against: 'directly',
  unit: 'calls/s',
  budget: { atLeast: 0.75 },
  rounds: 15,
  async prepare(folder) {
    const sessions = concurrentCallers;
    const { direct, proxied, close } = await startEchoThroughProxy(folder, { sessions });
    const contest = {
      measure: () => callsPerSecond(proxied),
      measureBaseline: () => callsPerSecond(direct),
      close,
    };
    for (let round = 0; round < warmUpRounds; round++) {
      await contest.measureBaseline();
      await contest.measure();
    }
    return contest;
  },
};

async function callsPerSecond(callers: readonly McpCaller[]): Promise<number> {
  const start = performance.now();
  await callConcurrently(callers, callsPerRound, echo);
  return callsPerRound / ((performance.now() - start) / 1000);
}
