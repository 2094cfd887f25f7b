import { mkdtemp, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { RawJson } from '../../base/json-text.js';
import { distinctFiles } from '../distinct-files.js';
import { serverKey } from '../journal-survey.js';
import { jsonArray, jsonObject } from '../json-object.js';
import { type MissingShards, missingShards } from '../missing-shards.js';
import { shardsOf } from '../own-header.js';
import { isControl } from '../pooled-results.js';
import { ControlResults } from '../results-errors.js';
import type { LeftOutOfFile } from '../results-file.js';
import { type ResultTotals, resultsSchemaName } from '../results-schema.js';
import type { StopSignal } from '../stop-signal.js';
import { totalsOf } from '../totals.js';
import { writeWholeFile } from '../whole-file.js';
import { asDocument } from './merge-drafts.js';
import { type MergeInput, type MergeServer, readMergeInput } from './merge-input.js';
import { mergedText } from './merge-task-run-text.js';
import { compare, headOfSources, mergedSources, sum, warningsOfSources } from './merged-sources.js';
import { mergedTaskRuns } from './merged-task-runs.js';
import { numberedTaskRuns } from './run-numbers.js';
import { reasonsAgainst, reasonsForbidding, UnlikeResults } from './unlike-inputs.js';

export interface Merged {
  sources: number;
  totals: ResultTotals;
  /** What was left out, and why the rest does not belong together where it was done all the same. */
  caveats: string[];
  missing: MissingShards[];
  leftOut: LeftOutOfFile[];
}

interface MergeOptions {
  force: boolean;
  stop?: StopSignal;
}

/**
 * Makes one results file of several files of results, of any kind. What comes out does not depend on
 * their order, nor on what was merged before. Throws UnlikeResults, for some reasons only unless it is forced,
 * ContradictingResults, and what openResults throws.
 */
export async function mergeResults(
  paths: readonly string[],
  outPath: string,
  { force, stop }: MergeOptions,
): Promise<Merged> {
  const outFolder = dirname(resolve(outPath));
  // Beside the result: it is as large, and the folder for temporary files may be memory.
  const drafts = await mkdtemp(join(outFolder, '.proctor-merge-'));
  try {
    const read: MergeInput[] = [];
    for (const [index, path] of (await distinctFiles(paths)).entries()) {
      const file = await asDocument(path, join(drafts, `${index}.json`), stop);
      read.push(await readMergeInput(file, outFolder, stop));
    }
    const { kept: inputs, control } = withoutControl(read);
    const forbidding = reasonsForbidding(inputs);
    if (forbidding.length > 0) throw new UnlikeResults(forbidding);
    const caveats = reasonsAgainst(inputs);
    if (caveats.length > 0 && !force) throw new UnlikeResults(caveats);
    const controls = control.map(
      ({ file }) => `left out ${file.path}: it comes from check --control`,
    );
    const leftOut = inputs
      .map(({ file: { path }, leftOut: parts }) => ({ path, ...parts }))
      .filter(({ count }) => count > 0);
    const written = await write(inputs, outPath, stop);
    return { ...written, caveats: [...controls, ...caveats], leftOut };
  } finally {
    await rm(drafts, { recursive: true, force: true });
  }
}

/** What no agent did is no sample of what agents do. Throws ControlResults if there is nothing else. */
function withoutControl(inputs: readonly MergeInput[]) {
  const control = inputs.filter(({ sources }) => sources.every(isControl));
  const [first] = control;
  if (first && control.length === inputs.length) throw new ControlResults(first.file.path);
  return { kept: inputs.filter((input) => !control.includes(input)), control };
}

async function write(inputs: readonly MergeInput[], outPath: string, stop?: StopSignal) {
  const sources = mergedSources(inputs.flatMap((input) => input.sources));
  const chosen = await mergedTaskRuns(inputs.flatMap(({ taskRuns }) => taskRuns));
  const taskRuns = numberedTaskRuns(chosen, sources);
  const totals = totalsOf(
    taskRuns.map(({ taskRun }) => taskRun.summary),
    sum(sources.map(({ planned }) => planned)),
  );
  const head = jsonObject({
    schema: resultsSchemaName,
    ...headOfSources(sources),
    mcpServers: jsonArray(mergedServers(inputs.flatMap(({ servers }) => servers))),
    sources,
    totals,
    ...warningsOfSources(sources),
  });
  await writeWholeFile(outPath, async (output) => {
    await output.add(`${head.text.slice(0, -1)},\n"taskRuns":[`);
    for (const [index, { taskRun, run, runs }] of taskRuns.entries()) {
      stop?.throwIfAborted();
      await output.add(`${index > 0 ? ',' : ''}\n${await mergedText(taskRun, { run, runs })}`);
    }
    await output.add('\n]}\n');
  });
  return { sources: sources.length, totals, missing: missingShards(shardsOf(sources)) };
}

/** One account of each: where it tells more, which is longer; else any that is always the same. */
function mergedServers(servers: readonly MergeServer[]): RawJson[] {
  const byKey = new Map<string, string>();
  for (const { name, mcpConfigFile, json } of servers) {
    const key = serverKey(name, mcpConfigFile);
    const known = byKey.get(key);
    const difference = known === undefined ? 1 : json.length - known.length || compare(json, known);
    if (difference > 0) byKey.set(key, json);
  }
  return [...byKey]
    .sort(([one], [other]) => compare(one, other))
    .map(([, json]) => new RawJson(json));
}
