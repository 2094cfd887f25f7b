import type { TaskRunResult } from '../../src/results/schema/task-run-schema.js';

const run = 'globalThis.hacked=1';

/** Texts that do something wherever they are taken for more than text. */
export const hostileTexts: readonly string[] = [
  `</script><script>${run}</script>`,
  `<!--<script>${run}</script>`,
  `<img src=x onerror="${run}">`,
  `<svg onload="${run}"><script>${run}</script></svg>`,
  `"><a href="javascript:${run}" autofocus onfocus="${run}">x</a>`,
  `' onmouseover='${run}`,
  `javascript:${run}`,
  `[x](javascript:${run})`,
  `<style>*{display:none}</style><link rel=stylesheet href=//example.com/x.css>`,
  `<iframe srcdoc="<script>parent.${run}</script>"></iframe>`,
  `{{constructor.constructor('${run}')()}} \${${run}}`,
  ']]> --> &lt;b&gt; &#x41;',
  '\u2028\u2029\u0000\u001b[31mred\u001b]8;;https://example.com\u0007link\u202edesrever',
  'half of a pair: \ud800 and \udc00',
  '__proto__',
  'constructor',
];

/** Five megabytes in the places where one reads them. */
export function longRun(taskRun: TaskRunResult): TaskRunResult {
  const text = '<b>long</b> '.repeat(450_000);
  const [assertion] = taskRun.assertions;
  return {
    ...taskRun,
    output: text,
    calls: taskRun.calls.slice(0, 1).map((call) => ({
      ...call,
      args: { text },
      result: { content: [{ type: 'text', text }] },
    })),
    assertions: assertion ? [{ ...assertion, reason: text }] : [],
  };
}

const deep = (open: string, close: string) => open.repeat(30_000) + close.repeat(30_000);

/** A task run that holds a hostile text wherever there is a place for one, as JSON. */
export function hostileRun(taskRun: TaskRunResult, text: string): string {
  const { calls, assertions, phases } = taskRun;
  const hostile = {
    ...taskRun,
    id: text,
    task: `${taskRun.task} ${text}`,
    path: text,
    difficulty: text,
    // Not as a literal, in which it would be the prototype.
    labels: Object.fromEntries([[text, text]]),
    prompt: text,
    output: text,
    outcome: 'failed',
    failure: { category: 'verification-failed', message: text, evidence: 1 },
    calls: calls.map((call) => ({
      ...call,
      server: text,
      name: text,
      args: Object.fromEntries([[text, text]]),
      result: {
        content: [
          { type: 'text', text },
          { type: 'image', mimeType: text, data: text },
          { type: 'resource_link', uri: text, name: text },
          { type: text, [text]: 'DEEP LIST' },
        ],
        structuredContent: { [text]: 'DEEP OBJECT' },
        isError: true,
      },
      error: { code: -32000, message: text, data: text },
      isError: true,
    })),
    assertions: assertions.map((assertion) => ({
      ...assertion,
      name: text,
      passed: false,
      reason: text,
      details: [text],
      at: { file: text, line: 1 },
    })),
    phases: {
      ...phases,
      agent: {
        outcome: 'passed',
        durationMs: 100,
        steps: [
          { seq: 5, kind: 'thinking', text },
          { seq: 6, kind: 'message', text },
          { seq: 7, kind: 'tool-call', tool: text, id: text, args: { [text]: text } },
          { seq: 8, kind: 'tool-result', id: text, isError: true, text },
          { seq: 9, kind: 'log', text },
        ],
      },
      verify: phases.verify && {
        ...phases.verify,
        message: text,
        details: text,
        steps: phases.verify.steps.map((step) => ({
          ...step,
          kind: text,
          message: text,
          outputs: Object.fromEntries([[text, text]]),
        })),
      },
    },
    permissionDenials: [{ tool: text }],
    warnings: [{ seq: 3, code: text, message: text, server: text, details: text }],
  };
  return JSON.stringify(hostile)
    .replaceAll('"DEEP LIST"', deep('[', ']'))
    .replaceAll('"DEEP OBJECT"', deep('{"a":', '}').replace('}', '1}'));
}
