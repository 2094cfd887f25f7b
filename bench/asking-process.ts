/**
 * node asking-process.mjs REDIS MODEL REQUESTS PER-MINUTE
 *
 * Asks the model at that address as often as it may by limits which it shares with others in Redis.
 */
import { Redis } from 'ioredis';
import { redisLimits } from '../src/queue/limits/redis-limits.js';

const [redisUrl = '', modelUrl = '', requests = '', perMinute = ''] = process.argv.slice(2);
const askers = 4;

const redis = new Redis(redisUrl, { maxRetriesPerRequest: null });
const rates = [[{ requestsPerMinute: Number(perMinute) }]];
const limits = redisLimits(redis, { prefix: 'bench', run: 'rate' }, { rates });
const body = JSON.stringify({ model: 'bench', messages: [{ role: 'user', content: 'Hello' }] });

let left = Number(requests);

async function ask(): Promise<void> {
  while (left > 0) {
    left -= 1;
    const { signal } = new AbortController();
    const permit = await limits.rates.acquire({ provider: 'openai', model: 'bench' }, 10, signal);
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${modelUrl}/v1/chat/completions`, {
      method: 'POST',
      headers,
      body,
    });
    if (!answer.ok) throw new Error(`the model answered with ${answer.status}`);
    await answer.text();
    permit.settle(10);
  }
}

await Promise.all(Array.from({ length: askers }, ask));
await limits.close();
await redis.quit();
