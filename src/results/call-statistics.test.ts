import { describe, expect, it } from 'vitest';
import type { McpCall } from '../journal/mcp-events.js';
import { CallStatisticsFold, DurationHistogram } from './call-statistics.js';

const call = (more: Partial<McpCall> = {}): McpCall => ({
  type: 'mcp-call',
  server: 'pets',
  call: 1,
  kind: 'tool',
  method: 'tools/call',
  name: 'feed',
  isError: false,
  startedAt: '2026-01-01T00:00:00.000Z',
  durationMs: 10,
  bytes: { request: 1, response: 1 },
  request: 1,
  ...more,
});

describe('CallStatisticsFold', () => {
  it('adds up per server, kind and name', () => {
    const fold = new CallStatisticsFold();
    fold.add(call({ tokens: { args: 2, result: 3 } }));
    fold.add(call({ isError: true, tokens: { args: 2, result: 3 } }));
    fold.add(call({ blocked: true, isError: true, durationMs: 0 }));
    fold.add(call({ unfinished: true, durationMs: 9999 }));
    fold.add(call({ cancelled: true, durationMs: 9999 }));
    fold.add(call({ kind: 'resource', name: 'feed' }));
    fold.add(call({ server: 'cars' }));
    fold.add(call({ kind: 'other', method: 'tools/list' }));
    const entries = fold.entries.map(({ durations, ...entry }) => ({
      ...entry,
      p95: durations.percentile(0.95)?.toFixed(0),
    }));
    const one = {
      errors: 0,
      blocked: 0,
      cancelled: 0,
      unfinished: 0,
      tokens: { args: 0, result: 0 },
    };
    expect(entries).toEqual([
      { ...one, server: 'cars', kind: 'tool', name: 'feed', calls: 1, p95: '10' },
      {
        server: 'pets',
        kind: 'tool',
        name: 'feed',
        calls: 5,
        errors: 2,
        blocked: 1,
        cancelled: 1,
        unfinished: 1,
        tokens: { args: 4, result: 6 },
        p95: '10',
      },
      { ...one, server: 'pets', kind: 'resource', name: 'feed', calls: 1, p95: '10' },
    ]);
  });

  it('does not grow with the names that an agent thinks up', () => {
    const fold = new CallStatisticsFold();
    for (let index = 0; index < 5000; index++) fold.add(call({ name: `tool-${index}` }));
    expect(fold.entries.length).toBeLessThanOrEqual(1001);
    expect(fold.entries.reduce((sum, { calls }) => sum + calls, 0)).toBe(5000);
  });
});

describe('DurationHistogram', () => {
  it('gives percentiles to two in a hundred', () => {
    const histogram = new DurationHistogram();
    for (let duration = 1; duration <= 1000; duration++) histogram.add(duration);
    for (const [share, expected] of [
      [0.5, 500],
      [0.95, 950],
      [1, 1000],
    ] as const) {
      const found = histogram.percentile(share) ?? 0;
      expect(Math.abs(found - expected) / expected).toBeLessThan(0.02);
    }
  });

  it('has no percentile of nothing, and takes durations that are shorter than its first bucket', () => {
    const histogram = new DurationHistogram();
    expect(histogram.percentile(0.5)).toBeUndefined();
    histogram.add(0);
    expect(histogram.percentile(0.5)).toBeLessThan(0.011);
  });
});
