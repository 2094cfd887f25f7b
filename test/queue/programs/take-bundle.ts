/**
 * take-bundle REDIS-URL BUNDLE CACHE-FOLDER
 *
 * Says `ready`, and takes the bundle when it is told anything. Says where it is, and holds it for ever.
 */
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { RedisBlobStore } from '../../../src/queue/bundle/blob-store.js';
import { BundleCache } from '../../../src/queue/bundle/bundle-cache.js';

const [url = '', id = '', cacheFolder = ''] = process.argv.slice(2);
const redis = new Redis(url);
await redis.ping();
console.log('ready');
await once(process.stdin, 'data');
const store = new RedisBlobStore(redis, { prefix: 'proctor', keepMs: 60_000 });
const { folder } = await new BundleCache(cacheFolder).take(id, store);
console.log(folder);
