/**
 * The least that a relay between an agent and a server can do, for comparison: it passes bytes on and looks
 * at nothing. node bare-relay.mjs http URL, or node bare-relay.mjs stdio PROGRAM ARGUMENT...
 */
import { spawn } from 'node:child_process';
import http from 'node:http';
import { createInterface } from 'node:readline';

const [kind, target, ...args] = process.argv.slice(2);

const server = http.createServer({ noDelay: true }, kind === 'http' ? relayHttp() : relayStdio());
server.listen(0, '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}/mcp`);
});

function relayHttp() {
  const agent = new http.Agent({ keepAlive: true });
  return (request, response) => {
    const { method, headers } = request;
    const passed = http.request(target, { method, headers, agent }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    request.pipe(passed);
  };
}

/** One request at a time: the next result is its answer. What the server says on its own is dropped. */
function relayStdio() {
  const { stdin, stdout } = spawn(target, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  let answered = () => {};
  createInterface({ input: stdout }).on('line', (line) => {
    if (line.includes('"result"')) answered(line);
  });
  const headers = { 'content-type': 'application/json' };
  return (request, response) => {
    if (request.method !== 'POST') response.writeHead(405).end();
    request.on('data', (chunk) => {
      const hasAnswer = chunk.includes('"id"');
      const answer = (text) => response.writeHead(hasAnswer ? 200 : 202, headers).end(text);
      answered = answer;
      stdin.write(`${chunk}\n`);
      if (!hasAnswer) answer('');
    });
  };
}
