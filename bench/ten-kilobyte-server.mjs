/**
 * An MCP server that answers every call at once with a tool result of 10 kB, as an event of a stream
 * that could be resumed. It only knows what the benchmark asks for.
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

const resultLength = 10_000;
/** Enough of them that no cache can live on having seen the text before. */
const differentResults = 500;

const results = Array.from({ length: differentResults }, (_, index) => resultOf(index));

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const { id, method } = JSON.parse(Buffer.concat(chunks).toString());
    if (id === undefined) response.writeHead(202).end();
    else if (method === 'initialize') answer(response, id, initializeResult, randomUUID());
    else answer(response, id, results[id % differentResults]);
  });
});
server.listen(0, '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}/mcp`);
});

const initializeResult = JSON.stringify({
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'ten-kilobyte-server', version: '1' },
});

function answer(response, id, result, session) {
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    ...(session && { 'mcp-session-id': session }),
  });
  const message = `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
  response.end(`event: message\nid: ${randomUUID()}\ndata: ${message}\n\n`);
}

/** A list of pods, as a Kubernetes server would give it. */
function resultOf(index) {
  const lines = [];
  for (let number = index; lines.join('\n').length < resultLength; number++) {
    const suffix = ((number * 2_654_435_761) % 2 ** 32).toString(36);
    lines.push(
      `default  web-${suffix}-${number}  1/1  Running  ${number % 7}  10.0.0.${number % 250}`,
    );
  }
  return JSON.stringify({
    content: [{ type: 'text', text: lines.join('\n').slice(0, resultLength) }],
  });
}
