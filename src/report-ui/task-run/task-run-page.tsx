import type { ComponentChildren } from 'preact';
import { useCallback, useMemo, useState } from 'preact/hooks';
import { makeStory } from '../../analysis/story/story.js';
import type { ReportIndex } from '../../report-data/report-data.js';
import type { TaskRunSoFar } from '../../results/task-run-record.js';
import { useTaskRun } from '../data/report-reader.js';
import {
  formatCost,
  formatCount,
  formatDuration,
  formatMoment,
  formatPlural,
} from '../elements/amounts.js';
import { formatName } from '../elements/text.js';
import { formatRunLink } from '../routing/hash.js';
import { getCurrentRoute, jumpTo, replaceHash, useRoute } from '../routing/navigation.js';
import { PageMessage } from '../shell/page-shell.js';
import { RunSwitch, VariantSwitch } from './run-switch.js';
import { Story } from './story.js';
import { filterStory, findEvidenceKey, parseAssertionKey } from './story-entries.js';
import { makeTimeline } from './timeline.js';
import { AssertionList, ComparedNotes, TaskAndAnswer, VerdictPanel } from './verdict-panel.js';
import { OrderOfEvents, useZoom, Waterfall } from './waterfall.js';

interface TaskRunPageProps {
  index: ReportIndex;
  /** Place in the columns of `index.taskRuns`. */
  place: number;
}

/** The page of a task run: its verdict, and all that happened. */
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

interface TaskRunViewProps {
  index: ReportIndex;
  place: number;
  taskRun: TaskRunSoFar;
}

function TaskRunView({ index, place, taskRun }: TaskRunViewProps) {
  const { pointer, pointAt, stepTo } = usePointer(index, place);
  const zoom = useZoom(index, place);
  const story = useMemo(() => filterStory(makeStory(taskRun)), [taskRun]);
  const timeline = useMemo(() => makeTimeline(taskRun), [taskRun]);
  const chosen = parseAssertionKey(pointer.key);
  const assertion = chosen === undefined ? undefined : taskRun.assertions[chosen];
  const marked = useMemo(() => new Set(assertion?.calls), [assertion]);
  const evidence = useMemo(() => findEvidenceKey(taskRun, story), [taskRun, story]);
  // Memoised, so that hundreds of bars are not rendered again with every change.
  const course = useMemo(
    () =>
      timeline ? (
        <Waterfall timeline={timeline} marked={marked} zoom={zoom} onShow={pointAt} />
      ) : (
        <OrderOfEvents story={story} marked={marked} onShow={pointAt} />
      ),
    [timeline, story, marked, zoom.phase, zoom.zoomTo, pointAt],
  );
  return (
    <>
      <VerdictPanel taskRun={taskRun} evidence={evidence} onShow={pointAt} />
      <ComparedNotes index={index} place={place} />
      <RunFacts index={index} place={place} taskRun={taskRun} />
      {!index.recorded && <TaskAndAnswer taskRun={taskRun} />}
      {course}
      <div class={index.recorded ? '' : 'run-columns'}>
        {!index.recorded && (
          <AssertionList assertions={taskRun.assertions} pointer={pointer} onChoose={pointAt} />
        )}
        <Story
          story={story}
          pointer={pointer}
          marked={marked}
          markedBy={assertion && formatName(assertion.name)}
          onStep={stepTo}
        />
      </div>
    </>
  );
}

/** The entry or assertion of a task run that is pointed at. */
export interface Pointer {
  /** Key of an entry of the story or of an assertion; null: nothing. */
  key: string | null;
  /** Grows with each jump, so that jumping to the same key scrolls again. */
  times: number;
}

/** The pointer, kept in the address so that a link leads to the same place. */
function usePointer(index: ReportIndex, place: number) {
  const key = useRoute().query.get('at');
  const [times, setTimes] = useState(0);
  const linkTo = (next: string) => {
    const { query } = getCurrentRoute();
    query.set('at', next);
    return formatRunLink(index, place, query);
  };
  /** A jump from elsewhere on the page: back leads there. */
  const pointAt = useCallback(
    (next: string) => {
      jumpTo(linkTo(next));
      setTimes((before) => before + 1);
    },
    [index, place],
  );
  /** A step from one entry to the next, without an entry in the history. */
  const stepTo = useCallback(
    (next: string) => {
      replaceHash(linkTo(next));
      setTimes((before) => before + 1);
    },
    [index, place],
  );
  const pointer: Pointer = { key, times };
  return { pointer, pointAt, stepTo };
}

interface RunFactsProps {
  index: ReportIndex;
  place: number;
  taskRun: TaskRunSoFar;
}

function RunFacts({ index, place, taskRun }: RunFactsProps) {
  const { usage, cost, judge, callCounts, labels, permissionDenials } = taskRun;
  const set = index.sets[index.taskRuns.set[place] ?? -1];
  const { suspected = 0 } = callCounts;
  const calls = callCounts.tool + callCounts.resource + callCounts.prompt;
  return (
    <dl class="run-facts">
      <Fact name="Duration">{formatDuration(taskRun.durationMs)}</Fact>
      {taskRun.waitedMs !== undefined && (
        <Fact name="Waited for limits">{formatDuration(taskRun.waitedMs)}</Fact>
      )}
      <Fact name="Calls">
        {formatCount(calls)}
        {callCounts.errors > 0 && `, ${formatPlural(callCounts.errors, 'error')}`}
        {suspected > 0 && `, ${formatPlural(suspected, 'suspected error')}`}
      </Fact>
      <Fact name="Call tokens">{formatCount(callCounts.tokens)}</Fact>
      {usage && (
        <Fact name="Model tokens">
          {formatCount(usage.inputTokens)} in, {formatCount(usage.outputTokens)} out
        </Fact>
      )}
      {cost !== null && <Fact name="Cost">{formatCost(cost)}</Fact>}
      {judge?.usage && (
        <Fact name="Judge tokens">
          {formatCount(judge.usage.inputTokens)} in, {formatCount(judge.usage.outputTokens)} out
        </Fact>
      )}
      {taskRun.variant !== null && <Fact name="Variant">{formatName(taskRun.variant)}</Fact>}
      {listAgents(set).length > 0 && <Fact name="Agent">{listAgents(set).join(', ')}</Fact>}
      {index.sources.length > 1 && set && <Fact name="Results">{index.sources[set.source]}</Fact>}
      {taskRun.difficulty !== null && (
        <Fact name="Difficulty">{formatName(taskRun.difficulty)}</Fact>
      )}
      {Object.entries(labels).length > 0 && (
        <Fact name="Labels">
          {Object.entries(labels).map(([key, value]) => (
            <span key={key} class="label">
              {formatName(`${key}=${value}`)}
            </span>
          ))}
        </Fact>
      )}
      {taskRun.path !== '' && (
        <Fact name="Task file">
          <code>{formatName(taskRun.path)}</code>
        </Fact>
      )}
      {taskRun.startedAt !== null && <Fact name="Started">{formatMoment(taskRun.startedAt)}</Fact>}
      {taskRun.attempt > 1 && <Fact name="Attempt">{taskRun.attempt}</Fact>}
      {taskRun.worker !== undefined && <Fact name="Worker">{formatName(taskRun.worker)}</Fact>}
      {permissionDenials.length > 0 && (
        <Fact name="Denied by the agent">
          {[...new Set(permissionDenials.map(formatDenial))].join(', ')}
        </Fact>
      )}
      {taskRun.cleanupFailed && <Fact name="Cleanup">failed; the verdict stands</Fact>}
      {taskRun.workdir !== undefined && (
        <Fact name="Working directory">
          <code>{taskRun.workdir}</code>
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function listAgents(set: ReportIndex['sets'][number] | undefined): string[] {
  const names = (set?.summary.sources ?? []).flatMap(({ agent }) => {
    if (!agent) return [];
    const model = agent.model ? ` (${agent.model})` : '';
    return [`${agent.name}${model}`];
  });
  return [...new Set(names)];
}

function formatDenial({ tool, reason }: { tool: string; reason?: string | undefined }): string {
  return reason === undefined ? tool : `${tool} (${reason})`;
}
