// What programs that use Proctor import: docs/library.md describes it. To the types here, the build adds all others that
// these reach, so that each can be imported by its name.

export { type FailOn, type ResultsDiff, shouldFail } from './analysis/diff/results-diff.js';
export { UsageError } from './base/errors.js';
export { compilePattern, type Pattern } from './config/patterns/pattern.js';
export { type Problem, type ProblemReport, Problems } from './config/problems/problem.js';
export { type ProblemCode, problemCodes, type Severity } from './config/problems/problem-codes.js';
export type { AgentData } from './config/schemas/agent-schema.js';
export type { Assertions } from './config/schemas/assertions-schema.js';
export type { EvalData } from './config/schemas/eval-schema.js';
export type { McpConfigData } from './config/schemas/mcp-config-schema.js';
export type { ScriptTaskData, StepTaskData } from './config/schemas/task-schema.js';
export type { JournalEvent } from './journal/event.js';
export {
  type CheckedConnections,
  connectEval,
  type FoundEvals,
  findEvals,
  formatProblem,
  InvalidEvalError,
  type LoadedEval,
  loadEval,
  type PlannedEval,
  planEval,
} from './library/load-eval.js';
export type {
  LoadOptions,
  PlanEvalOptions,
  RateOption,
  ReporterOption,
  RunOptions,
  SourceMode,
  TextOutput,
} from './library/options.js';
export { type RecheckOptions, type RecheckResult, recheckEval } from './library/recheck.js';
export {
  type ConvertFormat,
  compareVariants,
  convertResults,
  type DiffResultsOptions,
  diffResults,
  type MergeOptions,
  mergeResults,
  type OpenOptions,
  openResults,
  type ReportOptions,
  type Results,
  type ResultsSource,
  type SelectOptions,
  summarizeResults,
  summarizeTools,
  type ThresholdOptions,
  type VerifyOptions,
  verifyResults,
  writeReport,
} from './library/results.js';
export {
  type RunResult,
  type RunStatus,
  runEval,
  runEvals,
  type StartedRun,
  startEval,
} from './library/run-eval.js';
export { checkSuite } from './plan/checks/check-suite.js';
export { type LabelSelector, parseLabelSelector } from './plan/labels.js';
export {
  makePlan,
  type Plan,
  type PlannedTask,
  type PlanOptions,
  type TaskRun,
} from './plan/plan.js';
export { parseShard, type Shard } from './plan/shard.js';
export { loadSuite, type Suite, type SuiteOptions } from './plan/suite.js';
export type {
  CreateReporter,
  FinishedCheck,
  FinishedRun,
  Reporter,
  ReporterContext,
  ReporterOutput,
  RunEndReason,
} from './reporters/reporter.js';
export type { ResultsFile } from './results/results-file.js';
export { jsonSchemaOf, type SchemaKind, schemaKinds } from './results/schema/json-schemas.js';
export type { TaskRunRecord } from './results/task-run-record.js';
