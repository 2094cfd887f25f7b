import { plural } from '../../base/text.js';
import { formatPercent } from '../figure-text.js';
import type { ToolsReport, ToolUse } from './tool-usage.js';

/** Something about a tool that its author should look at. */
export interface ToolFinding {
  server: string;
  tool: string;
  /** What was found. */
  text: string;
  /** Names from results that it is about, such as arguments. */
  names: string[];
  /** What it may mean. */
  hint: string;
  /** Messages of the server that explain it. */
  quotes: ToolUse['errorTexts'];
}

type WeightedFinding = Pick<ToolFinding, 'text' | 'hint'> &
  Partial<ToolFinding> & { weight: number };

/** Fewer errors are no finding. */
const minErrors = 2;
const minErrorRate = 0.1;
const manyResultTokens = 4000;
const manySchemaTokens = 1000;
const slowMs = 10_000;

/** What deserves a look, grouped by tool, the worst tool first. */
export function findToolFindings({ tools }: ToolsReport): ToolFinding[] {
  return tools
    .map((use) => ({ use, seen: lookAtTool(use) }))
    .sort((left, right) => (right.seen[0]?.weight ?? 0) - (left.seen[0]?.weight ?? 0))
    .flatMap(({ use: { server, tool }, seen }) =>
      seen.map(({ weight, ...finding }) => ({ server, tool, names: [], quotes: [], ...finding })),
    );
}

function lookAtTool(use: ToolUse): WeightedFinding[] {
  return [
    findFailing,
    findMalformed,
    findSuspected,
    findRetried,
    findUnlisted,
    findBlocked,
    findCostly,
    findSlow,
  ]
    .flatMap((look) => look(use) ?? [])
    .sort((left, right) => right.weight - left.weight);
}

function findFailing({
  calls,
  errors,
  rejected,
  blocked,
  errorTexts,
}: ToolUse): WeightedFinding | undefined {
  const reached = calls - blocked;
  const rate = errors / Math.max(reached, 1);
  const isNotable = errors >= minErrors && rate >= minErrorRate;
  if (!isNotable && rejected === 0) return undefined;
  const head = `${errors} of ${plural(reached, 'call')} failed (${formatPercent(rate)})`;
  if (rejected === 0) {
    const hint = 'see what it says, and whether the description could prevent it';
    return { weight: 2 + rate, text: head, hint, quotes: errorTexts };
  }
  const some = rejected === errors ? 'all of them' : `${rejected} of them`;
  return {
    weight: 3 + rate,
    text: `${head}, ${some} because it did not take the arguments`,
    hint: 'its description or input schema may be unclear',
    quotes: errorTexts,
  };
}

function findMalformed({
  calls,
  blocked,
  malformed: count,
  malformedTexts,
}: ToolUse): WeightedFinding | undefined {
  if (count === 0) return undefined;
  const be = count === 1 ? 'is' : 'are';
  return {
    weight: 2.5 + count / Math.max(calls, 1),
    text: `${count} of ${plural(calls - blocked, 'answer')} ${be} malformed`,
    hint: 'clients may refuse it, or not see what it says',
    quotes: malformedTexts,
  };
}

function findSuspected({
  calls,
  blocked,
  suspected,
  suspectedTexts,
}: ToolUse): WeightedFinding | undefined {
  if (suspected === 0) return undefined;
  return {
    weight: 2.2 + suspected / Math.max(calls, 1),
    text: formatSuspected(suspected, calls - blocked),
    hint: suspectedHint,
    quotes: suspectedTexts,
  };
}

/** `1 of 2 results looks like an error but is not marked isError`. */
export function formatSuspected(suspected: number, results: number): string {
  const looks = suspected === 1 ? 'looks like an error but is' : 'look like errors but are';
  return `${suspected} of ${plural(results, 'result')} ${looks} not marked isError`;
}

export const suspectedHint = 'clients and models do not see that it is an error';

function findRetried({ calls, retryCount, retries }: ToolUse): WeightedFinding | undefined {
  if (retryCount === 0) return undefined;
  const worked = retries.filter((retry) => retry.worked).length;
  const of = retries.length < retryCount ? ` of the first ${retries.length}` : '';
  return {
    weight: 1.9 + retryCount / Math.max(calls, 1),
    text: `after an error agents tried again ${formatTimes(retryCount)} with other arguments, and ${worked}${of} worked`,
    names: listMostFrequent(retries.flatMap(({ changed }) => changed)),
    hint: 'the description of these may be unclear',
  };
}

function findUnlisted({ offered, calls, blocked }: ToolUse): WeightedFinding | undefined {
  if (offered !== false || calls === blocked) return undefined;
  return {
    weight: 1.5,
    text: `called ${formatTimes(calls)}, and the server does not list it`,
    hint: 'agents made the name up, or the list changed',
  };
}

function findBlocked({ blocked: count }: ToolUse): WeightedFinding | undefined {
  if (count === 0) return undefined;
  return {
    weight: 1,
    text: `${plural(count, 'call')} did not reach the server`,
    hint: 'the MCP config does not allow it',
  };
}

function findCostly({
  calls,
  blocked,
  tokens,
  schemaTokens,
}: ToolUse): WeightedFinding | undefined {
  const perResult = tokens ? tokens.result / Math.max(calls - blocked, 1) : 0;
  if (perResult >= manyResultTokens) {
    return {
      weight: 0.8,
      text: `a result has ${Math.round(perResult)} tokens on average`,
      hint: 'the model reads them again with every later request',
    };
  }
  if ((schemaTokens ?? 0) < manySchemaTokens) return undefined;
  return {
    weight: 0.5,
    text: `its definition has ${schemaTokens} tokens`,
    hint: 'the model reads them with every request',
  };
}

function findSlow({ durationMs }: ToolUse): WeightedFinding | undefined {
  if (!durationMs || durationMs.p95 < slowMs) return undefined;
  return {
    weight: 0.7,
    text: `one call in twenty takes ${Math.round(durationMs.p95 / 1000)} s or more`,
    hint: "the agent waits, and the task's time limit runs",
  };
}

const maxNames = 5;

function listMostFrequent(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .sort(([, left], [, right]) => right - left)
    .slice(0, maxNames)
    .map(([name]) => name);
}

function formatTimes(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
