import path from 'node:path';

/** What a process took until it ended. */
export interface ResourceUse {
  peakMegabytes: number;
  /** Milliseconds of the processor. */
  cpuMs: number;
}

/** For `node --import`: writes its ResourceUse into the file of that name, when the process ends. */
export const resourceUseProgram = path.join(import.meta.dirname, 'leave-resource-use.mjs');
export const resourceUseVariable = 'BENCH_RESOURCE_USE';

/** For Node. With more than these 64 MB it grows before it looks for what is garbage. */
export const littleHeap = '--max-old-space-size=64';
