import { appendFile, chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RawJson } from '../../base/json-text.js';
import { Redactor } from '../../config/secrets/redactor.js';
import { Secrets } from '../../config/secrets/secrets.js';
import type { EventBody } from '../../journal/event.js';
import { readJournal } from '../../journal/journal-reader.js';
import { journalSchema } from '../../journal/run-events.js';
import { JournalError, type JournalFile, JournalWriter } from './journal-writer.js';

const secrets = new Secrets();
secrets.add('TOKEN', 'hunter22');
secrets.add('WORD', 'to-agent');
secrets.add('KIND', 'mcp-message');
const redactor = new Redactor(secrets);

let folder = '';
let path = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'journal-writer-'));
  path = join(folder, 'journal.jsonl');
});

afterEach(() => rm(folder, { recursive: true }));

const started: EventBody = {
  type: 'run-started',
  schema: journalSchema,
  proctor: '1.0.0',
  command: 'proxy',
  mcpServers: [{ name: 'memory', transport: 'stdio' }],
};

const message = (text: string): EventBody => ({
  type: 'mcp-message',
  server: 'memory',
  direction: 'to-agent',
  message: new RawJson(text),
  bytes: text.length,
});

const warning = (text: string): EventBody => ({
  type: 'warning',
  code: 'stream-cut',
  message: text,
});

async function eventsIn(file: string) {
  const events = [];
  for await (const event of readJournal(file)) events.push(event);
  return events;
}

/** A file whose writes end when the test says so. */
class HeldFile implements JournalFile {
  content = '';
  isClosed = false;
  /** How many writes were begun and have not ended; the most there ever were. */
  active = 0;
  mostActive = 0;
  writes = 0;
  #release: (() => void) | undefined;
  #begun: (() => void) | undefined;
  readonly #outcome: (length: number) => number;

  /** The outcome says how many bytes are taken, or throws. */
  constructor(outcome = (length: number) => length) {
    this.#outcome = outcome;
  }

  async write(bytes: Buffer, offset: number, length: number) {
    this.active++;
    this.writes++;
    this.mostActive = Math.max(this.active, this.mostActive);
    await new Promise<void>((resolve) => {
      this.#release = resolve;
      this.#begun?.();
    });
    this.active--;
    const bytesWritten = this.#outcome(length);
    this.content += bytes.toString('utf8', offset, offset + bytesWritten);
    return { bytesWritten };
  }

  async close() {
    this.isClosed = true;
  }

  /** Lets one write end, when it has begun. */
  async release(): Promise<void> {
    if (!this.#release) {
      await new Promise<void>((resolve) => {
        this.#begun = resolve;
      });
    }
    const release = this.#release;
    this.#release = undefined;
    release?.();
  }

  async releaseUntil(done: Promise<unknown>): Promise<void> {
    const state = { isDone: false };
    const end = done.then(
      () => {
        state.isDone = true;
      },
      () => {
        state.isDone = true;
      },
    );
    while (!state.isDone) await Promise.race([this.release(), end]);
  }
}

const full = () => Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' });

describe('JournalWriter', () => {
  it('writes what the reader reads, numbered from 1', async () => {
    const journal = await JournalWriter.create(path, { redactor });
    const bodies = [started, message('{"b":12345678901234567890}'), warning('ä😀')];
    expect(bodies.map((body) => journal.write(body))).toEqual([1, 2, 3]);
    await journal.close();
    const events = await eventsIn(path);
    expect(events).toMatchObject(bodies.map((body, index) => ({ ...body, seq: index + 1 })));
    expect(events[0]?.at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('makes a file that nobody else can read', async () => {
    await (await JournalWriter.create(path, { redactor })).close();
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await chmod(path, 0o644);
    await (await JournalWriter.create(path, { redactor, overwrite: true })).close();
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('takes out secrets, but not words of its own', async () => {
    const journal = await JournalWriter.create(path, { redactor });
    journal.write(started);
    journal.write(message('{"a":"hunter22 mcp-message","b":"\\u0068unter22"}'));
    journal.write(warning('said hunter22'));
    await journal.close();
    const [, relayed, warned] = await eventsIn(path);
    expect(relayed).toMatchObject({
      type: 'mcp-message',
      direction: 'to-agent',
      message: { text: '{"a":"[redacted:TOKEN] [redacted:KIND]","b":"[redacted:TOKEN]"}' },
    });
    expect(warned).toMatchObject({ code: 'stream-cut', message: 'said [redacted:TOKEN]' });
  });

  it('never goes back in time', async () => {
    const times = [1000, 2000, 1500, 2001];
    const journal = await JournalWriter.create(path, { redactor, now: () => times.shift() ?? 0 });
    for (const body of [started, warning('a'), warning('b'), warning('c')]) journal.write(body);
    await journal.close();
    const events = await eventsIn(path);
    expect(events.map(({ at }) => Date.parse(at))).toEqual([1000, 2000, 2000, 2001]);
  });

  it('keeps the order of many events of all sizes', async () => {
    const journal = await JournalWriter.create(path, { redactor });
    journal.write(started);
    const lengths = Array.from({ length: 3000 }, (_, index) => (index % 500 ? index : 700_000));
    for (const length of lengths) {
      journal.write(warning('ä'.repeat(length)));
      await journal.pressure();
    }
    await journal.flush();
    const found = await eventsIn(path);
    const texts = found.flatMap((event) => (event.type === 'warning' ? [event.message] : []));
    expect(texts.map((text) => text.length)).toEqual(lengths);
    await journal.close();
  });

  it('begins one write at a time, and goes on after a short one', async () => {
    const file = new HeldFile((length) => Math.ceil(length / 2));
    const journal = new JournalWriter(path, file, { redactor });
    for (let index = 0; index < 20; index++) journal.write(warning('x'.repeat(50_000)));
    await file.releaseUntil(journal.flush());
    expect(file.mostActive).toBe(1);
    const seqs = file.content
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).seq);
    expect(seqs).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  });

  it('writes at once what happens at once', async () => {
    const file = new HeldFile();
    const journal = new JournalWriter(path, file, { redactor });
    for (let index = 0; index < 100; index++) journal.write(warning('x'));
    await file.releaseUntil(journal.flush());
    expect(file.writes).toBe(1);
  });

  it('flushes what came before, whatever comes after', async () => {
    const file = new HeldFile();
    const journal = new JournalWriter(path, file, { redactor });
    await journal.flush();
    journal.write(warning('first'));
    const flushed = journal.flush();
    await Promise.resolve();
    journal.write(warning('second'));
    await file.release();
    await flushed;
    expect(file.content).toContain('first');
    expect(file.content).not.toContain('second');
    await file.releaseUntil(journal.close());
    expect(file.content).toContain('second');
    expect(file.isClosed).toBe(true);
  });

  it('asks to wait while it is behind', async () => {
    const file = new HeldFile();
    const journal = new JournalWriter(path, file, { redactor });
    let count = 0;
    for (; !journal.pressure(); count++) journal.write(warning('x'.repeat(1024 * 1024)));
    expect(count).toBe(8);
    const relief = journal.pressure() ?? Promise.reject(new Error('no pressure'));
    expect(journal.pressure()).toBe(relief);
    await file.release();
    await relief;
    expect(journal.pressure()).toBeUndefined();
    await file.releaseUntil(journal.flush());
    expect(journal.pressure()).toBeUndefined();
  });

  it('keeps the first failure, reports it once, and lets no flush wait', async () => {
    let isFull = false;
    const file = new HeldFile((length) => {
      if (isFull) throw full();
      return length;
    });
    const failures: JournalError[] = [];
    const journal = new JournalWriter(path, file, {
      redactor,
      onFailure: (each) => failures.push(each),
    });
    expect(journal.write(warning('kept'))).toBe(1);
    await file.releaseUntil(journal.flush());
    isFull = true;
    while (!journal.pressure()) journal.write(warning('x'.repeat(3_000_000)));
    const relief = journal.pressure();
    const flushed = journal.flush();
    await file.release();
    await expect(flushed).rejects.toBeInstanceOf(JournalError);
    await relief;
    expect(journal.write(warning('later'))).toBe(5);
    expect(journal.pressure()).toBeUndefined();
    await expect(journal.flush()).rejects.toBe(journal.failure);
    await expect(journal.close()).rejects.toBe(journal.failure);
    await expect(journal.close()).rejects.toBe(journal.failure);
    expect(failures).toEqual([journal.failure]);
    expect(journal.failure).toMatchObject({ code: 'ENOSPC', path });
    expect(journal.failure?.message).toBe(
      `cannot write the journal ${path}: the disk is full: free some space, or choose another file`,
    );
    expect(file.isClosed).toBe(true);
    expect(file.content.split('\n')).toHaveLength(2);
  });

  it('does not try for ever when a file takes nothing', async () => {
    const file = new HeldFile(() => 0);
    const journal = new JournalWriter(path, file, { redactor });
    journal.write(warning('x'));
    await file.release();
    await expect(journal.close()).rejects.toThrow('the file cannot grow any more');
  });

  it('fails when closing the file does', async () => {
    const file = new HeldFile();
    file.close = () => Promise.reject(full());
    const journal = new JournalWriter(path, file, { redactor });
    await expect(journal.close()).rejects.toMatchObject({ code: 'ENOSPC' });
  });

  it('numbers what comes after the end, and does not write it', async () => {
    const journal = await JournalWriter.create(path, { redactor });
    journal.write(started);
    const closed = journal.close();
    expect(journal.write(warning('late'))).toBe(2);
    await closed;
    await journal.close();
    expect(await eventsIn(path)).toHaveLength(1);
  });

  it('leaves no gap for an event that cannot be written', () => {
    const journal = new JournalWriter(path, new HeldFile(), { redactor });
    expect(() => journal.write(message('"\\u00zz"'))).toThrow(SyntaxError);
    expect(journal.write(warning('x'))).toBe(1);
  });
});

describe('JournalWriter.create', () => {
  it('overwrites a file only with the option overwrite', async () => {
    await writeFile(path, 'precious\n');
    await expect(JournalWriter.create(path, { redactor })).rejects.toMatchObject({
      code: 'EEXIST',
      message: `cannot write the journal ${path}: it exists already: remove it, or choose another file`,
    });
    expect(await readFile(path, 'utf8')).toBe('precious\n');
    await (await JournalWriter.create(path, { redactor, overwrite: true })).close();
    expect(await readFile(path, 'utf8')).toBe('');
  });

  it('leaves a file as it is until begin, and then writes what was collected', async () => {
    await writeFile(path, 'precious\n');
    const dropped = new JournalWriter(path, undefined, { redactor });
    dropped.write(started);
    await dropped.flush();
    await dropped.close();
    expect(await readFile(path, 'utf8')).toBe('precious\n');
    const journal = new JournalWriter(path, undefined, { redactor });
    journal.write(started);
    await journal.begin();
    journal.write(warning('later'));
    await journal.close();
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { type: 'run-started', seq: 1 },
      { type: 'warning', seq: 2 },
    ]);
  });

  it('does not use a file that others could read on', async () => {
    // Stands for a file of somebody else: regular and writable, but its mode is as it is.
    const foreign = '/proc/self/comm';
    const before = await readFile(foreign, 'utf8');
    await expect(JournalWriter.create(foreign, { redactor, overwrite: true })).rejects.toThrow(
      new JournalError(
        foreign,
        new Error(
          'others may read it, and its mode cannot be changed: remove it, or choose another file',
        ),
      ),
    );
    expect(await readFile(foreign, 'utf8')).toBe(before);
  });

  it('says what is wrong with a path', async () => {
    await mkdir(path);
    const create = (each: string) => JournalWriter.create(each, { redactor, overwrite: true });
    await expect(create(path)).rejects.toMatchObject({ code: 'EISDIR', path });
    await expect(create(join(folder, 'no', 'x'))).rejects.toThrow('its folder does not exist');
    await expect(create(join(folder, 'no\0'))).rejects.toBeInstanceOf(JournalError);
  });

  it.each(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EDQUOT'])('has words for %s', (code) => {
    const cause = Object.assign(new Error('raw'), { code });
    expect(new JournalError('out.jsonl', cause).message).toMatch(
      /^cannot write the journal out\.jsonl: .*choose another file$/,
    );
  });
});

describe('JournalWriter.append', () => {
  it('cuts off a torn last line, and numbers its events on', async () => {
    const first = await JournalWriter.create(path, { redactor });
    first.write(started);
    await first.close();
    const { size: length } = await stat(path);
    await appendFile(path, '{"seq":2,"at":"2026-');

    const next = await JournalWriter.append(path, { redactor, length, lastSeq: 1 });
    next.write(warning('resumed'));
    await next.close();

    const leftOut: unknown[] = [];
    const events = [];
    for await (const event of readJournal(path, (part) => leftOut.push(part))) events.push(event);
    expect(events).toMatchObject([
      { seq: 1, type: 'run-started' },
      { seq: 2, message: 'resumed' },
    ]);
    expect(leftOut).toEqual([]);
  });
});
