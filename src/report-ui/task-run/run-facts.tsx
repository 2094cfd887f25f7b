import type { ComponentChildren } from 'preact';
import type { ReportIndex } from '../../report-data/report-data.js';
import type { TaskRunSoFar } from '../../results/task-run-record.js';
import { costText, counted, durationText, exactCount, momentText } from '../elements/amounts.js';
import { shortName } from '../elements/text.js';

interface RunFactsProps {
  index: ReportIndex;
  place: number;
  taskRun: TaskRunSoFar;
}

export function RunFacts({ index, place, taskRun }: RunFactsProps) {
  const { usage, cost, judge, callCounts, labels, permissionDenials } = taskRun;
  const set = index.sets[index.taskRuns.set[place] ?? -1];
  const { suspected = 0 } = callCounts;
  const calls = callCounts.tool + callCounts.resource + callCounts.prompt;
  return (
    <dl class="run-facts">
      <Fact name="Duration">{durationText(taskRun.durationMs)}</Fact>
      {taskRun.waitedMs !== undefined && (
        <Fact name="Waited for limits">{durationText(taskRun.waitedMs)}</Fact>
      )}
      <Fact name="Calls">
        {exactCount(calls)}
        {callCounts.errors > 0 && `, ${counted(callCounts.errors, 'error')}`}
        {suspected > 0 && `, ${counted(suspected, 'suspected error')}`}
      </Fact>
      <Fact name="Call tokens">{exactCount(callCounts.tokens)}</Fact>
      {usage && (
        <Fact name="Model tokens">
          {exactCount(usage.inputTokens)} in, {exactCount(usage.outputTokens)} out
        </Fact>
      )}
      {cost !== null && <Fact name="Cost">{costText(cost)}</Fact>}
      {judge?.usage && (
        <Fact name="Judge tokens">
          {exactCount(judge.usage.inputTokens)} in, {exactCount(judge.usage.outputTokens)} out
        </Fact>
      )}
      {taskRun.variant !== null && <Fact name="Variant">{shortName(taskRun.variant)}</Fact>}
      {agentsOf(set).length > 0 && <Fact name="Agent">{agentsOf(set).join(', ')}</Fact>}
      {index.sources.length > 1 && set && <Fact name="Results">{index.sources[set.source]}</Fact>}
      {taskRun.difficulty !== null && (
        <Fact name="Difficulty">{shortName(taskRun.difficulty)}</Fact>
      )}
      {Object.entries(labels).length > 0 && (
        <Fact name="Labels">
          {Object.entries(labels).map(([key, value]) => (
            <span key={key} class="label">
              {shortName(`${key}=${value}`)}
            </span>
          ))}
        </Fact>
      )}
      {taskRun.path !== '' && (
        <Fact name="Task file">
          <code>{shortName(taskRun.path)}</code>
        </Fact>
      )}
      {taskRun.startedAt !== null && <Fact name="Started">{momentText(taskRun.startedAt)}</Fact>}
      {taskRun.attempt > 1 && <Fact name="Attempt">{taskRun.attempt}</Fact>}
      {taskRun.worker !== undefined && <Fact name="Worker">{shortName(taskRun.worker)}</Fact>}
      {permissionDenials.length > 0 && (
        <Fact name="Denied by the agent">
          {[...new Set(permissionDenials.map(denialText))].join(', ')}
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

function agentsOf(set: ReportIndex['sets'][number] | undefined): string[] {
  const names = (set?.summary.sources ?? []).flatMap(({ agent }) => {
    if (!agent) return [];
    const model = agent.model ? ` (${agent.model})` : '';
    return [`${agent.name}${model}`];
  });
  return [...new Set(names)];
}

function denialText({ tool, reason }: { tool: string; reason?: string | undefined }): string {
  return reason === undefined ? tool : `${tool} (${reason})`;
}
