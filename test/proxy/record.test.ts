import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { CreateMessageRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { countTokens } from 'gpt-tokenizer/encoding/cl100k_base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JournalEvent } from '../../src/journal/event.js';
import type { McpCall, McpMessage } from '../../src/journal/mcp-events.js';
import { selectCountedTexts } from '../../src/proxy/record/traffic-log.js';
import { connectV1 } from '../../testing/mcp-clients.js';
import {
  everythingProgram,
  type HttpServer,
  startFixture,
  stdioServer,
} from '../support/mcp-servers.js';
import { messageText, recorded } from '../support/recorded.js';

let conformance: HttpServer;
beforeAll(async () => {
  conformance = await startFixture('conformance-server.mjs');
});
afterAll(() => conformance?.stop());

describe('calls of three sessions with two servers', () => {
  let events: JournalEvent[];
  let calls: McpCall[];
  let named: McpCall[];
  let messages: (McpMessage & { seq: number })[];
  const before = Date.now();
  beforeAll(async () => {
    const servers = {
      local: { ...stdioServer(everythingProgram), enableAllTools: true },
      remote: { url: conformance.url, enableAllTools: true },
    };
    ({ events, calls, named, messages } = await recorded(servers, async (proxy) => {
      const one = await connectV1({ url: proxy.url('local') });
      const two = await connectV1({ url: proxy.url('local') });
      const three = await connectV1({ url: proxy.url('remote') });
      const { isAsked, answer } = sampleLater(two.client);
      const long = two.callTool('trigger-sampling-request', { prompt: 'x' });
      await isAsked;
      await one.callTool('echo', { message: 'Grüße \u{1f600}' });
      await three.callTool('test_multiple_content_types');
      await three.callTool('test_error_handling', {});
      await three.callTool('test_tool_with_progress', {}, { onprogress: () => {} });
      await three.client.readResource({ uri: 'test://static-text' });
      await expect(one.client.readResource({ uri: 'demo://no' })).rejects.toThrow('not found');
      await two.client.getPrompt({ name: 'args-prompt', arguments: { city: 'Ürümqi' } });
      answer();
      await long;
      for (const { client } of [one, two, three]) await client.close();
    }));
  });

  it('are in order of arrival, with their session, kind and name', () => {
    expect(named.map(({ server, session, kind, name }) => [server, session, kind, name])).toEqual([
      ['local', 2, 'tool', 'trigger-sampling-request'],
      ['local', 1, 'tool', 'echo'],
      ['remote', 1, 'tool', 'test_multiple_content_types'],
      ['remote', 1, 'tool', 'test_error_handling'],
      ['remote', 1, 'tool', 'test_tool_with_progress'],
      ['remote', 1, 'resource', 'test://static-text'],
      ['local', 1, 'resource', 'demo://no'],
      ['local', 2, 'prompt', 'args-prompt'],
    ]);
    // What the agent called counts, over all servers and without gaps; the rest has no number.
    expect(named.map(({ call }) => call)).toEqual(named.map((_call, index) => index + 1));
    const others = calls.filter(({ kind }) => kind === 'other');
    expect(others.filter(({ call }) => call !== undefined)).toEqual([]);
    // The long one arrived first and is written when it ended, after the others.
    expect(calls.findIndex(({ name }) => name?.startsWith('trigger'))).toBeGreaterThan(
      calls.findIndex(({ kind }) => kind === 'prompt'),
    );
  });

  it('have arguments, result or error, and say if it is one', () => {
    const [long, echo, , failed, , , missing, prompt] = named;
    expect(long).toMatchObject({ isError: false, args: { text: '{"prompt":"x"}' } });
    expect(echo?.args?.value).toEqual({ message: 'Grüße \u{1f600}' });
    expect(echo?.result?.value).toEqual({
      content: [{ type: 'text', text: 'Echo: Grüße \u{1f600}' }],
    });
    expect(failed).toMatchObject({ isError: true });
    expect(failed?.result?.value).toMatchObject({ isError: true });
    expect(failed?.error).toBeUndefined();
    expect(missing).toMatchObject({ isError: true });
    expect(missing?.error?.value).toMatchObject({ code: -32602 });
    expect(missing?.result).toBeUndefined();
    expect(prompt?.args?.value).toEqual({ city: 'Ürümqi' });
  });

  it('say when they began, how long they took and what was sent', () => {
    for (const call of calls) {
      const request = messageText(events, call.request);
      const response = messageText(events, call.response);
      expect(JSON.parse(request)).toMatchObject({ method: call.method });
      expect(JSON.parse(response).id).toBe(JSON.parse(request).id);
      expect(call.bytes).toEqual({
        request: Buffer.byteLength(request),
        response: Buffer.byteLength(response),
      });
      expect(Date.parse(call.startedAt)).toBeGreaterThanOrEqual(before);
      expect(new Date(call.startedAt).toISOString()).toBe(call.startedAt);
      expect(call.durationMs).toBeGreaterThanOrEqual(0);
    }
    for (const { message, bytes } of messages) expect(bytes).toBe(Buffer.byteLength(message.text));
  });

  it('have the tokens of what a model sends and reads, as the library counts them', () => {
    for (const call of named) {
      const [args, result] = selectCountedTexts(call).map((text) => countTokens(text));
      expect(call.tokens).toEqual({ args, result });
    }
    const [, echo, mixed, , , resource] = named;
    expect(echo?.tokens).toEqual({
      args: countTokens('{"message":"Grüße \u{1f600}"}'),
      result: countTokens('Echo: Grüße \u{1f600}'),
    });
    // Of text, image and resource only what is text counts.
    const texts = 'Multiple content types test:\n{"test":"data","value":123}';
    expect(mixed?.tokens?.result).toBe(countTokens(texts));
    expect(resource?.tokens).toEqual({
      args: 0,
      result: countTokens('This is the content of the static text resource.'),
    });
    expect(calls.some(({ kind, tokens }) => kind === 'other' && tokens)).toBe(false);
  });

  it('stand among all messages, which are in the order they were in on the wire', () => {
    const [, , , , progress] = named;
    const between = messages.filter(
      ({ seq, server }) =>
        server === 'remote' && seq > (progress?.request ?? 0) && seq < (progress?.response ?? 0),
    );
    expect(between.map(({ message }) => message.value)).toMatchObject(
      [0, 50, 100].map((value) => ({ params: { progress: value } })),
    );
  });
});

/** Lets the client answer the server's question when the test wants it. */
function sampleLater(client: Client) {
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const isAsked = new Promise<void>((resolve) => {
    client.setRequestHandler(CreateMessageRequestSchema, async () => {
      resolve();
      await isAnswered;
      return { role: 'assistant', model: 'none', content: { type: 'text', text: 'at last' } };
    });
  });
  return { isAsked, answer: () => answer() };
}
