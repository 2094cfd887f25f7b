import { resolve } from 'node:path';
import { parseDuration } from '../base/duration.js';
import { compilePattern } from '../config/patterns/pattern.js';
import { parseLabelSelector } from '../plan/labels.js';
import type { PlanOptions } from '../plan/plan.js';
import type { SuiteOptions } from '../plan/suite.js';
import { agentOverride } from './agent-override.js';
import type { CommandRun } from './command.js';
import { UsageError } from './exit-codes.js';
import { runsOptionsOf } from './runs-options.js';
import { shardOption } from './shard-option.js';

/** The command-line options that decide what is in a plan, checked. */
export function planOptionsOf({ options, io }: CommandRun): PlanOptions {
  const plan: PlanOptions = {};
  const given = (key: string) => (typeof options[key] === 'string' ? options[key] : undefined);

  const run = given('run');
  if (run !== undefined) {
    const result = compilePattern(run);
    if (!result.ok) {
      const marker = `${run}\n  ${' '.repeat(result.offset)}^`;
      throw new UsageError(`--run: invalid pattern: ${result.reason}`, marker);
    }
    plan.run = result.pattern;
  }
  const labels = given('labelSelector');
  if (labels !== undefined)
    plan.labels = wellFormed('--label-selector', parseLabelSelector(labels));
  Object.assign(plan, runsOptionsOf(given('runs'), given('runsWidth'), given('runsMax')));
  const shard = given('shard');
  if (shard !== undefined) plan.shard = shardOption(shard, io.environment);
  for (const [key, option] of Object.entries(durationOptions)) {
    const value = given(key);
    if (value !== undefined) plan[key as keyof typeof durationOptions] = duration(option, value);
  }
  return plan;
}

const durationOptions = {
  taskTimeout: '--task-timeout',
  defaultTaskTimeout: '--default-task-timeout',
  cleanupTimeout: '--cleanup-timeout',
  defaultCleanupTimeout: '--default-cleanup-timeout',
} as const;

/** The options that decide who does the tasks, and with what. Each can be given several times. */
export function suiteOptionsOf({ options, io }: CommandRun): SuiteOptions {
  const agents = listOf(options, 'agent', '--agent');
  const models = listOf(options, 'model', '--model');
  const mcpConfigFiles = listOf(options, 'mcpConfigFile', '--mcp-config-file');
  return {
    environment: io.environment,
    ...(agents && {
      agents: agents.map((written) => ({ written, value: agentOverride(written) })),
    }),
    ...(models && { models }),
    ...(typeof options.prices === 'string' && { pricesFile: resolve(options.prices) }),
    ...(mcpConfigFiles && {
      mcpConfigFiles: mcpConfigFiles.map((written) => ({ written, value: resolve(written) })),
    }),
  };
}

function listOf(
  options: CommandRun['options'],
  key: string,
  flag: string,
): readonly string[] | undefined {
  const value = options[key];
  const list = typeof value === 'string' ? [value] : value;
  if (!Array.isArray(list) || list.length === 0) return undefined;
  if (list.some((each) => each.trim() === '')) {
    throw new UsageError(`${flag}: expected a value, found nothing`);
  }
  return list;
}

function wellFormed<Value extends object>(option: string, parsed: Value | string): Value {
  if (typeof parsed === 'string') throw new UsageError(`${option}: ${parsed}`);
  return parsed;
}

export function wholeNumber(option: string, text: string, max: number): number {
  const number = /^\d+$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= max) return number;
  const expected = `expected a whole number from 1 to ${max}`;
  throw new UsageError(`${option}: ${expected}, found ${JSON.stringify(text)}`);
}

function duration(option: string, text: string): string {
  const result = parseDuration(text);
  if (result.ok && result.milliseconds > 0) return text;
  const reason = result.ok ? 'a limit is more than zero' : result.reason;
  const message = `${option}: invalid duration ${JSON.stringify(text)}: ${reason}`;
  throw new UsageError(message, 'write it like 300ms, 30s, 5m or 1h30m');
}
