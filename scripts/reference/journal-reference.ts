import { type EventBody, journalSchema } from '../../src/events/event.js';
import { warningCodes } from '../../src/events/warning-codes.js';
import { code, generatedNote, table } from './markdown.js';

type EventOf<Type> = Extract<EventBody, { type: Type }>;

interface EventPage<Type extends EventBody['type']> {
  what: string;
  /** Does not compile while a field is missing, or one is described that there is not. */
  fields: Record<Exclude<keyof EventOf<Type>, 'type'>, string>;
}

const taskRun = 'the task run it belongs to; not with `proctor proxy`';

const onServer = {
  taskRun,
  server: 'name of the server in the MCP config',
  session:
    'number of the session with this server, from 1; none for a request that stands alone (2026-07-28)',
  by: '`harness` for our own steps; otherwise it was the agent',
};

const events: { [Type in EventBody['type']]: EventPage<Type> } = {
  'run-started': {
    what: 'The first event.',
    fields: {
      schema: `\`${journalSchema}\``,
      proctor: 'version of Proctor',
      command: 'what wrote the journal',
      mcpServers: 'name and transport of every server',
    },
  },
  'mcp-message': {
    what: 'A JSON-RPC message that the proxy relayed, or answered in the place of the server.',
    fields: {
      ...onServer,
      direction: '`to-server` or `to-agent`',
      message: 'the message as it came: order of keys and spelling of numbers are kept',
      bytes: 'its length in UTF-8',
      held: 'it went no further than the proxy: a blocked call, a second `initialize` on a shared process, a cancellation that came too late',
    },
  },
  'mcp-call': {
    what: 'A logical call that has ended: a request of the agent with all that belongs to it. Requests that only answer an `input_required` result belong to the call that got it; the result of a task belongs to the call that started it.',
    fields: {
      ...onServer,
      call: 'place in the order of arrival, from 1. Calls are written as they end, so a journal may have them in another order',
      kind: '`tool`, `resource`, `prompt` or `other` (any other request)',
      method: 'JSON-RPC method',
      name: 'tool or prompt; of a resource its URI',
      args: '`arguments` of the call; of other requests their `params`',
      result: 'what the server answered',
      error: 'the JSON-RPC error, or what went wrong on the way in the same shape (code -32000)',
      isError: 'there is an `error`, or the result says `isError`',
      blocked: 'the MCP config does not allow the tool; the server did not see the call',
      cancelled: 'the agent called it off',
      unfinished: 'it had no answer when everything ended',
      retries: 'how often the agent sent it again with input that was asked for',
      task: 'the task that the server answered with',
      startedAt: 'wall time of the request',
      durationMs: 'until the answer, by a monotonic clock',
      bytes: 'length of the messages in UTF-8: `request`, `response`',
      tokens:
        'tokens (cl100k_base) of the arguments (`args`) and of the text in the `result`; images and other binary parts count nothing',
      request: '`seq` of the message that started it',
      response: '`seq` of the message that ended it',
    },
  },
  warning: {
    what: 'Something that deserves a look, but is no message of the protocol.',
    fields: {
      taskRun,
      code: 'see below',
      message: 'one sentence',
      server: 'name of the server',
      details: 'what it is about, cut to a sensible length',
    },
  },
  'run-ended': {
    what: 'The last event. If it is missing, the process was killed.',
    fields: { durationMs: 'of the whole run', calls: 'how many `mcp-call` events there are' },
  },
};

export function journalReference(): string {
  const parts = [
    generatedNote,
    '# Journal\n',
    `A journal is the record of what happened: JSON Lines, one event a line, written as things happen.
Every event has \`seq\` (counts up from 1 without gaps), \`at\` (wall time, ISO 8601 with milliseconds) and
\`type\`. A last line that is torn, because the process was killed, does not count.\n`,
    'Secrets are replaced by `[redacted:NAME]` before anything is written: values of environment variables in `headers` and `env` of the MCP config, Authorization headers, API keys, and what looks like a token.\n',
    ...Object.entries(events).flatMap(([type, { what, fields }]) => [
      `## ${type}\n`,
      `${what}\n`,
      table(
        ['Field', 'Meaning'],
        Object.entries(fields).map(([field, meaning]) => [code(field), meaning]),
      ),
    ]),
    '## Codes of warnings\n',
    table(
      ['Code', 'Meaning'],
      Object.entries(warningCodes).map(([name, meaning]) => [code(name), meaning]),
    ),
  ];
  return parts.join('\n');
}
