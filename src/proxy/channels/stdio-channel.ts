import { StringDecoder } from 'node:string_decoder';
import { toSingleLine } from '../../base/json-text.js';
import { describeEnd, ProcessGroup } from '../../base/processes/process-group.js';
import type { McpServer } from '../../config/files/mcp-config-file.js';
import { LineSplitter, LineTooLongError, maxMessageLength } from '../../mcp/line-splitter.js';
import type { Channel, ChannelEvents } from './channel.js';

/** How long a server may take to exit once it is not needed any more, in milliseconds. */
const grace = { endOfInput: 1000, terminate: 1000 };

/** Grace period after the end of its input for a server that waits for an answer which cannot come. */
const hurriedGrace = 100;

/** A server that does not read its input must not fill our memory with it. */
const maxUnread = 64 * 1024 * 1024;

/** Starts a stdio server: one JSON text a line, both ways; its log is what it writes to stderr. */
export function openStdioChannel(
  { data }: McpServer,
  environment: NodeJS.ProcessEnv,
  events: ChannelEvents,
): Channel {
  const group = new ProcessGroup(data.command ?? '', data.args ?? [], {
    cwd: data.cwd,
    env: { ...environment, ...data.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const { stdin, stdout, stderr } = group.child;
  const log = new LogTail();
  const lines = new LineSplitter({ ends: /\r?\n/g, maxLength: maxMessageLength });
  let stopping: Promise<unknown> | undefined;
  let isClosed = false;
  let hurry = () => {};
  const hurried = new Promise<void>((resolve) => {
    // It may have asked before it saw the end, and be about to leave.
    hurry = () => void setTimeout(resolve, hurriedGrace).unref();
  });

  const close = (
    code: 'server-failed-to-start' | 'server-exited' | 'message-too-large',
    reason: string,
  ) => {
    if (isClosed) return;
    isClosed = true;
    events.closed({ code, reason, ...(log.text && { details: log.text }) });
  };
  const take = (line: string) => {
    if (line.trim() === '') return;
    // A message is an object (or a batch of them): anything else was meant for people.
    if (/^\s*[{[]/.test(line)) events.message(line);
    else events.noise(line);
  };

  stdout?.on('data', (chunk: Buffer) => {
    try {
      for (const line of lines.push(chunk)) take(line);
    } catch (error) {
      if (!(error instanceof LineTooLongError)) throw error;
      close('message-too-large', `sent too much in one line: ${error.message}`);
      stopping ??= group.stop({ endOfInput: 0, terminate: 0 });
    }
  });
  stderr?.on('data', (chunk: Buffer) => log.add(chunk));
  // The end of the process reports it; without a listener the error would end this process.
  stdin?.on('error', () => {});

  // Output that a process wrote before it ended comes first; its children may hold the pipe open.
  Promise.all([
    group.ended,
    awaitStreamEnd(stdout, group.ended),
    awaitStreamEnd(stderr, group.ended),
  ]).then(([end]) => {
    const rest = lines.end();
    if (!isClosed) take(rest);
    close(end.error ? 'server-failed-to-start' : 'server-exited', describeEnd(end));
    group.kill();
  });

  return {
    send(text, failed) {
      // Without an input it did not start: `closed` follows, and knows why.
      if (!stdin && !isClosed) return;
      if (!stdin?.writable || isClosed) {
        failed('is not running');
      } else if (stdin.writableLength > maxUnread) {
        failed('does not read its input');
      } else {
        stdin.write(`${toSingleLine(text)}\n`);
      }
    },
    pause: () => stdout?.pause(),
    resume: () => stdout?.resume(),
    log: () => log.text,
    async close() {
      stopping ??= group.stop(grace, hurried);
      // What it writes while it exits is not used, but a full pipe would keep it from exiting.
      stdout?.resume();
      await stopping;
    },
    hurry,
  };
}

/** How long the output of an ended process may be held open by its children, in milliseconds. */
const leftOpen = 500;

async function awaitStreamEnd(
  stream: NodeJS.ReadableStream | null | undefined,
  processEnd: Promise<unknown>,
): Promise<void> {
  // A process that was never started may have none, whatever the types say.
  if (!stream) return;
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<void>((resolve) => {
    stream.once('close', resolve).once('end', resolve);
    void processEnd.then(() => {
      // While a slow reader holds it up, what the process wrote is still on its way.
      timer = setInterval(() => {
        if (!stream.isPaused()) resolve();
      }, leftOpen);
    });
  });
  await Promise.all([end, processEnd]);
  clearInterval(timer);
}

const maxLines = 20;
/** Characters that are kept of the log: more than is recorded. */
const maxLength = 8000;

/** The last lines that a server wrote to its log. */
class LogTail {
  readonly #decoder = new StringDecoder('utf8');
  #text = '';

  add(chunk: Buffer): void {
    const text = this.#text + this.#decoder.write(chunk);
    this.#text = text.length <= maxLength ? text : dropFirstWord(text.slice(-maxLength));
  }

  get text(): string {
    return this.#text.trimEnd().split('\n').slice(-maxLines).join('\n');
  }
}

/** Half of a secret would not be recognised as one. */
function dropFirstWord(text: string): string {
  return text.replace(/^[^\s"',:=]*/, '').trimStart();
}
