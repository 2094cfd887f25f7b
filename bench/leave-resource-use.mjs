/** Loaded into a program before its own code: leaves behind what it took of the machine. */
import { readFileSync, writeFileSync } from 'node:fs';

const file = process.env.BENCH_RESOURCE_USE;
process.on('exit', () => {
  if (!file) return;
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  const use = {
    peakMegabytes: peakKilobytes() / 1024,
    cpuMs: (userCPUTime + systemCPUTime) / 1000,
  };
  writeFileSync(file, JSON.stringify(use));
});

/** On Linux, `maxRSS` starts with what the process had that started this one. */
function peakKilobytes() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS;
  const [, kilobytes] =
    /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Number(kilobytes);
}
