import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import {
  askingEnvironment,
  averageRate,
  busiestMinute,
  startAskedModel,
  writeAskingSuite,
} from './asking-suite.js';
import type { Benchmark } from './benchmark.js';
import { QueueFleet } from './queue-fleet.js';

const workers = 8;
/** All together take more than a minute. */
const suite = { agents: 2 * workers, requests: 45, perMinute: 600 };

/** Agents on workers that would ask as fast as they can, by the count of the model that they ask. */
export const globalRequestRate: Benchmark = {
  name: 'global-request-rate',
  measures: `requests of agents on ${workers} workers, on average or in the busiest minute`,
  against: 'the limit',
  unit: 'per minute',
  budget: { atLeast: 0.95, atMost: 1.05 },
  rounds: 1,
  async prepare(folder) {
    const evalFolder = path.join(folder, 'suite');
    await mkdir(evalFolder);
    await writeAskingSuite(evalFolder, suite);
    return {
      measure: () => measuredRate(folder, evalFolder),
      measureBaseline: () => suite.perMinute,
    };
  },
};

/** Whichever is farther from the limit. */
async function measuredRate(folder: string, evalFolder: string): Promise<number> {
  const model = await startAskedModel(suite);
  try {
    const fleet = await QueueFleet.start({ folder, workers, env: askingEnvironment(model) });
    try {
      await fleet.check(evalFolder);
    } finally {
      await fleet.close();
    }
    const rates = [averageRate(model), busiestMinute(model)];
    const farFromLimit = (rate: number) => Math.abs(rate - suite.perMinute);
    return rates.reduce((one, other) => (farFromLimit(other) > farFromLimit(one) ? other : one));
  } finally {
    await model.close();
  }
}
