import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EventBody, JournalEvent } from './event.js';
import { eventLine } from './event-line.js';
import { DamagedJournal, NotAJournal } from './journal-errors.js';
import { readJournal } from './journal-reader.js';
import { RawJson } from './raw-json.js';
import { journalSchema } from './run-events.js';

let folder = '';
let path = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'journal-reader-'));
  path = join(folder, 'journal.jsonl');
});

afterAll(() => rm(folder, { recursive: true }));

const started: EventBody = {
  type: 'run-started',
  schema: journalSchema,
  proctor: '1.0.0',
  command: 'proxy',
  mcpServers: [{ name: 'memory', transport: 'stdio' }],
};

const warning = (message: string): EventBody => ({ type: 'warning', code: 'stream-cut', message });

const message = (text: string): EventBody => ({
  type: 'mcp-message',
  server: 'memory',
  direction: 'to-agent',
  message: new RawJson(text),
  bytes: text.length,
});

function numbered(bodies: EventBody[]): JournalEvent[] {
  return bodies.map((body, index) => ({ ...body, seq: index + 1, at: '2026-01-01T00:00:00.000Z' }));
}

const linesOf = (bodies: EventBody[]) => numbered(bodies).map((event) => `${eventLine(event)}\n`);

async function read(content: string | Buffer): Promise<JournalEvent[]> {
  await writeFile(path, content);
  const events: JournalEvent[] = [];
  for await (const event of readJournal(path)) events.push(event);
  return events;
}

const errorOf = (content: string) =>
  read(content).then(
    () => undefined,
    (error: unknown) => error,
  );

describe('readJournal', () => {
  it('gives back what was written, raw JSON as its text', async () => {
    const bodies: EventBody[] = [
      started,
      message('{"id":12345678901234567890,"a":1,"a":{"message":"}"}}'),
      {
        type: 'mcp-call',
        server: 'memory',
        call: 1,
        kind: 'tool',
        method: 'tools/call',
        name: 'message',
        args: new RawJson('{ "x": 1.0 }'),
        error: new RawJson('{"code":-1,"message":"\\u0041"}'),
        isError: true,
        startedAt: '2026-01-01T00:00:00.000Z',
        durationMs: 1.5,
        bytes: { request: 1, response: 2 },
        request: 2,
      },
      warning('a plain text, not raw'),
    ];
    expect(await read(linesOf(bodies).join(''))).toEqual(numbered(bodies));
  });

  it('reads lines longer than any chunk, with characters of several bytes', async () => {
    const text = JSON.stringify('ä😀'.repeat(400_000));
    const bodies = [started, message(text), message('1'), message(text)];
    expect(await read(linesOf(bodies).join(''))).toEqual(numbered(bodies));
  });

  it('takes an event of a kind it does not know yet', async () => {
    const [first = ''] = linesOf([started]);
    const events = await read(`${first}{"seq":2,"at":"","type":"toString","message":{"a":1}}\n`);
    expect(events[1]).toMatchObject({ type: 'toString', message: { a: 1 } });
  });

  it('ignores a torn last line, wherever it is torn', async () => {
    const bodies = [started, warning('ä'), message('{"a":[1,2]}')];
    const content = Buffer.from(linesOf(bodies).join(''));
    const ends = [...content.keys()].filter((index) => content[index] === 0x0a);
    const range = fc.integer({ min: (ends[0] ?? 0) + 1, max: content.length });
    await fc.assert(
      fc.asyncProperty(range, async (cut) => {
        const whole = ends.filter((end) => end < cut).length;
        expect(await read(content.subarray(0, cut))).toEqual(numbered(bodies).slice(0, whole));
      }),
    );
  });

  it.each(['\n', '{"seq":3,"at\n', '\0\0\0\0\n', '[]\n', '{"seq":3,"at":"","type":"warning"}'])(
    'ignores a last line of %j',
    async (tail) => {
      const bodies = [started, warning('x')];
      expect(await read(linesOf(bodies).join('') + tail)).toEqual(numbered(bodies));
    },
  );

  it.each(['\n', '{"seq":3,"at\n', '"text"\n', '{"at":"","type":"warning"}\n'])(
    'names the line when %j stands in the middle',
    async (broken) => {
      const [first, second, , fourth] = linesOf([
        started,
        warning('x'),
        warning('y'),
        warning('z'),
      ]);
      const error = await errorOf(`${first}${second}${broken}${fourth}`);
      expect(error).toBeInstanceOf(DamagedJournal);
      expect(error).toMatchObject({ code: 'damaged-journal', path, line: 3 });
      expect(String(error)).toContain(`${path}:3: `);
    },
  );

  it('gives the events before the damage', async () => {
    await writeFile(path, `${linesOf([started]).join('')}broken\nbroken\n`);
    const events = readJournal(path);
    expect((await events.next()).value).toMatchObject({ seq: 1 });
    await expect(events.next()).rejects.toThrow(`${path}:2`);
  });

  it.each([
    [[0, 2], 'expected seq 2, found 3'],
    [[0, 1, 1], 'expected seq 3, found 2'],
    [[1, 2], 'JSON without a schema'],
  ])('does not take lines %j', async (order, reason) => {
    const lines = linesOf([started, warning('x'), warning('y')]);
    const error = await errorOf(order.map((index) => lines[index]).join(''));
    expect(String(error)).toContain(reason);
  });

  it.each([
    ['', 'an empty file', 'not-a-journal'],
    ['hello\n', 'a first line that is not JSON', 'not-a-journal'],
    [
      '{\n  "schema": "mcp-proctor/results/v1"\n}\n',
      'a first line that is not JSON',
      'not-a-journal',
    ],
    ['{"schema":"mcp-proctor/results/v1"}', 'mcp-proctor/results/v1', 'not-a-journal'],
    ['{"seq":1}\n', 'JSON without a schema', 'not-a-journal'],
    ['null\n', 'a first line that is not JSON', 'not-a-journal'],
    [
      linesOf([started]).join('').trimEnd(),
      'a single line that was never finished',
      'not-a-journal',
    ],
    ['{"seq":1,"at', 'a single line that was never finished', 'not-a-journal'],
    ['{"schema":"mcp-proctor/journal/v0"}\n', 'mcp-proctor/journal/v0', 'not-a-journal'],
    ['{"schema":"mcp-proctor/journal/v2x"}\n', 'mcp-proctor/journal/v2x', 'not-a-journal'],
    ['{"schema":"mcp-proctor/journal/v2"}\n', 'mcp-proctor/journal/v2', 'newer-journal'],
    ['{"schema":"mcp-proctor/journal/v10"}\n', 'mcp-proctor/journal/v10', 'newer-journal'],
    ['x'.repeat(17_000_000), 'a very long first line', 'not-a-journal'],
  ])('is no journal: %.60j', async (content, found, code) => {
    const error = await errorOf(content);
    expect(error).toBeInstanceOf(NotAJournal);
    expect(error).toMatchObject({ code, path, found });
    expect(String(error)).toContain(path);
    expect(String(error).includes('newer Proctor')).toBe(code === 'newer-journal');
  });

  it('says when there is no file', async () => {
    await expect(readJournal(join(folder, 'missing')).next()).rejects.toMatchObject({
      code: 'ENOENT',
    });
  });
});
