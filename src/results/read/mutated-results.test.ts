import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  agentFinished,
  assertion,
  call,
  ended,
  JournalBuilder,
  started,
} from '../../../testing/journals.js';
import { testDepth } from '../../../testing/test-depth.js';
import { RawJson } from '../../base/json-text.js';
import type { LeftOutParts } from '../../journal/left-out.js';
import type { TaskRunRecord } from '../task-run-record.js';
import { writeResults } from '../write/write-results.js';
import { openResultsFile } from './open-results.js';

/** In all ten thousand: one change of a file each. */
const mutations = {
  mcpchecker: 4_000 * testDepth,
  results: 3_000 * testDepth,
  journals: 3_000 * testDepth,
};

const fixtures = join(import.meta.dirname, '../../../test/fixtures/mcpchecker-results');

let folder = '';
let path = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mutated-results-'));
  path = join(folder, 'mutated.json');
});

afterAll(() => rm(folder, { recursive: true }));

/** The same numbers every time, so that what fails once fails again. */
class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * limit);
  }

  oneOf<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }
}

type Key = string | number;
type Place = readonly Key[];

/** Every member and element of a document. */
function placesIn(value: unknown, way: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const entries: [Key, unknown][] = Array.isArray(value)
    ? value.map((each, index) => [index, each])
    : Object.entries(value);
  return entries.flatMap(([key, member]) => [[...way, key], ...placesIn(member, [...way, key])]);
}

const replacements: readonly unknown[] = [
  null,
  5,
  -5,
  1e308,
  'odd',
  true,
  [],
  {},
  [null],
  { odd: 1 },
];

interface Mutation {
  place: Place;
  text: string;
  /** A key has another first letter, upper case for lower case: results of Go have both. */
  isRespelled: boolean;
  /** Something of another type stands there: if that changes what is read, it has to be said. */
  isOfOtherType: boolean;
}

/** A copy of a document in which one member is gone, is something else, or has another spelling or neighbour. */
function mutated(document: unknown, places: readonly Place[], dice: Dice): Mutation {
  const copy = structuredClone(document);
  // Half of them where verdicts are, and not deep in calls and steps.
  const place = dice.oneOf(dice.below(2) === 0 ? places : places.filter(isShallow));
  const owner = place.slice(0, -1).reduce<unknown>((value, key) => at(value, key), copy) as object;
  const key = place.at(-1) ?? '';
  const before = at(owner, key);
  const put = (value: unknown) => Reflect.set(owner, key, value);
  const kind = dice.below(8);
  let isOfOtherType = false;
  if (kind === 0 && !Array.isArray(owner)) Reflect.deleteProperty(owner, key);
  else if (kind === 1 && !Array.isArray(owner)) Reflect.set(owner, `odd-${key}`, { odd: [null] });
  else if (kind === 2 && Array.isArray(before)) before.push(null);
  else if (kind === 3 && typeof key === 'string' && before !== undefined) {
    Reflect.deleteProperty(owner, key);
    Reflect.set(owner, respelled(key), before);
    return { place, text: JSON.stringify(copy), isRespelled: true, isOfOtherType: false };
  } else {
    // Of the same type it would say something else, and not something odd.
    const fitting = replacements.filter((each) => typeof each !== typeof before || !isSaid(each));
    const replacement = dice.oneOf(fitting);
    put(replacement);
    // Where there may be null there may be more.
    const isKnown = replacement !== null && before !== null;
    isOfOtherType = isKnown && typeOf(replacement) !== typeOf(before);
  }
  return { place, text: JSON.stringify(copy), isRespelled: false, isOfOtherType };
}

function isShallow(place: Place): boolean {
  return place.length <= 3;
}

function typeOf(value: unknown): string {
  return Array.isArray(value) ? 'list' : typeof value;
}

/** As Go would take it for the same key. */
function respelled(key: string): string {
  const [first = '', ...rest] = key;
  const other = first === first.toLowerCase() ? first.toUpperCase() : first.toLowerCase();
  return [other, ...rest].join('');
}

function isSaid(value: unknown): boolean {
  return typeof value === 'boolean';
}

function at(value: unknown, key: Key): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

async function read(from: string): Promise<{ taskRuns: TaskRunRecord[]; leftOut: LeftOutParts }> {
  const { taskRuns, leftOut } = await openResultsFile(from);
  const all: TaskRunRecord[] = [];
  for await (const taskRun of taskRuns()) all.push(taskRun);
  return { taskRuns: all, leftOut: leftOut() };
}

/** What must not change for the others. */
function pickVerdict(taskRun: TaskRunRecord | undefined) {
  if (!taskRun) return undefined;
  const { id: _, run: __, runs: ___, incomplete: ____, ...rest } = taskRun;
  return rest;
}

/** Same, unknown, or gone; of what did not pass, any other way not to. */
function expectNoBetter(before: TaskRunRecord, now: TaskRunRecord | undefined): void {
  if (!now || now.outcome === before.outcome) return;
  if (before.outcome === 'passed') {
    expect(now).toMatchObject({ outcome: 'error', failure: { category: 'unknown' } });
  } else expect(now.outcome).not.toBe('passed');
}

/** Holds what is read of a document with one odd entry against what was read before. */
async function expectStillRead(
  { place, text, isRespelled, isOfOtherType }: Mutation,
  before: readonly TaskRunRecord[],
): Promise<void> {
  await writeFile(path, text);
  const { taskRuns, leftOut } = await read(path);
  const index = place.find((key) => typeof key === 'number');
  const isInTaskRun = place[0] === index || place[0] === 'results' || place[0] === 'taskRuns';
  const hit = isInTaskRun && index !== undefined ? Number(index) : -1;
  // An entry that was added, or the list itself.
  if (isInTaskRun && index === undefined) return;
  const isThere = taskRuns.length === before.length;
  const others = taskRuns.filter((_, place) => !isThere || place !== hit);
  expect(others.map(pickVerdict)).toEqual(
    before.filter((_, place) => place !== hit).map(pickVerdict),
  );
  const original = before[hit];
  if (!original) return;
  expectNoBetter(original, isThere ? taskRuns[hit] : undefined);
  const isSame = isThere && isDeepStrictEqual(pickVerdict(taskRuns[hit]), pickVerdict(original));
  if (isOfOtherType && !isSame && !isFree(place)) expect(leftOut.count).toBeGreaterThan(0);
  const isForeign = place[0] !== 'taskRuns';
  if (isRespelled && isForeign) expect(taskRuns[hit]?.outcome).toBe(original.outcome);
}

/** What servers and agents said can be anything. */
function isFree(place: Place): boolean {
  return place.some((key) => freeMembers.has(key));
}

const freeMembers = new Set<Key>(['arguments', 'args', 'result', 'error', 'rawInput', 'rawOutput']);

async function fuzz(
  documents: readonly unknown[],
  count: number,
  ofPlace: (place: Place) => boolean,
): Promise<void> {
  const dice = new Dice(count);
  const corpus: { document: unknown; places: Place[]; before: TaskRunRecord[] }[] = [];
  for (const document of documents) {
    await writeFile(path, JSON.stringify(document));
    const places = placesIn(document).filter(ofPlace);
    corpus.push({ document, places, before: (await read(path)).taskRuns });
  }
  for (let done = 0; done < count; done++) {
    const { document, places, before } = dice.oneOf(corpus);
    const mutation = mutated(document, places, dice);
    try {
      await expectStillRead(mutation, before);
    } catch (error) {
      const where = mutation.place.join('.');
      throw new Error(`mutation ${done} at ${where}: ${String(error)}`, { cause: error });
    }
  }
}

async function foreignDocuments(): Promise<unknown[]> {
  const names = (await readdir(fixtures)).filter((name) => name.endsWith('.json'));
  const texts = await Promise.all(names.map((name) => readFile(join(fixtures, name), 'utf8')));
  const documents = texts.map((text) => JSON.parse(text));
  return [...documents, ...documents.map(withoutPhases)];
}

/** As the oldest results are: that a task passed stands there once, and nothing else speaks for it. */
function withoutPhases(document: unknown): unknown {
  const phases = ['setupOutput', 'agentOutput', 'verifyOutput', 'cleanupOutput', 'taskError'];
  return JSON.parse(JSON.stringify(document), (key, value) =>
    phases.includes(key) ? undefined : value,
  );
}

/** With an event of every kind, a matrix, an attempt that was done again, and every way to end. */
function journalText(): string {
  const agent = { name: 'scripted', type: 'scripted' };
  const variants = ['one', 'two'].map((name) => ({ name, agent }));
  const builder = new JournalBuilder({ taskRuns: 6, variants });
  const none = new RawJson('[]');
  builder.add({
    type: 'server-checked',
    server: 'pets',
    protocolVersion: '2025-11-25',
    serverInfo: { name: 'pets', version: '1' },
    ...{ tools: none, resources: none, resourceTemplates: none, prompts: none, allowedTools: [] },
    durationMs: 1,
  });
  const evidence = 3;
  const source = { file: 'eval.yaml', line: 1 };
  const add = (task: string, variant: string, end: Parameters<typeof ended>[0]) => {
    const taskRun = `${task}-${variant}`;
    const of = { taskRun, task, variant };
    builder.add(started({ ...of, difficulty: 'easy', labels: { area: 'pets' } }));
    for (const event of agentFinished(taskRun)) builder.add(event);
    builder.add({ type: 'agent-output', taskRun, kind: 'message', text: 'done' });
    builder.add(call({ taskRun, args: new RawJson('{"a":1}'), result: new RawJson('{"b":[]}') }));
    const step = { taskRun, phase: 'verify', step: 1, kind: 'script', source } as const;
    const outputs = { stdout: 'ok' };
    const fine = { passed: true, outcome: 'passed', outputs, durationMs: 1 } as const;
    builder.add({ type: 'step-ended', ...step, ...fine });
    builder.add(assertion({ taskRun, passed: end?.assertionsHeld !== false }));
    builder.add({ type: 'warning', code: 'server-exited', message: 'it ended', taskRun });
    const usage = { inputTokens: 1, outputTokens: 1 };
    builder.add(ended({ ...of, usage, cost: 0.1, judge: { usage, cost: 0.1 }, ...end }));
  };
  const failure = (category: 'assertion-failed' | 'timeout' | 'agent-failed' | 'cancelled') => ({
    failure: { category, message: 'it did not', evidence },
  });
  add('a', 'one', { verified: true });
  add('b', 'one', {
    outcome: 'failed',
    verified: true,
    assertionsHeld: false,
    ...failure('assertion-failed'),
  });
  add('c', 'one', { outcome: 'cancelled', assertionsHeld: null, ...failure('cancelled') });
  const process = { pid: 2, startTime: '2' };
  builder.add({ type: 'run-ended', durationMs: 5, calls: 3, interrupted: true });
  builder.add({ type: 'run-resumed', proctor: '0.1.0', missing: 4, process, workspace: '/tmp' });
  add('c', 'one', { outcome: 'timeout', assertionsHeld: null, ...failure('timeout') });
  add('a', 'two', { verified: true });
  add('b', 'two', { outcome: 'error', assertionsHeld: null, ...failure('agent-failed') });
  add('c', 'two', { verified: true });
  builder.add({ type: 'run-ended', durationMs: 1, calls: 6 });
  return builder.text;
}

describe('a file with one odd entry is read, and nothing in it gets better:', () => {
  it(`${mutations.mcpchecker} mutations of mcpchecker's results`, {
    timeout: 600_000,
  }, async () => {
    // Without its list there is nothing that could be read.
    const isEntry = (place: Place) => place.join() !== 'results';
    await fuzz(await foreignDocuments(), mutations.mcpchecker, isEntry);
  });

  it(`${mutations.results} mutations of our results`, { timeout: 600_000 }, async () => {
    const journal = join(folder, 'whole.jsonl');
    await writeFile(journal, journalText());
    await writeResults(journal, path);
    const document = JSON.parse(await readFile(path, 'utf8'));
    // With another name of the format it is another format.
    await fuzz([document], mutations.results, ([key]) => key !== 'schema');
  });

  it(`${mutations.journals} mutations of journals`, { timeout: 600_000 }, async () => {
    const lines = journalText().trimEnd().split('\n');
    const events = lines.map((line) => JSON.parse(line));
    const journal = join(folder, 'mutated.jsonl');
    await writeFile(journal, `${lines.join('\n')}\n`);
    const before = (await read(journal)).taskRuns;
    const dice = new Dice(mutations.journals);
    const places = placesIn(events).filter(
      (place) => place.length > 1 && !(place[0] === 0 && place[1] === 'schema'),
    );
    for (let done = 0; done < mutations.journals; done++) {
      const damage = dice.below(3) === 0 ? damagedLine(lines, dice) : oddMember(places, dice);
      await writeFile(journal, `${damage.lines.join('\n')}\n`);
      const why = `mutation ${done}, line ${damage.line + 1} ${damage.lines[damage.line]}`;
      const { taskRuns, leftOut } = await read(journal).catch((error: unknown) => {
        throw new Error(why, { cause: error });
      });
      const hit = events[damage.line]?.taskRun;
      for (const original of before) {
        const { task, variant } = original;
        const now = taskRuns.find((each) => each.task === task && each.variant === variant);
        const isHit = hit === `${task}-${variant}`;
        if (!isHit) expect(pickVerdict(now), why).toEqual(pickVerdict(original));
        else if (now?.outcome === 'passed') expect(original.outcome, why).toBe('passed');
      }
      expect(taskRuns.length, why).toBeLessThanOrEqual(before.length);
      if (damage.isLost) expect(leftOut.count, why).toBeGreaterThan(0);
      // The results that are made of it say the same.
      if (done % 20 > 0) continue;
      await writeResults(journal, path);
      const made = await read(path);
      expect(made.taskRuns, why).toEqual(taskRuns);
      expect(made.leftOut.count, why).toBeGreaterThanOrEqual(leftOut.count > 0 ? 1 : 0);
    }

    function oddMember(of: readonly Place[], chance: Dice): Damage {
      const { place, text } = mutated(events, of, chance);
      const changed = (JSON.parse(text) as unknown[]).map((event) => JSON.stringify(event));
      return { lines: changed, line: Number(place[0]), isLost: false };
    }
  });
});

interface Damage {
  lines: string[];
  line: number;
  /** Then it has to be said. */
  isLost: boolean;
}

function damagedLine(lines: readonly string[], dice: Dice): Damage {
  const line = dice.below(lines.length);
  const text = lines[line] ?? '';
  const torn = text.slice(0, dice.below(text.length));
  const put = dice.oneOf(['', '\0'.repeat(4096), torn, 'gone', 'twice', 'unknown', 'mark']);
  if (put === 'mark') {
    const [first = '', ...rest] = lines;
    return { lines: [`\ufeff${first}`, ...rest], line: -1, isLost: false };
  }
  if (put === 'gone') {
    // That the last one is missing cannot be seen.
    const isLast = line === lines.length - 1;
    return { lines: lines.toSpliced(line, 1), line, isLost: !isLast };
  }
  if (put === 'twice') return { lines: lines.toSpliced(line, 0, text), line: -1, isLost: true };
  const unknown = text.replace(/"type":"[^"]*"/, '"type":"of-tomorrow"');
  return { lines: lines.with(line, put === 'unknown' ? unknown : put), line, isLost: true };
}
