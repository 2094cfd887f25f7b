import { UsageError } from '../../base/errors.js';
import { type Guard, startGuard } from '../../base/processes/guard/start-guard.js';
import { openProcessLedger, stopLeftovers } from '../../base/processes/leftover-processes.js';
import { getOwnIdentity } from '../../base/processes/process-identity.js';
import { Workspace, WorkspaceError } from '../../run/workspace.js';
import { RedisBlobStore } from '../bundle/blob-store.js';
import { BundleCache } from '../bundle/bundle-cache.js';
import { redisLimits } from '../limits/redis-limits.js';
import { QueueKeys } from '../queue-keys.js';
import type { QueueAddress } from '../queue-use.js';
import { connectToQueue, onOutage, QueueUnreachableError } from '../redis-connection.js';
import { longestLife } from '../run-ticket.js';
import { createOpenSuite } from './opened-suite.js';
import { QueueWorker } from './queue-worker.js';
import type { QueueWorkerOptions } from './queue-worker-options.js';

/** Part of the lease after which the guard kills a silent worker's processes, before another worker begins. */
const silencePart = 0.4;

interface WorkerProcessOptions
  extends Pick<
    QueueWorkerOptions,
    'name' | 'labels' | 'concurrency' | 'leaseMs' | 'maxLost' | 'environment' | 'onNews'
  > {
  address: QueueAddress;
  /** Formats the errors of a suite, for the check that submitted it. */
  formatProblems: Parameters<typeof createOpenSuite>[0];
  /** Called when the queue cannot be reached any more, and when it is back. */
  onOutage(isAway: boolean): void;
}

/**
 * Lets this process work for a queue until `begin` stops the worker, with a workspace, and a guard that ends
 * everything it started if it is killed or frozen. Throws UsageError if it cannot begin.
 */
export async function runWorkerProcess(
  { address, formatProblems, onOutage: reportOutage, ...options }: WorkerProcessOptions,
  begin: (worker: QueueWorker) => void,
): Promise<void> {
  const { environment, leaseMs } = options;
  const { prefix } = address;
  const redis = await connectToQueue(address).catch(refuse);
  const cache = await BundleCache.open(environment).catch(refuse);
  const workspace = Workspace.planned();
  const store = new RedisBlobStore(redis, { prefix, keepMs: longestLife });
  onOutage(redis, reportOutage);
  // First, so that nothing of this process stays, whenever it is killed.
  const guard: Guard = startGuard({
    owner: getOwnIdentity(),
    ledger: workspace.processLedger,
    workspace: workspace.path,
    silenceMs: Math.round(leaseMs * silencePart),
  });
  await workspace.make().catch(refuse);
  const closeLedger = openProcessLedger(workspace.processLedger);
  const worker = new QueueWorker({
    ...options,
    redis,
    keys: new QueueKeys(prefix),
    workspace,
    openSuite: createOpenSuite(formatProblems),
    takeBundle: (id) => cache.take(id, store),
    limitsOf: ({ id, limits }) => redisLimits(redis, { prefix, run: id, leaseMs }, limits),
  });
  begin(worker);
  try {
    await worker.work();
  } finally {
    await stopLeftovers({ startedBy: getOwnIdentity() });
    closeLedger();
    await workspace.remove();
    redis.disconnect();
    await guard.close();
  }
}

/** Turns an expected error into a UsageError, which is reported in one line. */
function refuse(error: unknown): never {
  const isExpected =
    error instanceof QueueUnreachableError ||
    error instanceof WorkspaceError ||
    (error instanceof Error && 'hint' in error);
  if (!isExpected) throw error;
  throw new UsageError(error.message, 'hint' in error ? String(error.hint) : undefined);
}
