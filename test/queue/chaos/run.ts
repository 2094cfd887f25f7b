/**
 * npm run test:queue-chaos -- [--rounds N] [--seed N] [--at-once N]
 *
 * Kills and freezes workers, checks and Redis at random moments, and looks whether anything was lost,
 * done twice, out of order, or left behind.
 */
import { parseArgs } from 'node:util';
import { runQueueChaos } from './queue-chaos.js';

const { PROCTOR_CHAOS_ROUNDS = '50', PROCTOR_CHAOS_SEED } = process.env;
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: PROCTOR_CHAOS_ROUNDS },
    seed: { type: 'string', default: PROCTOR_CHAOS_SEED ?? String(Date.now() % 1_000_000) },
    'at-once': { type: 'string', default: '2' },
  },
});
const maxMinutes = 60;
const started = Date.now();
const [rounds, seed] = [Number(values.rounds), Number(values.seed)];
const say = (text: string) => console.log(text);

say(`seed ${seed}: repeat with npm run test:queue-chaos -- --seed ${seed} --rounds ${rounds}`);
setTimeout(() => {
  console.error(`more than ${maxMinutes} minutes: given up`);
  process.exit(1);
}, maxMinutes * 60_000).unref();

const { flaws, ...sum } = await runQueueChaos({
  rounds,
  seed,
  atOnce: Number(values['at-once']),
  progress: say,
});
const faults = Object.entries(sum.faults).map(([kind, count]) => `${kind}: ${count}`);
const seconds = Math.round((Date.now() - started) / 1000);
say(
  `${sum.rounds} rounds, ${sum.taskRuns} task runs, ${sum.workers} workers, ${sum.lost} attempts lost, ` +
    `longest recovery ${sum.longestRecoveryMs} ms; ${seconds} s\n${faults.sort().join('\n')}`,
);
if (flaws.length > 0) {
  console.error(`something is wrong:\n${flaws.join('\n')}`);
  process.exitCode = 1;
}
