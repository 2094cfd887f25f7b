import { cpus } from 'node:os';
import type { CapacityFigures } from './capacity-figures.js';

const aDay = 1_000_000;
const perSecond = aDay / 86_400;
/** Seconds that a task run takes, and task runs that a worker does at once. */
const taskRunSeconds = 30;
const concurrency = 8;

const slots = Math.ceil(perSecond * taskRunSeconds);
const workers = Math.ceil(slots / concurrency);

type Row = readonly [what: string, figure: string];

/** What was measured, and what it comes to with a million task runs in a day: two tables. */
export function capacityTables(figures: CapacityFigures): string {
  return [
    `Measured in ${month()} on ${machine(figures)}.`,
    '### Measured',
    table(['For each task run', 'Figure'], measured(figures)),
    '### A million task runs in a day',
    table(['Over a day', 'Figure'], million(figures)),
  ].join('\n\n');
}

function measured(figures: CapacityFigures): Row[] {
  return [
    ['Events', figures.events.toFixed(0)],
    ['Journal', size(figures.journal)],
    ['Results file', size(figures.results)],
    ['Memory of Redis while it waits', size(figures.waiting)],
    ['more while it is under way', size(figures.underWay)],
    ['while its events are not read yet', size(figures.unread)],
    ['when it is done and read, until the run is over', size(figures.finished)],
    ['Commands of Redis, with those inside of scripts', figures.commands.toFixed(0)],
    ['Processor time of Redis', milliseconds(figures.redisCpu)],
    ['To Redis over the network', size(figures.received)],
    ['From Redis over the network', size(figures.sent)],
    ['Processor time of the coordinator, to hand it over', milliseconds(figures.handOverCpu)],
    ['Processor time of the coordinator, in all', milliseconds(figures.coordinatorCpu)],
    ['Memory of the coordinator', size(figures.planned)],
    ['**For each MiB of a bundle:** memory of Redis', size(figures.bundle * 1024 ** 2)],
    [
      '**For each GiB of the journal:** from the last task run to the end of the check',
      `${(figures.endOfCheck * 1.024 ** 3).toFixed(0)} s`,
    ],
    ['**For each worker that waits:** commands of Redis', `${figures.idleCommands.toFixed(1)} / s`],
    ['processor time of Redis', `${milliseconds(figures.idleRedisCpu)} / s`],
  ];
}

function million(figures: CapacityFigures): Row[] {
  const commands = perSecond * figures.commands + workers * figures.idleCommands;
  const redisCpu = perSecond * figures.redisCpu + workers * figures.idleRedisCpu;
  const endSeconds = (aDay * figures.journal * figures.endOfCheck) / 1e9;
  return [
    ['Task runs', `${perSecond.toFixed(1)} / s`],
    [
      `Places for task runs of ${taskRunSeconds} s`,
      `${slots}: ${workers} workers with \`--concurrency ${concurrency}\``,
    ],
    ['Events', `${(perSecond * figures.events).toFixed(0)} / s`],
    ['Commands of Redis', `${commands.toFixed(0)} / s`],
    ['Processor of Redis', share(redisCpu)],
    ['To Redis over the network', `${size(perSecond * figures.received)} / s`],
    ['From Redis over the network', `${size(perSecond * figures.sent)} / s`],
    ['Processor of the coordinator', share(perSecond * figures.coordinatorCpu)],
    ['Memory of the coordinator', size(aDay * figures.planned)],
    ['Memory of Redis, if all wait at once', size(aDay * figures.waiting)],
    ['for those under way', size(slots * figures.underWay)],
    ['for those that are done', size(aDay * figures.finished)],
    ['per minute in which the check does not read', size(60 * perSecond * figures.unread)],
    ['Journal', size(aDay * figures.journal)],
    ['Results file', size(aDay * figures.results)],
    ['From the last task run to the end of the check', `${(endSeconds / 60).toFixed(0)} min`],
    ['**With a core all to itself:** the coordinator', most(figures.coordinatorCpu)],
    ['**With a core all to itself:** Redis', most(figures.redisCpu)],
  ];
}

/** What one core could do, if it did nothing else. */
function most(cpuMs: number): string {
  const millions = ((1_000 / cpuMs) * 86_400) / 1e6;
  return `${millions.toFixed(0)} million task runs in a day`;
}

function share(msPerSecond: number): string {
  return `${(msPerSecond / 10).toFixed(1)} % of a core`;
}

function milliseconds(value: number): string {
  return `${value.toFixed(2)} ms`;
}

function size(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1_000 && unit < units.length - 1) {
    value /= 1_024;
    unit += 1;
  }
  return `${value.toFixed(unit === 0 || value >= 100 ? 0 : 1)} ${units[unit]}`;
}

function table(head: Row, rows: readonly Row[]): string {
  const lines = [head, ['---', '---'], ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return lines.join('\n');
}

function month(): string {
  return new Date().toISOString().slice(0, 7);
}

function machine({ redisVersion }: CapacityFigures): string {
  const [first] = cpus();
  const cores = `${cpus().length} cores (${first?.model ?? 'unknown'})`;
  return `a machine with ${cores}, with Node ${process.version} and Redis ${redisVersion}`;
}
