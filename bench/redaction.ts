import { Redactor } from '../src/config/secrets/redactor.js';
import { collectSecrets } from '../src/config/secrets/suite-secrets.js';
import type { Benchmark } from './benchmark.js';

const results = 2_000;

/** What a tool such as `pods_list` answers: JSON in the text of a result, some 4 kB. */
function answer(): string {
  const pods = Array.from({ length: 20 }, (_, index) => ({
    name: `pod-${index}`,
    uid: crypto.randomUUID(),
    labels: { app: 'web', tier: 'front' },
    status: 'Running',
    url: `https://node-${index}.example.test/pods`,
  }));
  return JSON.stringify({ content: [{ type: 'text', text: JSON.stringify(pods) }] });
}

function manySecrets(): Record<string, string> {
  const names = Array.from({ length: 30 }, (_, index) => `SERVICE_${index}_TOKEN`);
  return Object.fromEntries(names.map((name) => [name, crypto.randomUUID()]));
}

/** Every message, call and result passes the redactor on its way into the journal. */
export const redaction: Benchmark = {
  name: 'redaction',
  measures: `redacting ${results.toLocaleString('en')} results of 4 kB, with 30 secrets`,
  against: 'parsing them',
  unit: 'ms',
  budget: { atMost: 6 },
  rounds: 15,
  prepare() {
    const redactor = new Redactor(collectSecrets({}, manySecrets()));
    const text = answer();
    const timed = (work: () => void) => {
      const { user } = process.cpuUsage();
      for (let round = 0; round < results; round++) work();
      return (process.cpuUsage().user - user) / 1000;
    };
    return Promise.resolve({
      measure: () => timed(() => void redactor.json(text)),
      measureBaseline: () => timed(() => void JSON.parse(text)),
    });
  },
};
