import { expect } from 'vitest';
import type { JournalEvent } from '../../src/journal/event.js';
import { type ProxyResult, RunningProxy } from './running-proxy.js';

/** Records what happens through `proctor proxy`, and gives back the record. */
export async function recorded(
  mcpServers: { [name: string]: object },
  happens: (proxy: RunningProxy) => Promise<unknown>,
) {
  const proxy = await RunningProxy.startShared(mcpServers, { args: ['--verbose'] });
  try {
    await happens(proxy);
    return recordOf(await proxy.stop());
  } finally {
    await proxy.end();
  }
}

function recordOf(record: ProxyResult) {
  expect(record.exitCode).toBe(0);
  // There is no harness here that could have done something.
  expect(record.events.filter((event) => 'by' in event)).toEqual([]);
  const named = record.calls.filter(({ kind }) => kind !== 'other');
  return { ...record, named: named.sort((one, other) => one.request - other.request) };
}

/** The text of the message that an event holds. */
export function messageText(events: JournalEvent[], seq: number | undefined): string {
  const event = events[(seq ?? 0) - 1];
  if (event?.type !== 'mcp-message') throw new Error(`event ${seq} is no message`);
  return event.message.text;
}
