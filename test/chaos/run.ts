/**
 * npm run test:chaos -- [--kills N] [--seed N]
 *
 * Kills checks at random moments, and looks whether anything was lost or left behind.
 */
import { parseArgs } from 'node:util';
import { runChaos } from './chaos.js';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const maxMinutes = 45;
const started = Date.now();
const seed = Number(values.seed);
const say = (text: string) => console.log(text);

say(`seed ${seed}: repeat with npm run test:chaos -- --seed ${seed} --kills ${values.kills}`);
setTimeout(() => {
  console.error(`more than ${maxMinutes} minutes: given up`);
  process.exit(1);
}, maxMinutes * 60_000).unref();

const { kills, suites, early, whileResuming, flaws, folder } = await runChaos({
  kills: Number(values.kills),
  seed,
  progress: say,
});
const seconds = Math.round((Date.now() - started) / 1000);
say(
  `${kills} kills in ${suites} suites of 30 task runs, ${early} before the journal had begun, ` +
    `${whileResuming} of checks that had resumed; ${seconds} s`,
);
if (flaws.length > 0) {
  console.error(`something is wrong, look at ${folder}:\n${flaws.join('\n')}`);
  process.exitCode = 1;
}
