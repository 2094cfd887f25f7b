/** Loaded into a program before its own code: leaves behind what it took of the machine. */
import { writeFileSync } from 'node:fs';

const file = process.env.BENCH_RESOURCE_USE;
process.on('exit', () => {
  if (!file) return;
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const use = { peakMegabytes: maxRSS / 1024, cpuMs: (userCPUTime + systemCPUTime) / 1000 };
  writeFileSync(file, JSON.stringify(use));
});
