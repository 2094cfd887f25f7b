import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { ChunkWriter } from './data-elements.js';

/** What the elements hold, by their ids. */
function decoded(elements: readonly string[]): Map<string, unknown> {
  return new Map(
    elements.map((element) => {
      const [, id = '', data = ''] =
        /^<script type="text\/plain" id="([^"]+)">([\w+/=]+)<\/script>\n$/.exec(element) ?? [];
      return [id, JSON.parse(gunzipSync(Buffer.from(data, 'base64')).toString())];
    }),
  );
}

test('task runs are found again where they were put', async () => {
  const elements: string[] = [];
  const writer = new ChunkWriter(async (text) => void elements.push(text));
  const records = Array.from({ length: 10 }, (_, number) => ({
    number,
    text: `</script>${'x'.repeat(100_000)}`,
  }));
  const places = [];
  for (const record of records) places.push(await writer.add(record));
  await writer.end();

  const chunks = decoded(elements);
  expect([...chunks.keys()]).toEqual([0, 1, 2, 3].map((chunk) => `proctor-chunk-${chunk}`));
  const found = places.map(({ chunk, place }) => {
    const held = chunks.get(`proctor-chunk-${chunk}`);
    return Array.isArray(held) ? held[place] : undefined;
  });
  expect(found).toEqual(records);
});

test('no task runs are no chunks', async () => {
  const elements: string[] = [];
  await new ChunkWriter(async (text) => void elements.push(text)).end();
  expect(elements).toEqual([]);
});

test('what goes wrong while writing is reported at the end', async () => {
  const writer = new ChunkWriter(() => Promise.reject(new Error('the disk is full')));
  await writer.add({ a: 1 });
  await expect(writer.end()).rejects.toThrow('the disk is full');
});
