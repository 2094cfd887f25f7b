/** Loaded into a program before its own code: leaves behind how much memory it took at most. */
import { writeFileSync } from 'node:fs';

const file = process.env.BENCH_PEAK_MEMORY;
process.on('exit', () => {
  if (file) writeFileSync(file, String(process.resourceUsage().maxRSS / 1024));
});
