import { startGuard } from '../../base/processes/guard/start-guard.js';
import { openLedger, stopLeftovers } from '../../base/processes/leftover-processes.js';
import { getOwnIdentity } from '../../base/processes/process-identity.js';
import { plural } from '../../base/text.js';
import { RedisBlobStore } from '../../queue/bundle/blob-store.js';
import { BundleCache } from '../../queue/bundle/bundle-cache.js';
import { redisLimits } from '../../queue/limits/redis-limits.js';
import { QueueKeys } from '../../queue/queue-keys.js';
import { longestLife } from '../../queue/queue-run.js';
import { connectToQueue, onOutage, QueueUnreachableError } from '../../queue/redis-connection.js';
import { createOpenSuite } from '../../queue/worker/opened-suite.js';
import { QueueWorker } from '../../queue/worker/queue-worker.js';
import { Workspace, WorkspaceError } from '../../run/workspace.js';
import type { CommandRun } from '../command.js';
import { exitCodes, UsageError } from '../exit-codes.js';
import { withoutQueue } from '../queue/queue-options.js';
import { renderProblems } from '../render-problems.js';
import { onStopSignal } from '../stop-signals.js';
import { styleFor } from '../terminal/output.js';
import { printText, terminalLine } from '../terminal/text.js';
import { workerNewsText } from '../worker/worker-news-text.js';
import { parseWorkerOptions } from '../worker/worker-options.js';

/** Part of the lease: what a frozen worker has started must be gone before another one begins. */
const silencePart = 0.4;

export async function run(call: CommandRun): Promise<number> {
  const { io } = call;
  const { address, leaseMs, ...options } = parseWorkerOptions(call);
  const style = styleFor(io.stderr, io.environment);
  const tell = (text: string) => printText(io.stderr, `${text}\n`);
  const redis = await connectToQueue(address).catch(refuse);
  const cache = await BundleCache.open(io.environment).catch(refuse);
  const workspace = Workspace.planned();
  const { prefix } = address;
  const store = new RedisBlobStore(redis, { prefix, keepMs: longestLife });
  onOutage(redis, (isAway) => {
    tell(isAway ? 'The queue cannot be reached: waiting for it to come back' : 'The queue is back');
  });
  // First of all: from now on nothing of ours stays, whenever we are killed.
  const guard = startGuard({
    owner: getOwnIdentity(),
    ledger: workspace.ledger,
    workspace: workspace.path,
    silenceMs: Math.round(leaseMs * silencePart),
  });
  await workspace.make().catch(refuse);
  const closeLedger = openLedger(workspace.ledger);
  const worker = new QueueWorker({
    ...options,
    redis,
    keys: new QueueKeys(prefix),
    leaseMs,
    environment: withoutQueue(io.environment),
    workspace,
    openSuite: createOpenSuite((report) => renderProblems(report, (_format, text) => text)),
    takeBundle: (id) => cache.take(id, store),
    limitsOf: ({ id, limits }) => redisLimits(redis, { prefix, run: id, leaseMs }, limits),
    onNews: (news) => tell(workerNewsText(news, style)),
  });
  const { name, concurrency } = options;
  onStopSignal((times) => {
    const running = plural(worker.running, 'task run');
    if (times > 1) worker.stop();
    else worker.leave();
    if (worker.running === 0) return;
    const next = times > 1 ? 'once more to leave at once' : 'again to stop them';
    tell(`${times > 1 ? 'Stopping' : 'Finishing'} ${running}; Ctrl-C ${next}`);
  });
  const what = `${concurrency} at once`;
  tell(`Worker ${terminalLine(name)} takes task runs from ${address.shown}, ${what}`);
  try {
    await worker.work();
    return exitCodes.ok;
  } finally {
    await stopLeftovers({ startedBy: getOwnIdentity() });
    closeLedger();
    await workspace.remove();
    redis.disconnect();
    await guard.close();
  }
}

/** What is told in one line. */
function refuse(error: unknown): never {
  const isExpected =
    error instanceof QueueUnreachableError ||
    error instanceof WorkspaceError ||
    (error instanceof Error && 'hint' in error);
  if (!isExpected) throw error;
  throw new UsageError(error.message, 'hint' in error ? String(error.hint) : undefined);
}
