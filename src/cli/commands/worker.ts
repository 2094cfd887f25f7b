import { plural } from '../../base/text.js';
import type { QueueWorker } from '../../queue/worker/queue-worker.js';
import { runWorkerProcess } from '../../queue/worker/worker-process.js';
import type { CommandRun } from '../command.js';
import { exitCodes } from '../exit-codes.js';
import { withoutQueue } from '../queue/queue-options.js';
import { renderProblems } from '../render-problems.js';
import { onStopSignal } from '../stop-signals.js';
import { styleFor } from '../terminal/output.js';
import { printText, terminalLine } from '../terminal/text.js';
import { workerNewsText } from '../worker/worker-news-text.js';
import { parseWorkerOptions } from '../worker/worker-options.js';

export async function run(call: CommandRun): Promise<number> {
  const { stderr, environment } = call.io;
  const options = parseWorkerOptions(call);
  const style = styleFor(stderr, environment);
  const print = (text: string) => printText(stderr, `${text}\n`);
  const begin = (worker: QueueWorker) => {
    onStopSignal((times) => {
      const running = plural(worker.running, 'task run');
      if (times > 1) worker.stop();
      else worker.leave();
      if (worker.running === 0) return;
      const next = times > 1 ? 'once more to leave at once' : 'again to stop them';
      print(`${times > 1 ? 'Stopping' : 'Finishing'} ${running}; Ctrl-C ${next}`);
    });
    const { name, address, concurrency } = options;
    const what = `${concurrency} at once`;
    print(`Worker ${terminalLine(name)} takes task runs from ${address.shown}, ${what}`);
  };
  await runWorkerProcess(
    {
      ...options,
      environment: withoutQueue(environment),
      formatProblems: (report) => renderProblems(report, (_format, text) => text),
      onNews: (news) => print(workerNewsText(news, style)),
      onOutage: (isAway) =>
        print(
          isAway ? 'The queue cannot be reached: waiting for it to come back' : 'The queue is back',
        ),
    },
    begin,
  );
  return exitCodes.ok;
}
