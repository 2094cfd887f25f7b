import { exitCodes } from '../../base/errors.js';
import { plural } from '../../base/text.js';
import { formatTaskName } from '../../journal/task-run-events.js';
import { parseItem } from '../../queue/items.js';
import type { RunTicket } from '../../queue/run-ticket.js';
import type { QueueWorker } from '../../queue/worker/queue-worker.js';
import type { WorkerNews } from '../../queue/worker/queue-worker-options.js';
import { runWorkerProcess } from '../../queue/worker/worker-process.js';
import type { CommandRun } from '../command.js';
import { withoutQueue } from '../command-options.js';
import { renderProblems } from '../render-problems.js';
import { onStopSignal } from '../stop-signals.js';
import { type Style, styleFor } from '../terminal/output.js';
import { printText, terminalLine, terminalText } from '../terminal/text.js';
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

/** Formats what a worker prints about what it does. */
function workerNewsText(news: WorkerNews, style: Style): string {
  switch (news.kind) {
    case 'joined':
      return `${style('bold', terminalLine(news.run.name))}: taking part in run ${terminalLine(news.run.id)}`;
    case 'left':
      return `${style('bold', terminalLine(news.run.name))}: over`;
    case 'refused':
      return `${style('red', 'error:')} cannot take part in ${terminalLine(news.run.name)}:\n${indented(terminalText(news.reason))}`;
    case 'begun':
      return style('dim', `began ${formatTaskRun(news.run, news.item)}`);
    case 'ended':
      return style('dim', `ended ${formatTaskRun(news.run, news.item)}`);
    case 'silence':
      return `${style('yellow', 'warning:')} the queue cannot be reached: what runs is ended, as others may be given it`;
    case 'trouble':
      return `${style('yellow', 'warning:')} the queue says: ${terminalLine(news.message)}`;
    case 'full':
      return `${style('yellow', 'warning:')} ${terminalLine(news.message)}: taking nothing for a while`;
    case 'failed': {
      const { error } = news;
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return `${style('red', 'error:')} ${formatTaskRun(news.run, news.item)}: ${terminalText(reason)}`;
    }
  }
}

function formatTaskRun({ tasks, variants }: RunTicket, item: string): string {
  const { task, variant, run } = parseItem(item) ?? { task: -1, variant: -1, run: 0 };
  const name = formatTaskName({ task: tasks[task] ?? '?', variant: variants[variant] });
  return terminalLine(`${name}#${run}`);
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '    ');
}
