import type { ComponentChildren } from 'preact';
import type { ReportIndex } from '../../report-data/report-data.js';
import type { TaskRunSoFar } from '../../results/task-run-record.js';
import {
  formatCost,
  formatCount,
  formatDuration,
  formatMoment,
  formatPlural,
} from '../elements/amounts.js';
import { formatName } from '../elements/text.js';

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
