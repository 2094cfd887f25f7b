/**
 * Loaded into the suite before it starts. It starts all clients at once, which keeps it busy for
 * seconds on a small machine, and then it would reset connections that have waited for it longer
 * than the five seconds that Node's servers keep them: also those with a new request on the way.
 */
import http from 'node:http';

const { createServer } = http;

http.createServer = (...given) =>
  Object.assign(createServer(...given), { keepAliveTimeout: 60_000 });
