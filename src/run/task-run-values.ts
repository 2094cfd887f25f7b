import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import type { TaskRunValues } from '../config/placeholders/environment-variables.js';

/** Values of a task run that has this working directory. */
export async function makeTaskRunValues(workdir: string): Promise<TaskRunValues> {
  return { workdir, random: await makeRandomValues() };
}

/** The same without a folder. */
export async function makeRandomValues(): Promise<TaskRunValues['random']> {
  return { id: randomBytes(4).toString('hex'), port: await freePort() };
}

/** One that was free a moment ago: nobody can promise more. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0));
    });
  });
}
