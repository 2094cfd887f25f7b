import path from 'node:path';
import { type BackgroundProcess, startProgram } from './background-process.js';
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

/**
 * The memory of the proxy, and of a relay that looks at nothing (no budget: it is there to compare with). The
 * aim of 150 MB is the budget, as a Node that waits has 40 MB. Of 135 MB, the program takes 60 before the first
 * call, the thread that counts tokens 15, and what V8 keeps for new objects up to 32.
 */
export const proxyMemories: Benchmark[] = [
  memoryOfCalls('proxy-memory', startMeasuredProxy, { atMost: 3.75 }),
  memoryOfCalls('bare-relay-memory', startMeasuredRelay, {}),
];

function memoryOfCalls(
  name: string,
  start: (folder: string) => Promise<MeasuredRelay>,
  budget: Benchmark['budget'],
): Benchmark {
  return {
    name,
    measures: `resident after ${someCalls.toLocaleString('en')} calls of 10 kB`,
    against: 'a Node that waits',
    unit: 'MB',
    budget,
    rounds: 1,
    async prepare(folder) {
      const { memoryAfter, close } = await start(folder);
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
          await close();
        },
      };
    },
  };
}

interface MeasuredRelay {
  memoryAfter(calls: number): Promise<number>;
  close(): Promise<void>;
}

function startMeasuredProxy(folder: string): Promise<MeasuredRelay> {
  return startMeasured(folder, async (serverUrl) => {
    const proxy = await startProxy(folder, serverUrl);
    return {
      ...proxy,
      recorded: (calls: number) =>
        journalReaches(proxy.journal, eventsOf({ calls, sessions: concurrentCallers })),
    };
  });
}

function startMeasuredRelay(folder: string): Promise<MeasuredRelay> {
  return startMeasured(folder, async (serverUrl) => {
    const relay = await startProgram({
      name: 'bare-relay',
      commandLine: [path.join(import.meta.dirname, 'bare-relay.mjs'), 'http', serverUrl],
      folder,
      ready: { on: 'stdout', pattern: /listening on (\S+)/ },
    });
    return { ...relay, url: relay.said, recorded: async () => {} };
  });
}

/** Something before a server with results of 10 kB, and how much memory it has after so many calls. */
async function startMeasured(
  folder: string,
  startRelay: (
    serverUrl: string,
  ) => Promise<BackgroundProcess & { url: string; recorded(calls: number): Promise<void> }>,
): Promise<MeasuredRelay> {
  const server = await startProgram({
    name: 'server',
    commandLine: [path.join(import.meta.dirname, 'ten-kilobyte-server.mjs')],
    folder,
    ready: { on: 'stdout', pattern: /listening on (\S+)/ },
  });
  const relay = await startRelay(server.said).catch(async (error: unknown) => {
    await server.stop();
    throw error;
  });
  const callers: McpCaller[] = [];
  let done = 0;
  return {
    async memoryAfter(calls: number): Promise<number> {
      while (callers.length < concurrentCallers) callers.push(await McpCaller.open(relay.url));
      await callConcurrently(callers, calls - done, (caller) => caller.callTool('list_pods', {}));
      done = calls;
      await relay.recorded(calls);
      return residentMemory(relay.pid);
    },
    async close() {
      for (const caller of callers) caller.close();
      await relay.stop();
      await server.stop();
    },
  };
}

/** The start of the run; then for each request two messages and a call, and a notification. */
function eventsOf({ calls, sessions }: { calls: number; sessions: number }): number {
  return 1 + 3 * calls + sessions * (3 + 1);
}
