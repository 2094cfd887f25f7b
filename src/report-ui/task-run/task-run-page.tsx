import type { ReportIndex } from '../../report-data/report-data.js';
import { useTaskRun } from '../data/use-task-run.js';
import { PageMessage } from '../shell/page-message.js';
import { RunSwitch } from './run-switch.js';
import { TaskRunView } from './task-run-view.js';
import { VariantSwitch } from './variant-switch.js';

interface TaskRunPageProps {
  index: ReportIndex;
  /** Row in `index.taskRuns`. */
  place: number;
}

/** A task run: why it did not pass, and all that happened. */
export function TaskRunPage({ index, place }: TaskRunPageProps) {
  const loading = useTaskRun(index, place);
  return (
    <article class="task-run">
      <RunSwitch index={index} place={place} />
      <VariantSwitch index={index} place={place} />
      {loading.state === 'loading' && (
        <p class="quiet" role="status">
          Reading the task run …
        </p>
      )}
      {loading.state === 'failed' && (
        <PageMessage title="This task run cannot be shown">
          <p>{loading.message}</p>
        </PageMessage>
      )}
      {loading.state === 'ready' && (
        <TaskRunView index={index} place={place} taskRun={loading.value} />
      )}
    </article>
  );
}
