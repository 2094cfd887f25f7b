import fc from 'fast-check';

/** Texts of JSON values that are seldom where a value is expected. */
const oddTexts = [
  ...['null', 'true', 'false', '0', '-1', '1.5', '1e999', '12345678901234567890', '-0'],
  ...['""', '"x"', '"\\ud800"', '"\\u0000"', '"__proto__"', '"tools/call"', '[]', '{}', '[[]]'],
  ...['[null]', '{"a":1,"a":2}', '{"__proto__":{"x":1}}', '{"constructor":null}', '{"length":-1}'],
  `"${'x'.repeat(5000)}"`,
  `${'['.repeat(12_000)}${']'.repeat(12_000)}`,
  `${'{"content":'.repeat(12_000)}1${'}'.repeat(12_000)}`,
];

/** Names of members that mean something. */
const names = [
  ...['id', 'method', 'params', 'result', 'error', 'name', 'Method', 'uri', '_meta', 'task'],
  ...['taskId', 'requestId', 'requestState', 'inputResponses', 'progressToken', 'cursor'],
];

const modern = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

const requests = [
  ['initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a' } }],
  ['ping', {}],
  ['tools/list', { cursor: 'x' }],
  ['tools/call', { name: 'echo', arguments: { a: [1] }, _meta: { progressToken: 1 } }],
  ['tools/call', { name: 'echo', arguments: {}, task: { ttl: 1 } }],
  ['tools/call', { name: 'echo', requestState: 's', inputResponses: { a: {} }, _meta: modern }],
  ['resources/subscribe', { uri: 'file:///a' }],
  ['resources/read', { uri: 'file:///a', _meta: modern }],
  ['tasks/get', { taskId: 'a' }],
  ['server/discover', { _meta: modern }],
] as const;

const toServer = [
  ...requests.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params })),
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 3, reason: 'x' } },
  { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1 } },
  { jsonrpc: '2.0', method: 'tools/call', params: { name: 'echo' } },
  { jsonrpc: '2.0', id: 'junk', result: { roots: [] } },
  { jsonrpc: '2.0', id: 1, error: { code: -1, message: 'no' } },
];

const fromServer = [
  { jsonrpc: '2.0', id: 3, result: { content: [{ type: 'text', text: 'a' }], isError: false } },
  { jsonrpc: '2.0', id: 2, result: { tools: [{ name: 'a', inputSchema: { type: 'object' } }] } },
  { jsonrpc: '2.0', id: 4, result: { task: { taskId: 'a', status: 'working' } } },
  { jsonrpc: '2.0', id: 5, result: { resultType: 'input_required', requestState: 's' } },
  { jsonrpc: '2.0', id: 8, result: { taskId: 'a', status: 'failed', statusMessage: 'x' } },
  { jsonrpc: '2.0', id: 3, error: { code: -1, message: 'no', data: {} } },
  { jsonrpc: '2.0', id: null, error: { code: -1, message: 'no' } },
  { jsonrpc: '2.0', id: 1, method: 'roots/list', params: {} },
  { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } },
];

/** Stands for a text that is put in its place when the rest has become one. */
const mark = '\u0001';

/** A message in which one thing is not as it should be, or everything is. */
function oddMessage(templates: object[]): fc.Arbitrary<string> {
  return fc
    .record({
      template: fc.constantFrom(...templates),
      kind: fc.constantFrom('as it is', 'replace', 'remove', 'add'),
      at: fc.nat(100),
      name: fc.constantFrom(...names),
      odd: fc.constantFrom(...oddTexts),
    })
    .map(({ template, kind, at, name, odd }) => {
      const message = structuredClone(template);
      const places = placesIn(message);
      const place = places[at % places.length];
      if (place === undefined || kind === 'as it is') return JSON.stringify(message);
      if (kind === 'remove') delete place.holder[place.key];
      else place.holder[kind === 'add' ? name : place.key] = mark;
      return JSON.stringify(message).replace(JSON.stringify(mark), () => odd);
    });
}

type Holder = Record<string, unknown>;

function placesIn(value: object): { holder: Holder; key: string }[] {
  const holder = value as Holder;
  return Object.entries(holder).flatMap(([key, inner]) => [
    { holder, key },
    ...(typeof inner === 'object' && inner !== null ? placesIn(inner) : []),
  ]);
}

/** Some bytes that are meant to be messages, or once were. */
function oddBody(message: fc.Arbitrary<string>): fc.Arbitrary<Buffer> {
  const text = fc.oneof(
    { weight: 6, arbitrary: message },
    {
      weight: 2,
      arbitrary: fc
        .array(fc.oneof(message, fc.constantFrom(...oddTexts)), { maxLength: 4 })
        .map((parts) => `[${parts.join(',')}]`),
    },
    { weight: 1, arbitrary: fc.constantFrom(...oddTexts) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  );
  const whole = text.map((each) => Buffer.from(each));
  return fc.oneof(
    { weight: 8, arbitrary: whole },
    {
      weight: 1,
      arbitrary: fc.tuple(whole, fc.nat(60)).map(([body, cut]) => body.subarray(0, -cut - 1)),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(whole, fc.nat(60))
        .map(([body, at]) =>
          Buffer.concat([body.subarray(0, at), Buffer.from([0xff, 0xc3, 0x28]), body.subarray(at)]),
        ),
    },
  );
}

/** What an agent may send. */
export const agentBody: fc.Arbitrary<Buffer> = oddBody(oddMessage(toServer));

/** What a server may answer. */
export const serverBody: fc.Arbitrary<Buffer> = oddBody(oddMessage(fromServer));
