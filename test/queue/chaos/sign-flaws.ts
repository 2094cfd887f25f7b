import type { ChaosSuite, Sign } from './chaos-suite.js';

/** A process, from its first sign of life to its last. */
interface Life {
  name: string;
  sign: Sign;
  first: number;
  last: number;
}

/** What is wrong in the signs that processes of task runs have left, whatever a journal says. */
export function flawsOfSigns(
  suite: Pick<ChaosSuite, 'signs' | 'tasks' | 'taskRuns'>,
  taskRunOf: ReadonlyMap<string, string>,
): string[] {
  const lives = livesOf(suite.signs, taskRunOf);
  const parallel = new Set(
    suite.tasks.filter(({ isParallel }) => isParallel).map(({ name }) => name),
  );
  const sequence = lives.filter(({ sign }) => !parallel.has(sign.task));
  const others = lives.filter(({ sign }) => parallel.has(sign.task));
  return [
    ...overlaps(sequence),
    ...suite.taskRuns.flatMap((each) => overlaps(others.filter(({ name }) => name === each.name))),
    ...disorder(
      sequence,
      suite.taskRuns.map(({ name }) => name),
    ),
    ...early(sequence, others),
    ...untidy(suite.signs),
  ];
}

function livesOf(signs: readonly Sign[], taskRunOf: ReadonlyMap<string, string>): Life[] {
  const lives = new Map<string, Life>();
  for (const [at, sign] of signs.entries()) {
    const name = taskRunOf.get(sign.id) ?? `${sign.task} (the journal does not know ${sign.id})`;
    const key = `${sign.pid} ${sign.step} ${sign.id}`;
    const life = lives.get(key) ?? { name, sign, first: at, last: at };
    life.last = at;
    lives.set(key, life);
  }
  return [...lives.values()];
}

function overlaps(lives: readonly Life[]): string[] {
  return lives.flatMap((life, index) => {
    const before = lives.slice(0, index).filter(({ last }) => last > life.first);
    return before.map((other) => `${inWords(other)} was alive when ${inWords(life)} began`);
  });
}

function disorder(lives: readonly Life[], order: readonly string[]): string[] {
  const places = lives.map(({ name }) => order.indexOf(name));
  return lives
    .filter((_, index) => (places[index] ?? 0) < Math.max(-1, ...places.slice(0, index)))
    .map((life) => `${inWords(life)} began after its turn`);
}

/** Parallel ones come when all others are done. */
function early(sequence: readonly Life[], others: readonly Life[]): string[] {
  const end = Math.max(-1, ...sequence.map(({ last }) => last));
  return others
    .filter(({ first }) => first < end)
    .map((life) => `${inWords(life)} began before the sequence was done`);
}

/** Whatever was set up is cleaned up, by whoever is there to do it. */
function untidy(signs: readonly Sign[]): string[] {
  const cleaned = new Set(signs.filter(({ step }) => step === 'cleanup').map(({ id }) => id));
  const set = new Map(signs.filter(({ id }) => !cleaned.has(id)).map(({ id, task }) => [id, task]));
  return [...set].map(([id, task]) => `${task} with the id ${id} was not cleaned up`);
}

function inWords({ name, sign }: Life): string {
  return `${sign.step} of ${name} (process ${sign.pid})`;
}
