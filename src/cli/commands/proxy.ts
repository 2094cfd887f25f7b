import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { exitCodes, UsageError } from '../../base/errors.js';
import { didYouMean } from '../../base/nearest.js';
import { plural } from '../../base/text.js';
import { explainWriteFailure } from '../../base/write-failure.js';
import {
  isOnlyInTaskRun,
  type McpConfig,
  type McpServer,
  readMcpConfigFile,
} from '../../config/files/mcp-config-file.js';
import { readMcpEnvironment } from '../../config/files/mcp-environment.js';
import { Problems } from '../../config/problems/problem.js';
import { Redactor } from '../../config/secrets/redactor.js';
import { collectSecrets } from '../../config/secrets/suite-secrets.js';
import type { EventBody } from '../../journal/event.js';
import { CallStatisticsFold } from '../../results/call-statistics.js';
import { JournalError, Recording } from '../../run/recording.js';
import type { CommandRun } from '../command.js';
import { withoutSecrets } from '../redacted-text.js';
import { renderCall, renderCallStatistics, renderWarning } from '../render-call.js';
import { renderProblems } from '../render-problems.js';
import { untilStopped } from '../stop-signals.js';
import { jsonText, type Style, styleFor } from '../terminal/output.js';
import { printText, terminalLine } from '../terminal/text.js';

export async function run(call: CommandRun): Promise<number> {
  const { options, io } = call;
  const style = styleFor(io.stderr, io.environment);
  const config = readConfig(call, style);
  if (config === undefined) return exitCodes.invalid;
  const servers = chooseServers(call, config);
  const redactor = new Redactor(collectSecrets({ mcpConfigs: [config] }, io.environment));
  const redact = (text: string) => redactor.text(text);
  const path = typeof options.out === 'string' ? options.out : makeDefaultOut();
  const statistics = new CallStatisticsFold();
  const stop = untilStopped();
  const serverWidth = Math.max(...servers.map(({ name }) => terminalLine(name).length));

  const show = (event: EventBody) => {
    if (event.type === 'mcp-call') {
      statistics.add(event);
      if (event.kind === 'other' && options.verbose !== true) return;
      printText(io.stderr, `${redact(renderCall(event, serverWidth, style, redact))}\n`);
    } else if (event.type === 'warning') {
      printText(io.stderr, `${redact(renderWarning(event, style, redact))}\n`);
    }
  };
  let recording: Recording;
  try {
    recording = await Recording.start({
      servers,
      written: config.written,
      redactor,
      environment: io.environment,
      path,
      overwrite: options.out !== undefined,
      port: parsePort(options.port),
      onEvent: show,
      onFailure: (failure) => stop.now(failure),
    });
  } catch (error) {
    throw toUsageError(error, options.port);
  }
  try {
    await announce(call, recording.urls);
  } catch (error) {
    await recording.stop();
    // Nothing was recorded. A file that the user named may have existed before.
    if (options.out === undefined) await rm(path);
    throw error;
  }
  limitHeapGrowth();
  const count = plural(servers.length, 'server');
  printText(
    io.stderr,
    style('dim', `Recording ${count} to ${terminalLine(path)}; stop with Ctrl-C\n`),
  );

  const failure = await stop.asked;
  try {
    await recording.stop();
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
  }
  const { entries } = statistics;
  const summary = entries.length === 0 ? 'No calls.' : renderCallStatistics(entries, style, redact);
  printText(io.stderr, `\n${redact(summary)}\n`);
  if (failure !== undefined) {
    printText(io.stderr, `${style('red', 'error:')} ${terminalLine(failure.message)}\n`);
    return exitCodes.failed;
  }
  printText(io.stderr, `\n${style('dim', `The record is in ${terminalLine(path)}`)}\n`);
  return exitCodes.ok;
}

/** From the file, else from MCP_* variables. Problems are shown as `validate` would. */
function readConfig({ options, io }: CommandRun, style: Style): McpConfig | undefined {
  const { mcpConfigFile } = options;
  if (typeof mcpConfigFile !== 'string') {
    const found = readMcpEnvironment(io.environment);
    if (found && 'config' in found) return found.config;
    if (found) throw new UsageError(`the environment variable ${found.variable} ${found.reason}`);
    const hint = 'give --mcp-config-file, or set MCP_URL or MCP_COMMAND';
    throw new UsageError('there is no server to record', hint);
  }
  const problems = new Problems();
  const config = readMcpConfigFile(resolve(mcpConfigFile), io.environment, problems);
  const report = problems.report({ strict: false });
  const shown = options.allowAllTools
    ? report.problems.filter(({ code }) => code !== 'server-allows-nothing')
    : report.problems;
  if (shown.length > 0) {
    const text = `${renderProblems({ ...report, problems: shown }, style)}\n`;
    printText(io.stderr, withoutSecrets(text, io.environment));
  }
  return report.errors > 0 ? undefined : config;
}

function chooseServers({ options }: CommandRun, { servers, disabled }: McpConfig): McpServer[] {
  const { server: name, allowAllTools } = options;
  const chosen = name === undefined ? servers : servers.filter((server) => server.name === name);
  if (chosen.length === 0) {
    const names = servers.map((server) => server.name);
    const why = disabled.includes(String(name)) ? 'is disabled' : 'is not in the MCP config';
    const hint = didYouMean(String(name), names) ?? `there are: ${names.join(', ')}`;
    throw new UsageError(`--server: ${JSON.stringify(name)} ${why}`, hint);
  }
  const late = chosen.find(isOnlyInTaskRun);
  if (late) {
    const message = `the URL of ${JSON.stringify(late.name)} has a value of a task run, and here is none`;
    throw new UsageError(message, 'use an MCP config with the address of a server that runs');
  }
  if (allowAllTools !== true) return chosen;
  return chosen.map((server) => ({ ...server, data: { ...server.data, enableAllTools: true } }));
}

/** The MCP config for an agent: the proxy's addresses, and nothing of the real servers. */
async function announce({ options, io }: CommandRun, urls: ReadonlyMap<string, string>) {
  const block = [...urls].map(([name, url]) => [name, { type: 'http', url }]);
  const text = jsonText({ mcpServers: Object.fromEntries(block) });
  const { writeConfig } = options;
  if (typeof writeConfig !== 'string') {
    io.stdout.write(text);
    return;
  }
  // Programs that wait for the file must not find half of it. The addresses are secrets.
  // An unguessable name, and `wx`: the owner of an existing temp file could read it.
  const draft = `${writeConfig}.${randomUUID()}.tmp`;
  try {
    await writeFile(draft, text, { mode: 0o600, flag: 'wx' });
    await rename(draft, writeConfig);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    throw new UsageError(`cannot write ${writeConfig}: ${explainWriteFailure(error).reason}`);
  }
}

function parsePort(option: CommandRun['options'][string]): number {
  if (option === undefined) return 0;
  const port = /^\d{1,5}$/.test(String(option)) ? Number(option) : -1;
  if (port >= 0 && port <= 65_535) return port;
  throw new UsageError(
    `--port: expected a number from 0 to 65535, found ${JSON.stringify(option)}`,
  );
}

/** A new file each time: a record is not overwritten by the next. */
function makeDefaultOut(): string {
  const time = new Date().toISOString().replace(/[:Z]/g, '').replace(/[T.]/g, '-');
  return `proctor-proxy-${time}.jsonl`;
}

function toUsageError(error: unknown, port: unknown): unknown {
  if (error instanceof JournalError) return new UsageError(error.message);
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'EADDRINUSE' && code !== 'EACCES') return error;
  const why = code === 'EACCES' ? 'needs permissions' : 'is in use';
  return new UsageError(`the port ${port} ${why}`, 'leave --port out to get a free one');
}

/**
 * Lets the heap grow to twice of what is in use before V8 collects garbage; by itself it waits for up to four
 * times. Many recorded messages live just long enough to get into the old part of the heap, so that most of it
 * is garbage: at its peak, the proxy had 171 to 175 MB in 20,000 calls of 10 kB, and so it had 141 MB.
 *
 * For a command that records and has been loaded: V8 takes no cached code that was compiled with other flags.
 * That is also why the flag is reset before the code cache is written, at the end of the process.
 */
function limitHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=100');
  process.prependListener('exit', () => setFlagsFromString('--heap-growing-percent=0'));
}
