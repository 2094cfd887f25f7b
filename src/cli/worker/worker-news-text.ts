import { formatTaskName } from '../../journal/task-run-events.js';
import { parseItem } from '../../queue/items.js';
import type { RunTicket } from '../../queue/run-ticket.js';
import type { WorkerNews } from '../../queue/worker/queue-worker-options.js';
import type { Style } from '../terminal/output.js';
import { terminalLine, terminalText } from '../terminal/text.js';

/** Formats what a worker prints about what it does. */
export function workerNewsText(news: WorkerNews, style: Style): string {
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
