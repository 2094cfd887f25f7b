import path from 'node:path';
import { startProgram } from './background-process.js';
import type { Benchmark } from './benchmark.js';
import { journalReaches } from './journal-end.js';
import { callConcurrently, McpCaller } from './mcp-caller.js';
import { startProxy } from './proxy-process.js';
import { residentMemory } from './resident-memory.js';

const concurrentCallers = 8;
const fewCalls = 1000;
const manyCalls = 100_000;

export const recordedCallsMemory: Benchmark = {
  name: 'recorded-calls-memory',
  measures: `resident after ${manyCalls.toLocaleString('en')} calls of 10 kB`,
  against: `after ${fewCalls.toLocaleString('en')}`,
  unit: 'MB',
  budget: { atMost: 1.3 },
  // Memory only grows: a second round would have nothing to compare with.
  rounds: 1,
  async prepare(folder) {
    const { memoryAfter, close } = await startMeasuredProxy(folder);
    return {
      measureBaseline: () => memoryAfter(fewCalls),
      measure: () => memoryAfter(manyCalls),
      close,
    };
  },
};

const someCalls = 20_000;

/** An idle Node has some 45 MB: the budget is 150 MB. */
export const proxyMemory: Benchmark = {
  name: 'proxy-memory',
  measures: `resident after ${someCalls.toLocaleString('en')} calls of 10 kB`,
  against: 'a Node that waits',
  unit: 'MB',
  budget: { atMost: 3.4 },
  rounds: 1,
  async prepare(folder) {
    const { memoryAfter, close: closeProxy } = await startMeasuredProxy(folder);
    const idle = await startProgram({
      name: 'idle',
      commandLine: ['-e', 'console.log("ready now"); setInterval(() => {}, 60_000);'],
      folder,
      ready: { on: 'stdout', pattern: /(ready) now/ },
    });
    return {
      measureBaseline: () => residentMemory(idle.pid),
      measure: () => memoryAfter(someCalls),
      async close() {
        await idle.stop();
        await closeProxy();
      },
    };
  },
};

/** A proxy before a server with results of 10 kB, and how much memory it has after so many calls. */
async function startMeasuredProxy(folder: string) {
  const server = await startProgram({
    name: 'server',
    commandLine: [path.join(import.meta.dirname, 'ten-kilobyte-server.mjs')],
    folder,
    ready: { on: 'stdout', pattern: /listening on (\S+)/ },
  });
  const proxy = await startProxy(folder, server.said).catch(async (error: unknown) => {
    await server.stop();
    throw error;
  });
  const callers: McpCaller[] = [];
  let done = 0;
  return {
    async memoryAfter(calls: number): Promise<number> {
      while (callers.length < concurrentCallers) callers.push(await McpCaller.open(proxy.url));
      await callConcurrently(callers, calls - done, (caller) => caller.callTool('list_pods', {}));
      done = calls;
      await journalReaches(proxy.journal, eventsOf({ calls, sessions: callers.length }));
      return residentMemory(proxy.pid);
    },
    async close() {
      for (const caller of callers) caller.close();
      await proxy.stop();
      await server.stop();
    },
  };
}

/** The start of the run; then for each request two messages and a call, and a notification. */
function eventsOf({ calls, sessions }: { calls: number; sessions: number }): number {
  return 1 + 3 * calls + sessions * (3 + 1);
}
