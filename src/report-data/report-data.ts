import type { ResultsDiff } from '../analysis/diff/results-diff.js';
import type { Summary } from '../analysis/summary/summary.js';
import type { ToolsReport } from '../analysis/tools/tool-usage.js';
import type { FailureCategory, Outcome } from '../journal/task-run-events.js';
import type { TaskRunSoFar } from '../results/task-run-record.js';

/**
 * The format of the data in an HTML report, which its writer and its page share. The file holds
 * `<script type="text/plain" id="proctor-index">` and `... id="proctor-chunk-0">`, `-1`, ...:
 * compressed by gzip and encoded in base64, so that a browser interprets nothing in it. The index is
 * a ReportIndex, a chunk is a list of TaskRunSoFar.
 */
export const rootElementId = 'proctor-report';
export const indexElementId = 'proctor-index';
export const getChunkElementId = (chunk: number): string => `proctor-chunk-${chunk}`;

/** The data of the overview, the page of tools and the page of comparisons. */
export interface ReportIndex {
  format: 1;
  proctor: string;
  title: string;
  /** When the report was written, in ISO 8601. */
  writtenAt: string;
  /**
   * The report is of recordings of `proctor proxy`: in place of task runs it has sessions, without
   * outcomes.
   */
  recorded?: true;
  /** Names of the files, or groups of files, that the report was made of. */
  sources: string[];
  /** One per source, or per variant of its matrix. */
  sets: ReportSet[];
  /** Task runs refer to tasks, servers and tools by their places in these lists. */
  tasks: ReportTask[];
  servers: string[];
  tools: ReportTool[];
  taskRuns: ReportTaskRuns;
  /** Comparisons of a set with its base; `base` and `set` are places in `sets`. */
  diffs: { base: number; set: number; diff: ResultsDiff }[];
  notCompared: { base: number; set: number; reason: string }[];
}

/** Task runs that are summed up and compared as one. */
export interface ReportSet {
  /** Unique among the sets. */
  name: string;
  /** Place of its source in `sources`. */
  source: number;
  /** Variant of the matrix; null: there is no matrix. */
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
  /** Place of its server in `servers`. */
  server: number;
  kind: 'tool' | 'resource' | 'prompt';
  name: string;
}

/** Task runs as columns of the same length: ten thousand objects would be slow to read. */
export interface ReportTaskRuns {
  /** Place of its set in `sets`; `task`: in `tasks`. */
  set: number[];
  task: number[];
  run: number[];
  /** Null: a recorded session, which is not judged. */
  outcome: (Outcome | null)[];
  /** False: a run of `--rerun-failed` beside the one that it repeats, and so in no rate. */
  counts: boolean[];
  category: (FailureCategory | null)[];
  /** The beginning of the failure message. */
  message: (string | null)[];
  startedAt: (string | null)[];
  durationMs: (number | null)[];
  calls: number[];
  callErrors: number[];
  /** How many results look like an error and are not marked as one. */
  suspectedErrors: number[];
  inputTokens: (number | null)[];
  outputTokens: (number | null)[];
  cost: (number | null)[];
  /** Places in `tools` of the tools, resources and prompts that it used. */
  tools: number[][];
  /** The chunk that holds all of the task run; `place`: its place there. */
  chunk: number[];
  place: number[];
}

/** The content of a chunk. */
export type ReportChunk = TaskRunSoFar[];
