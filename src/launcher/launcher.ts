import { join } from 'node:path';
import { inspect } from 'node:util';
import { errorMessage } from '../base/errors.js';
// Types only: the program itself is a chunk of its own, loaded when it is needed.
import type * as MainChunk from '../cli/main.js';
import type * as RedactedTextChunk from '../cli/redacted-text.js';
import { proctorVersion } from '../proctor-version.js';
import { startCodeCache } from './code-cache.js';
import { ProcessOutput } from './process-output.js';

/** The environment is wrong: what was asked for could not be written. */
const outputLostExitCode = 2;

/** 70 (EX_SOFTWARE of sysexits.h): a bug in Proctor. */
const internalErrorExitCode = 70;

const stdout = new ProcessOutput(1);
const stderr = new ProcessOutput(2);
let loadChunk: ReturnType<typeof startCodeCache> | undefined;

const commandLine = process.argv.slice(2);

if (commandLine.length === 1 && (commandLine[0] === '--version' || commandLine[0] === '-V')) {
  stdout.write(`${proctorVersion}\n`);
} else {
  runMain();
}

process.on('exit', () => {
  if (stdout.failure === undefined) return;
  stderr.write(`proctor: cannot write to standard output: ${stdout.failure}\n`);
  process.exitCode ||= outputLostExitCode;
});

async function runMain(): Promise<void> {
  // Stands until main has answered: an event loop that runs dry before that is no success.
  process.exitCode = internalErrorExitCode;
  let answered = false;
  process.on('exit', (exitCode) => {
    if (!answered && exitCode === internalErrorExitCode) {
      printInternalError(new Error('the program ended before its work was done'));
    }
  });
  process.on('uncaughtException', (error) => {
    answered = true;
    printInternalError(error);
    process.exit(internalErrorExitCode);
  });
  try {
    loadChunk = startCodeCache(join(import.meta.dirname, 'chunks'));
    const { main } = loadChunk('main.cjs') as unknown as typeof MainChunk;
    process.exitCode = await main(commandLine, { stdout, stderr, environment: process.env });
    answered = true;
  } catch (error) {
    answered = true;
    printInternalError(error);
    // Whatever main left running, a timer or a child process, must not keep this one alive.
    stdout.afterLastWrite(() => process.exit(internalErrorExitCode));
  }
}

function printInternalError(error: unknown): void {
  const message = errorMessage(error);
  stderr.write(
    `proctor: internal error: ${redactSecrets(message)}\n` +
      'This is a bug in Proctor. Please report it together with what follows.\n\n' +
      `${redactSecrets(inspect(error))}\n\n` +
      `proctor ${proctorVersion}, node ${process.version}, ${process.platform} ${process.arch}\n`,
  );
}

/** Removes secrets from a text that the user is asked to send along with a bug report. */
function redactSecrets(text: string): string {
  let chunk: typeof RedactedTextChunk | undefined;
  try {
    chunk = loadChunk?.('redacted-text.cjs') as typeof RedactedTextChunk | undefined;
  } catch {
    // A program of which parts are missing has not come to read anything.
  }
  try {
    return chunk ? chunk.withoutSecrets(text, process.env) : text;
  } catch {
    return '(not shown, as it may hold secrets)';
  }
}
