import type { ResultsDiff } from '../analysis/diff/results-diff.js';
import type { Summary } from '../analysis/summary/summary.js';
import type { ToolsReport } from '../analysis/tools/tool-usage.js';
import type { FailureCategory, Outcome } from '../journal/task-run-events.js';
import type { TaskRunSoFar } from '../results/task-run-record.js';

/**
 * What the HTML report and the page in it agree on. The file holds `<script type="text/plain"
 * id="proctor-index">` and `... id="proctor-chunk-0">`, `-1`, ...: gzip, then base64, so that nothing
 * in it means anything to a browser. The index is a ReportIndex, a chunk a list of TaskRunSoFar.
 */
export const rootElementId = 'proctor-report';
export const indexElementId = 'proctor-index';
export const chunkElementId = (chunk: number): string => `proctor-chunk-${chunk}`;

/** Everything that the overview, the tools and the compare page need. */
export interface ReportIndex {
  format: 1;
  proctor: string;
  title: string;
  /** Wall time, ISO 8601. */
  writtenAt: string;
  /** It is of recordings of `proctor proxy`: what stands for task runs are sessions, without outcomes. */
  recorded?: true;
  /** Names of the files or groups that were given. */
  sources: string[];
  /** One for each source, or for each variant of its matrix. */
  sets: ReportSet[];
  /** Names that task runs refer to by their place. */
  tasks: ReportTask[];
  servers: string[];
  tools: ReportTool[];
  taskRuns: ReportTaskRuns;
  /** Of each further set with the one that it is held against; places in `sets`. */
  diffs: { base: number; set: number; diff: ResultsDiff }[];
  notCompared: { base: number; set: number; reason: string }[];
}

/** What is summed up and compared as one. */
export interface ReportSet {
  /** Tells it from the other sets. */
  name: string;
  /** Place in `sources`. */
  source: number;
  /** Null: there is no matrix. */
  variant: string | null;
  summary: Summary;
  tools: ToolsReport;
}

export interface ReportTask {
  name: string;
  path: string;
  difficulty: string | null;
  labels: Readonly<Record<string, string>>;
}

export interface ReportTool {
  /** Place in `servers`. */
  server: number;
  kind: 'tool' | 'resource' | 'prompt';
  name: string;
}

/** Columns, all of the same length: ten thousand objects would be slow to read. */
export interface ReportTaskRuns {
  /** Place in `sets`. */
  set: number[];
  task: number[];
  run: number[];
  /** Null: a session of a recording, which nobody judged. */
  outcome: (Outcome | null)[];
  /** False: of `--rerun-failed` beside what it repeats, and so in no rate. */
  counts: boolean[];
  category: (FailureCategory | null)[];
  /** The beginning of it. */
  message: (string | null)[];
  startedAt: (string | null)[];
  durationMs: (number | null)[];
  calls: number[];
  callErrors: number[];
  /** Results that look like an error and are not marked as one. */
  suspectedErrors: number[];
  inputTokens: (number | null)[];
  outputTokens: (number | null)[];
  cost: (number | null)[];
  /** Places in `tools` of what it called. */
  tools: number[][];
  /** Where its whole is. */
  chunk: number[];
  place: number[];
}

/** What a chunk holds. */
export type ReportChunk = TaskRunSoFar[];
