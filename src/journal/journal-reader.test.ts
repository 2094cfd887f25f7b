import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RawJson } from '../base/json-text.js';
import { type EventBody, formatEventLine, type JournalEvent } from './event.js';
import { NotAJournalError, readJournal } from './journal-reader.js';
import { formatLeftOut } from './left-out.js';
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

const linesOf = (bodies: EventBody[]) =>
  numbered(bodies).map((event) => `${formatEventLine(event)}\n`);

async function readAll(content: string | Buffer) {
  await writeFile(path, content);
  const events: JournalEvent[] = [];
  const leftOut: string[] = [];
  const reading = readJournal(path, (part) => leftOut.push(formatLeftOut(part)));
  for await (const event of reading) events.push(event);
  return { events, leftOut };
}

const read = async (content: string | Buffer) => (await readAll(content)).events;

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

  it('leaves out an event of a type it does not know, and names it', async () => {
    const [first = '', , third] = linesOf([started, warning('x'), warning('y')]);
    const unknown = '{"seq":2,"at":"","type":"toString","message":{"a":1}}\n';
    const { events, leftOut } = await readAll(`${first}${unknown}${third}`);
    expect(events.map(({ seq }) => seq)).toEqual([1, 3]);
    expect(leftOut).toEqual(['line 2: expected a known type of event, found "toString"']);
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

  it.each([
    ['\n', 'an empty line'],
    ['{"seq":3,"at\n', '"{\\"seq\\":3,\\"at"'],
    ['\0\0\0\0\n', 'NUL bytes'],
    ['"text"\n', '"\\"text\\""'],
    ['{"at":"","type":"warning"}\n', '"{\\"at\\":\\"\\",\\"type\\":\\"warning\\"}"'],
  ])('reads what stands before and after %j, and names the line', async (broken, found) => {
    const bodies = [started, warning('x'), warning('y'), warning('z')];
    const [first, second, , fourth] = linesOf(bodies);
    const { events, leftOut } = await readAll(`${first}${second}${broken}${fourth}`);
    expect(events).toEqual(numbered(bodies).filter(({ seq }) => seq !== 3));
    expect(leftOut).toEqual([`line 3: expected an event, found ${found}`]);
  });

  it.each([
    [[0, 2], [1, 3], ['line 2: expected seq 2, found seq 3']],
    [[0, 2, 3], [1, 3, 4], ['line 2: expected seq 2, found seq 3']],
    [[0, 1, 1, 2], [1, 2, 3], ['line 3: expected seq 3, found seq 2']],
    [[1, 2], [2, 3], ['line 1: expected seq 1, found seq 2']],
  ])('notices by the numbers what is lost or there twice: %j', async (order, seqs, reasons) => {
    const lines = linesOf([started, warning('x'), warning('y'), warning('z')]);
    const { events, leftOut } = await readAll(order.map((index) => lines[index]).join(''));
    expect(events.map(({ seq }) => seq)).toEqual(seqs);
    expect(leftOut).toEqual(reasons);
  });

  it('takes a number that is far too high for a wrong one, and reads on', async () => {
    const lines = linesOf([started, warning('x'), warning('y'), warning('z')]);
    const wrong = lines.join('').replace('"seq":2', '"seq":2000000');
    const { events, leftOut } = await readAll(wrong);
    expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    expect(leftOut).toEqual(['line 2: expected seq 2, found seq 2000000']);
  });

  it('reads a journal that begins with a byte order mark', async () => {
    const bodies = [started, warning('x')];
    const { events, leftOut } = await readAll(`\ufeff${linesOf(bodies).join('')}`);
    expect(events).toEqual(numbered(bodies));
    expect(leftOut).toEqual([]);
  });

  it('leaves out a member that is not what it should be, or the event that rests on it', async () => {
    const ended = {
      type: 'task-run-ended',
      ...{ taskRun: 'a-1', task: 'a', run: 1, verified: true, assertionsHeld: null, output: '' },
      calls: { tool: 0, resource: 0, prompt: 0, errors: 0, tokens: 0 },
    };
    const lineOf = (seq: number, more: object) => `${JSON.stringify({ seq, ...ended, ...more })}\n`;
    const { events, leftOut } = await readAll(
      [
        ...linesOf([started]),
        lineOf(2, { outcome: 'skipped' }),
        lineOf(3, { outcome: 'failed', verified: 'no' }),
        lineOf(4, { outcome: 'failed', calls: 7, workdir: 7 }),
      ].join(''),
    );
    expect(events).toMatchObject([{ seq: 1 }, { seq: 4, calls: { tool: 0 }, output: '' }]);
    expect(events[1]).not.toHaveProperty('workdir');
    expect(leftOut).toEqual([
      'line 2, outcome: expected one of passed, failed, timeout, error, cancelled, found "skipped"',
      'line 3, verified: expected true or false or null, found "no"',
      'line 4, calls: expected an object, found 7',
      'line 4, workdir: expected a string, found 7',
    ]);
  });

  it.each([
    ['', 'an empty file', 'not-a-journal'],
    ['hello\n', 'no events', 'not-a-journal'],
    ['{\n  "schema": "mcp-proctor/results/v1"\n}\n', 'no events', 'not-a-journal'],
    ['hello\n'.repeat(1000), 'no events', 'not-a-journal'],
    ['{"schema":"mcp-proctor/results/v1"}', 'mcp-proctor/results/v1', 'not-a-journal'],
    ['{"seq":1}\n', 'no events', 'not-a-journal'],
    ['null\n', 'no events', 'not-a-journal'],
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
    expect(error).toBeInstanceOf(NotAJournalError);
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
