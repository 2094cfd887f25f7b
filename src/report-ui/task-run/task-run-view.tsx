import { useMemo } from 'preact/hooks';
import { makeStory } from '../../analysis/story/story.js';
import type { ReportIndex } from '../../report-data/report-data.js';
import type { TaskRunSoFar } from '../../results/task-run-record.js';
import { shortName } from '../elements/short-name.js';
import { AssertionList } from './assertion-list.js';
import { ComparedNotes } from './compared-notes.js';
import { OrderOfEvents } from './order-of-events.js';
import { RunFacts } from './run-facts.js';
import { Story } from './story.js';
import { assertionOfKey, evidenceKey, shownStory } from './story-keys.js';
import { TaskAndAnswer } from './task-and-answer.js';
import { timelineOf } from './timeline.js';
import { usePointer } from './use-pointer.js';
import { useZoom } from './use-zoom.js';
import { VerdictPanel } from './verdict-panel.js';
import { Waterfall } from './waterfall.js';

interface TaskRunViewProps {
  index: ReportIndex;
  place: number;
  taskRun: TaskRunSoFar;
}

export function TaskRunView({ index, place, taskRun }: TaskRunViewProps) {
  const { pointer, pointAt, stepTo } = usePointer(index, place);
  const zoom = useZoom(index, place);
  const story = useMemo(() => shownStory(makeStory(taskRun)), [taskRun]);
  const timeline = useMemo(() => timelineOf(taskRun), [taskRun]);
  const chosen = assertionOfKey(pointer.key);
  const assertion = chosen === undefined ? undefined : taskRun.assertions[chosen];
  const marked = useMemo(() => new Set(assertion?.calls), [assertion]);
  const evidence = useMemo(() => evidenceKey(taskRun, story), [taskRun, story]);
  // The same element again is not gone through again: it can have hundreds of bars.
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
          markedBy={assertion && shortName(assertion.name)}
          onStep={stepTo}
        />
      </div>
    </>
  );
}
