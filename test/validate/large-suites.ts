import type { SuiteCase } from '../../testing/suite-table.js';

/** Invalid suites that are wrong by their size: written out they would be thousands of lines. */
export const largeSuites: readonly SuiteCase[] = [
  suiteCase('assert-too-many-items', {
    'eval.yaml': [
      'kind: Eval',
      'metadata:',
      '  name: x',
      'config:',
      '  agentFile: ../_shared/agent.yaml',
      '  mcpConfigFile: ../_shared/mcp.yaml',
      '  taskSets:',
      '    - path: ../_shared/task.yaml',
      '      assertions:',
      '        toolsUsed:',
      ...numbered(1001, (n) => `          - { server: kubernetes, tool: t${n} }`),
    ],
    expect: ['eval.yaml:11:11-1011:48 error out-of-range'],
  }),
  suiteCase('eval-too-many-runs', {
    'eval.yaml': [
      'kind: Eval',
      'metadata:',
      '  name: too-many-runs',
      'config:',
      '  agentFile: ../_shared/agent.yaml',
      '  mcpConfigFile: ../_shared/mcp.yaml',
      '  taskSets:',
      '    - glob: tasks/*.yaml',
      '      runs: 10000',
      '      assertions:',
      '        minToolCalls: 1',
    ],
    ...Object.fromEntries(
      numbered(101, (n) => [
        `tasks/${String(n).padStart(3, '0')}.yaml`,
        [`{kind: Task, metadata: {name: t${n}}, steps: {prompt: {inline: Do it.}}}`],
      ]),
    ),
    expect: ['eval.yaml:7:3-7:11 error too-many-runs'],
  }),
  suiteCase('file-too-large', {
    'eval.yaml': evalOfOneTask('too-large'),
    'task.yaml': [
      'kind: Task',
      'metadata:',
      '  name: create-pod',
      'steps:',
      '  verify:',
      '    inline: kubectl get pod web',
      '  prompt:',
      '    inline: Please create a pod named web.',
      ...numbered(
        6098,
        () =>
          '# All that is known about creating pods, many times over, so that the file is too large.',
      ),
    ],
    expect: ['eval.yaml:10:13-10:22 error file-too-large'],
  }),
  suiteCase('yaml-nesting-too-deep-in-blocks', {
    'eval.yaml': [
      'kind: Eval',
      'metadata:',
      '  name: nesting-too-deep-in-blocks',
      'config:',
      '  agent:',
      '    type: file',
      '    path: ../_shared/agent.yaml',
      '  mcpConfigFile: mcp.yaml',
      '  taskSets:',
      '    - path: ../_shared/task.yaml',
    ],
    'mcp.yaml': [
      ...numbered(110, (n) => `${'  '.repeat(n)}level:`),
      `${'  '.repeat(110)}end: here`,
    ],
    expect: ['mcp.yaml:102:203-102:204 error yaml-nesting'],
  }),
  suiteCase('yaml-very-long-line', {
    'eval.yaml': evalOfOneTask('very-long-line'),
    'task.yaml': [
      'kind: Task',
      `metadata: {name: long, description: "${words()}", difficulty: hrd, labels: {a: "${words()}"}}`,
      'steps:',
      '  verify: {inline: kubectl get pod web}',
      `  prompt: {inline: "${words()} {random.nmae} ${words()}"}`,
    ],
    expect: [
      'task.yaml:2:12442-2:12445 error invalid-value',
      'task.yaml:5:12411-5:12424 error unresolved-placeholder',
    ],
  }),
];

function suiteCase(
  name: string,
  { expect, ...files }: Record<string, readonly string[]> & { expect: readonly string[] },
): SuiteCase {
  return {
    name,
    files: Object.entries(files).map(([path, lines]) => ({
      path,
      content: Buffer.from(`${lines.join('\n')}\n`),
      isExecutable: false,
    })),
    expected: expect,
  };
}

function evalOfOneTask(name: string): string[] {
  return [
    'kind: Eval',
    'metadata:',
    `  name: ${name}`,
    'config:',
    '  agent:',
    '    type: file',
    '    path: ../_shared/agent.yaml',
    '  mcpConfigFile: ../_shared/mcp.yaml',
    '  taskSets:',
    '    - path: task.yaml',
  ];
}

function words(): string {
  return numbered(1500, (n) => `word${n}`).join(' ');
}

function numbered<Item>(count: number, itemAt: (index: number) => Item): Item[] {
  return Array.from({ length: count }, (_, index) => itemAt(index));
}
