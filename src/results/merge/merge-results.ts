import { mkdtemp, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { RawJson } from '../../base/json-text.js';
import { makeServerKey } from '../journal/journal-survey.js';
import { listShards } from '../read/header-parser.js';
import { findDistinctFiles } from '../read/open-results.js';
import { isControl } from '../read/pooled-results.js';
import { ControlResultsError } from '../results-errors.js';
import type { LeftOutOfFile, StopSignal } from '../results-file.js';
import { type ResultTotals, resultsSchemaName } from '../schema/results-schema.js';
import { findMissingShards, type MissingShards } from '../shards.js';
import { convertToDocument } from '../write/document-conversion.js';
import { stringifyWithRaw, writeJsonFile } from '../write/json-output.js';
import { computeTotals } from '../write/totals.js';
import { findConflicts, findHardConflicts, UnlikeResultsError } from './merge-conflicts.js';
import { type MergeInput, type MergeServer, readMergeInput } from './merge-input.js';
import {
  buildMergedHead,
  compareValues,
  mergeSources,
  mergeWarnings,
  sum,
} from './source-merge.js';
import { formatMergedTaskRun, mergeTaskRuns, numberTaskRuns } from './task-run-merge.js';

export interface Merged {
  sources: number;
  totals: ResultTotals;
  /** Control runs that were left out, and conflicts that --force has overridden. */
  caveats: string[];
  missing: MissingShards[];
  leftOut: LeftOutOfFile[];
}

interface MergeOptions {
  force: boolean;
  stop?: StopSignal;
}

/**
 * Merges files of results of any kind into one results file. The result depends neither on their order nor on
 * earlier merges. Throws UnlikeResultsError (some conflicts can be forced), ContradictingResultsError, and what
 * openResultsFile throws.
 */
export async function mergeResults(
  paths: readonly string[],
  outPath: string,
  { force, stop }: MergeOptions,
): Promise<Merged> {
  const outFolder = dirname(resolve(outPath));
  // Beside the result: temp files are as large, and the system's folder for them may be in memory.
  const tempFolder = await mkdtemp(join(outFolder, '.proctor-merge-'));
  try {
    const read: MergeInput[] = [];
    for (const [index, path] of (await findDistinctFiles(paths)).entries()) {
      const file = await convertToDocument(path, join(tempFolder, `${index}.json`), stop);
      read.push(await readMergeInput(file, outFolder, stop));
    }
    const { kept: inputs, control } = separateControl(read);
    const forbidding = findHardConflicts(inputs);
    if (forbidding.length > 0) throw new UnlikeResultsError(forbidding);
    const caveats = findConflicts(inputs);
    if (caveats.length > 0 && !force) throw new UnlikeResultsError(caveats);
    const controls = control.map(
      ({ file }) => `left out ${file.path}: it comes from check --control`,
    );
    const leftOut = inputs
      .map(({ file: { path }, leftOut: parts }) => ({ path, ...parts }))
      .filter(({ count }) => count > 0);
    const written = await writeMerged(inputs, outPath, stop);
    return { ...written, caveats: [...controls, ...caveats], leftOut };
  } finally {
    await rm(tempFolder, { recursive: true, force: true });
  }
}

/** Leaves out control runs, in which no agent took part. Throws ControlResultsError if there is nothing else. */
function separateControl(inputs: readonly MergeInput[]) {
  const control = inputs.filter(({ sources }) => sources.every(isControl));
  const [first] = control;
  if (first && control.length === inputs.length) throw new ControlResultsError(first.file.path);
  return { kept: inputs.filter((input) => !control.includes(input)), control };
}

async function writeMerged(inputs: readonly MergeInput[], outPath: string, stop?: StopSignal) {
  const sources = mergeSources(inputs.flatMap((input) => input.sources));
  const chosen = await mergeTaskRuns(inputs.flatMap(({ taskRuns }) => taskRuns));
  const taskRuns = numberTaskRuns(chosen, sources);
  const totals = computeTotals(
    taskRuns.map(({ taskRun }) => taskRun.summary),
    sum(sources.map(({ planned }) => planned)),
  );
  const head = stringifyWithRaw({
    schema: resultsSchemaName,
    ...buildMergedHead(sources),
    mcpServers: mergeServers(inputs.flatMap(({ servers }) => servers)),
    sources,
    totals,
    ...mergeWarnings(sources),
  });
  await writeJsonFile(outPath, async (output) => {
    await output.add(`${head.slice(0, -1)},\n"taskRuns":[`);
    for (const [index, { taskRun, run, runs }] of taskRuns.entries()) {
      stop?.throwIfAborted();
      await output.add(
        `${index > 0 ? ',' : ''}\n${await formatMergedTaskRun(taskRun, { run, runs })}`,
      );
    }
    await output.add('\n]}\n');
  });
  return { sources: sources.length, totals, missing: findMissingShards(listShards(sources)) };
}

/** Keeps one record of each server: the longest, as it has more; the choice does not depend on the order. */
function mergeServers(servers: readonly MergeServer[]): RawJson[] {
  const byKey = new Map<string, string>();
  for (const { name, mcpConfigFile, json } of servers) {
    const key = makeServerKey(name, mcpConfigFile);
    const known = byKey.get(key);
    const difference =
      known === undefined ? 1 : json.length - known.length || compareValues(json, known);
    if (difference > 0) byKey.set(key, json);
  }
  return [...byKey]
    .sort(([one], [other]) => compareValues(one, other))
    .map(([, json]) => new RawJson(json));
}
