import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
// Types only: the program itself is a chunk of its own, loaded when it is needed.
import type { CommandIo, Output } from '../cli/io.js';
import type * as MainChunk from '../cli/main.js';
import { proctorVersion } from '../proctor-version.js';
import { startCodeCache } from './code-cache.js';
import { guardOutput } from './output-guard.js';

/** 70 (EX_SOFTWARE of sysexits.h): a bug in Proctor. */
const internalErrorExitCode = 70;

const commandLine = process.argv.slice(2);

if (commandLine.length === 1 && (commandLine[0] === '--version' || commandLine[0] === '-V')) {
  printVersion();
} else {
  runMain();
}

function printVersion(): void {
  const line = `${proctorVersion}\n`;
  try {
    // Setting up process.stdout would take longer than all the rest.
    writeSync(1, line);
  } catch {
    guardOutput();
    process.stdout.write(line);
  }
}

async function runMain(): Promise<void> {
  const output = guardOutput();
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
    const loadChunk = startCodeCache(join(import.meta.dirname, 'chunks'));
    const { main } = loadChunk('main.cjs') as unknown as typeof MainChunk;
    const exitCode = await main(commandLine, processIo());
    answered = true;
    process.exitCode = output.exitCodeFor(exitCode);
  } catch (error) {
    answered = true;
    printInternalError(error);
    // Not at once: what was written before may still be on its way into a pipe.
    process.stdout.write('', () => process.exit(internalErrorExitCode));
  }
}

function processIo(): CommandIo {
  return {
    stdout: outputTo(process.stdout),
    stderr: outputTo(process.stderr),
    environment: process.env,
  };
}

function outputTo(stream: NodeJS.WriteStream): Output {
  return { write: (text) => stream.write(text), isTerminal: stream.isTTY === true };
}

function printInternalError(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(
    `proctor: internal error: ${message}\n` +
      'This is a bug in Proctor. Please report it together with what follows.\n\n' +
      `${inspect(error)}\n\n` +
      `proctor ${proctorVersion}, node ${process.version}, ${process.platform} ${process.arch}\n`,
  );
}
