import { describe, expect, it } from 'vitest';
import type { ServerRecord } from '../../results/results-header.js';
import { findToolChanges } from './tool-changes.js';

const server = (tools: unknown[] | undefined, more: Partial<ServerRecord> = {}): ServerRecord => ({
  name: 'pets',
  transport: 'stdio',
  ...(tools && { tools }),
  ...more,
});

const feed = {
  name: 'feed',
  description: 'Feeds a pet',
  inputSchema: {
    type: 'object',
    properties: { pet: { type: 'string' }, food: { type: 'string' } },
    required: ['pet'],
  },
};

describe('toolChanges', () => {
  it('lists tools that were added, removed or redefined', () => {
    const redefined = {
      ...feed,
      description: 'Feeds any pet',
      inputSchema: {
        ...feed.inputSchema,
        properties: { pet: { type: 'string' }, food: { type: 'string', enum: ['hay'] } },
        required: ['food', 'pet'],
      },
      annotations: { readOnlyHint: false },
    };
    const changes = findToolChanges(
      [server([feed, { name: 'walk' }])],
      [server([redefined, { name: 'comb' }])],
    );
    expect(changes).toEqual([
      { server: 'pets', tool: 'comb', change: 'added', parts: [] },
      {
        server: 'pets',
        tool: 'feed',
        change: 'redefined',
        parts: [
          'description',
          'inputSchema.properties.food',
          'inputSchema.required',
          'annotations',
        ],
      },
      { server: 'pets', tool: 'walk', change: 'removed', parts: [] },
    ]);
  });

  it('does not mind the order of members and of tools', () => {
    const { name, description, inputSchema } = feed;
    const turned = { inputSchema, description, name };
    expect(
      findToolChanges([server([feed, { name: 'a' }])], [server([{ name: 'a' }, turned])]),
    ).toEqual([]);
  });

  it('is empty where one side does not list its tools', () => {
    expect(findToolChanges([server(undefined)], [server([feed])])).toEqual([]);
    expect(findToolChanges([server([feed])], [])).toEqual([]);
  });

  it('counts what the agent may call', () => {
    const before = server([feed, { name: 'walk' }], { allowedTools: ['feed', 'walk'] });
    const now = server([feed, { name: 'walk' }], { allowedTools: ['feed'] });
    expect(findToolChanges([before], [now])).toEqual([
      { server: 'pets', tool: 'walk', change: 'removed', parts: [] },
    ]);
  });

  it('survives what is no tool, nested deeply, or named like a property of objects', () => {
    const deep = JSON.parse(`${'['.repeat(30_000)}1${']'.repeat(30_000)}`);
    const other = JSON.parse(`${'['.repeat(30_000)}2${']'.repeat(30_000)}`);
    const odd = [null, 1, 'x', [], { name: 5 }, { name: '__proto__' }];
    const changes = findToolChanges(
      [server([...odd, { name: 'deep', inputSchema: deep }])],
      [server([...odd, { name: 'deep', inputSchema: other }])],
    );
    expect(changes).toEqual([
      { server: 'pets', tool: 'deep', change: 'redefined', parts: ['inputSchema'] },
    ]);
  });

  it('names so many parts, and counts the rest', () => {
    const properties = (type: string) =>
      Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`p${at}`, { type }]));
    const tool = (type: string) => ({ name: 'x', inputSchema: { properties: properties(type) } });
    const [change] = findToolChanges([server([tool('string')])], [server([tool('number')])]);
    expect(change?.parts).toHaveLength(21);
    expect(change?.parts.at(-1)).toBe('10 more');
  });
});
