import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Problems } from '../../src/config/problems/problem.js';
import type { ProblemCode } from '../../src/config/problems/problem-codes.js';
import { checkSuite } from '../../src/plan/checks/check-suite.js';
import { loadSuite } from '../../src/plan/suite.js';

/**
 * Every row of the tables in the eval configuration reference, used rightly and wrongly. What a row
 * is about stands in the table's place of an eval that is fine otherwise.
 */
interface Row {
  field: string;
  valid: string;
  invalid: string;
  code: ProblemCode;
}

interface Table {
  name: string;
  place: keyof typeof places;
  rows: Row[];
}

const agent = '{ type: file, path: agent.yaml }';
const config = `{ agent: ${agent}, mcpConfigFile: mcp.yaml, taskSets: [{ path: tasks/pod.yaml }] }`;

const inEval = (metadata: string, configuration: string) =>
  `kind: Eval\nmetadata: ${metadata}\nconfig: ${configuration}\n`;
const inTaskSets = (set: string) =>
  inEval('{ name: seed }', `{ agent: ${agent}, mcpConfigFile: mcp.yaml, taskSets: [${set}] }`);

/** An eval with the given text at a place. */
const places = {
  file: (text: string) => text,
  metadata: (text: string) => inEval(text, config),
  config: (text: string) => inEval('{ name: seed }', text),
  agent: (text: string) =>
    inEval('{ name: seed }', config.replace(`agent: ${agent}`, `agent: ${text}`)),
  taskSet: inTaskSets,
  assertions: (text: string) => inTaskSets(`{ path: tasks/pod.yaml, assertions: ${text} }`),
};

const tables: Table[] = [
  {
    name: 'Top-Level Fields',
    place: 'file',
    rows: [
      {
        field: 'kind',
        valid: inEval('{ name: seed }', config),
        invalid: inEval('{ name: seed }', config).replace('Eval', 'Suite'),
        code: 'wrong-kind',
      },
      {
        field: 'metadata',
        valid: inEval('{ name: seed }', config),
        invalid: `kind: Eval\nconfig: ${config}\n`,
        code: 'missing-field',
      },
      {
        field: 'config',
        valid: inEval('{ name: seed }', config),
        invalid: 'kind: Eval\nmetadata: { name: seed }\n',
        code: 'missing-field',
      },
    ],
  },
  {
    name: 'metadata Fields',
    place: 'metadata',
    rows: [{ field: 'name', valid: '{ name: "seed" }', invalid: '{}', code: 'missing-field' }],
  },
  {
    name: 'config Fields',
    place: 'config',
    rows: [
      {
        field: 'agent',
        valid: config,
        invalid: '{ mcpConfigFile: mcp.yaml, taskSets: [{ path: tasks/pod.yaml }] }',
        code: 'missing-field',
      },
      {
        field: 'mcpConfigFile',
        valid: config,
        invalid: `{ agent: ${agent}, taskSets: [{ path: tasks/pod.yaml }] }`,
        code: 'missing-mcp-config',
      },
      {
        field: 'taskSets',
        valid: config,
        invalid: `{ agent: ${agent}, mcpConfigFile: mcp.yaml, taskSets: [] }`,
        code: 'no-task-sets',
      },
    ],
  },
  {
    name: 'agent Object',
    place: 'agent',
    rows: [
      {
        field: 'type',
        valid: '{ type: builtin.claude-code }',
        invalid: '{ type: builtin.unheard-of }',
        code: 'invalid-value',
      },
      { field: 'path', valid: agent, invalid: '{ type: file }', code: 'missing-field' },
      {
        field: 'model',
        valid: '{ type: builtin.openai-agent, model: gpt-4 }',
        invalid: '{ type: builtin.openai-agent }',
        code: 'missing-model',
      },
    ],
  },
  {
    name: 'taskSets Array Items',
    place: 'taskSet',
    rows: [
      {
        field: 'path',
        valid: '{ path: tasks/pod.yaml }',
        invalid: '{ path: tasks/none.yaml }',
        code: 'file-not-found',
      },
      {
        field: 'glob',
        valid: '{ glob: "tasks/**/*.yaml" }',
        invalid: '{ glob: "none/**/*.yaml" }',
        code: 'glob-matches-nothing',
      },
      {
        field: 'assertions',
        valid: '{ path: tasks/pod.yaml, assertions: { maxToolCalls: 3 } }',
        invalid: '{ path: tasks/pod.yaml, assertions: [maxToolCalls] }',
        code: 'wrong-type',
      },
      {
        field: 'path or glob: not both',
        valid: '{ path: tasks/pod.yaml }, { glob: tasks/*.yaml }',
        invalid: '{ path: tasks/pod.yaml, glob: tasks/*.yaml }',
        code: 'conflicting-fields',
      },
      {
        field: 'path or glob: not neither',
        valid: '{ glob: tasks/pod.yaml, assertions: { minToolCalls: 1 } }',
        invalid: '{ assertions: { minToolCalls: 1 } }',
        code: 'missing-field',
      },
    ],
  },
  {
    name: 'Tool Assertions',
    place: 'assertions',
    rows: [
      {
        field: 'toolsUsed',
        valid: '{ toolsUsed: [{ server: kubernetes }, { server: docs, tool: search }] }',
        invalid: '{ toolsUsed: { server: kubernetes } }',
        code: 'wrong-type',
      },
      {
        field: 'requireAny',
        valid: '{ requireAny: [{ server: kubernetes }, { server: docs, tool: search }] }',
        invalid: '{ requireAny: [] }',
        code: 'empty-list',
      },
      {
        field: 'toolsNotUsed',
        valid: '{ toolsNotUsed: [{ server: kubernetes, tool: pods_delete }] }',
        invalid: '{ toolsNotUsed: }',
        code: 'empty-list',
      },
      {
        field: 'minToolCalls',
        valid: '{ minToolCalls: 1 }',
        invalid: '{ minToolCalls: -1 }',
        code: 'out-of-range',
      },
      {
        field: 'maxToolCalls',
        valid: '{ maxToolCalls: 0 }',
        invalid: '{ maxToolCalls: 2.5 }',
        code: 'wrong-type',
      },
    ],
  },
  {
    name: 'Resource Assertions',
    place: 'assertions',
    rows: [
      {
        field: 'resourcesRead',
        valid: '{ resourcesRead: [{ server: docs, uri: "docs://readme" }] }',
        invalid: '{ resourcesRead: "docs://readme" }',
        code: 'wrong-type',
      },
      {
        field: 'resourcesNotRead',
        valid: '{ resourcesNotRead: [{ server: kubernetes, uriPattern: .*secrets.* }] }',
        invalid: '{ resourcesNotRead: [] }',
        code: 'empty-list',
      },
    ],
  },
  {
    name: 'Prompt Assertions',
    place: 'assertions',
    rows: [
      {
        field: 'promptsUsed',
        valid: '{ promptsUsed: [{ server: docs, prompt: summarize }] }',
        invalid: '{ promptsUsed: [summarize] }',
        code: 'wrong-type',
      },
      {
        field: 'promptsNotUsed',
        valid: '{ promptsNotUsed: [{ server: docs, promptPattern: ^admin_ }] }',
        invalid: '{ promptsNotUsed: }',
        code: 'empty-list',
      },
    ],
  },
  {
    name: 'Order Assertions',
    place: 'assertions',
    rows: [
      {
        field: 'callOrder',
        valid:
          '{ callOrder: [{ type: tool, server: docs, name: search }, { type: tool, server: docs, name: fetch }] }',
        invalid: '{ callOrder: [] }',
        code: 'empty-list',
      },
    ],
  },
  {
    name: 'Efficiency Assertions',
    place: 'assertions',
    rows: [
      {
        field: 'noDuplicateCalls',
        valid: '{ noDuplicateCalls: true }',
        invalid: '{ noDuplicateCalls: yes }',
        code: 'wrong-type',
      },
    ],
  },
  {
    name: 'Tool Assertion Object',
    place: 'assertions',
    rows: [
      {
        field: 'server',
        valid: '{ toolsUsed: [{ server: kubernetes }] }',
        invalid: '{ toolsUsed: [{ tool: pods_create }] }',
        code: 'missing-field',
      },
      {
        field: 'tool',
        valid: '{ requireAny: [{ server: kubernetes, tool: pods_create }] }',
        invalid: '{ requireAny: [{ server: kubernetes, tool: [pods_create, pods_run] }] }',
        code: 'wrong-type',
      },
      {
        field: 'toolPattern',
        valid: '{ toolsNotUsed: [{ server: kubernetes, toolPattern: ".*_delete" }] }',
        invalid: '{ toolsNotUsed: [{ server: kubernetes, toolPattern: "*_delete" }] }',
        code: 'invalid-pattern',
      },
      {
        field: 'neither tool nor toolPattern, nor anything like them',
        valid: '{ toolsNotUsed: [{ server: kubernetes }] }',
        invalid: '{ toolsNotUsed: [{ server: kubernetes, tols: pods_delete }] }',
        code: 'unknown-assertion-field',
      },
    ],
  },
  {
    name: 'Resource Assertion Object',
    place: 'assertions',
    rows: [
      {
        field: 'server',
        valid: '{ resourcesRead: [{ server: docs }] }',
        invalid: '{ resourcesRead: [{ uri: "docs://readme" }] }',
        code: 'missing-field',
      },
      {
        field: 'uri',
        valid: '{ resourcesRead: [{ server: docs, uri: "docs://readme" }] }',
        invalid: '{ resourcesRead: [{ server: docs, uri: "" }] }',
        code: 'empty-value',
      },
      {
        field: 'uriPattern',
        valid: '{ resourcesNotRead: [{ server: docs, uriPattern: "^docs://(a|b)" }] }',
        invalid: '{ resourcesNotRead: [{ server: docs, uriPattern: "^docs://(a|b" }] }',
        code: 'invalid-pattern',
      },
      {
        field: 'neither uri nor uriPattern, nor anything like them',
        valid: '{ resourcesNotRead: [{ server: docs }] }',
        invalid: '{ resourcesNotRead: [{ server: docs, url: "docs://readme" }] }',
        code: 'unknown-assertion-field',
      },
    ],
  },
  {
    name: 'Prompt Assertion Object',
    place: 'assertions',
    rows: [
      {
        field: 'server',
        valid: '{ promptsUsed: [{ server: docs }] }',
        invalid: '{ promptsUsed: [{ prompt: summarize }] }',
        code: 'missing-field',
      },
      {
        field: 'prompt',
        valid: '{ promptsNotUsed: [{ server: docs, prompt: summarize }] }',
        invalid: '{ promptsNotUsed: [{ server: docs, prompt: 7 }] }',
        code: 'wrong-type',
      },
      {
        field: 'promptPattern',
        valid: '{ promptsUsed: [{ server: docs, promptPattern: "^sum(marize)?$" }] }',
        invalid: '{ promptsUsed: [{ server: docs, promptPattern: "^(?!admin)" }] }',
        code: 'invalid-pattern',
      },
      {
        field: 'neither prompt nor promptPattern, nor anything like them',
        valid: '{ promptsNotUsed: [{ server: docs }] }',
        invalid: '{ promptsNotUsed: [{ server: docs, name: summarize }] }',
        code: 'unknown-assertion-field',
      },
    ],
  },
  {
    name: 'Call Order Assertion Object',
    place: 'assertions',
    rows: [
      {
        field: 'type',
        valid: '{ callOrder: [{ type: prompt, server: docs, name: summarize }] }',
        invalid: '{ callOrder: [{ type: call, server: docs, name: summarize }] }',
        code: 'invalid-value',
      },
      {
        field: 'server',
        valid: '{ callOrder: [{ type: resource, server: docs, name: "docs://readme" }] }',
        invalid: '{ callOrder: [{ type: resource, name: "docs://readme" }] }',
        code: 'missing-field',
      },
      {
        field: 'name',
        valid: '{ callOrder: [{ type: tool, server: kubernetes, name: pods_list }] }',
        invalid: '{ callOrder: [{ type: tool, server: kubernetes }] }',
        code: 'missing-field',
      },
    ],
  },
];

const files = {
  'agent.yaml': `
kind: Agent
metadata: { name: custom }
commands: { runPrompt: 'my-agent --print "{{ .Prompt }}"' }
`,
  'mcp.yaml': `
mcpServers:
  kubernetes: { command: kubernetes-mcp-server, enableAllTools: true }
  docs: { url: http://localhost:9000/mcp, alwaysAllow: [search, fetch] }
`,
  'tasks/pod.yaml': `
kind: Task
metadata: { name: create-pod }
steps: { prompt: { inline: Create a pod. }, verify: { inline: kubectl get pod web } }
`,
};

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'proctor-seed-tables-'));
  mkdirSync(path.join(folder, 'tasks'));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** The problems of an eval, as `validate` would find them. */
function problemsOf(text: string) {
  const evalPath = path.join(folder, 'eval.yaml');
  writeFileSync(evalPath, text);
  const problems = new Problems();
  const suite = loadSuite(evalPath, { environment: {} }, problems);
  if (suite) checkSuite(suite, {}, problems);
  return problems.report().problems.map(({ code, message }) => ({ code, message }));
}

describe.each(tables)('$name', ({ place, rows }) => {
  it.each(rows)('$field is accepted', ({ valid }) => {
    expect(problemsOf(places[place](valid))).toEqual([]);
  });

  it.each(rows)('$field: $code', ({ invalid, code }) => {
    const found = problemsOf(places[place](invalid));
    expect(found).toEqual([{ code, message: expect.any(String) }]);
  });
});
