import { checkModel } from './agent-model.js';
import { checkShape } from './check-shape.js';
import { parseTemplate } from './go-template/go-template.js';
import type { TemplateProblem } from './go-template/template-problem.js';
import { checkKind } from './kind.js';
import type { Problems } from './problem.js';
import type { ProblemCode } from './problem-codes.js';
import { findPromptPlaces } from './prompt-place/prompt-place.js';
import { type NamedBy, readDataFile } from './read-data-file.js';
import { type AgentData, agentSchema } from './schemas/agent-schema.js';
import type { DataPath, SourceFile } from './source-file.js';

export interface AgentFile {
  source: SourceFile;
  data: AgentData;
}

/** What each command template may refer to. */
const templateFields = {
  runPrompt: ['Prompt', 'McpServerFileArgs', 'AllowedToolArgs'],
  argTemplateMcpServer: ['File', 'URL', 'ServerName'],
  argTemplateAllowedTools: ['ServerName', 'ToolName'],
} as const;

/** No command line is longer; how the prompt is quoted takes more than linear time to find out. */
const maxTemplate = 10_000;

const ways = ['builtin', 'acp', 'commands', 'scripted'] as const;

/** Reads an Agent file and checks everything but whether its program is there. */
export function readAgentFile(
  path: string,
  problems: Problems,
  namedBy?: NamedBy,
): AgentFile | undefined {
  const file = readDataFile(path, problems, namedBy);
  if (!file || !checkKind(file, 'Agent', problems, namedBy)) return undefined;
  const { source } = file;
  const data = checkShape({ file: source, schema: agentSchema, value: file.data, problems });
  if (!data) return undefined;
  checkWays(source, data, problems);
  if (data.builtin) checkModel(source, ['builtin'], data.builtin, problems);
  checkCommands(source, data, problems);
  return { source, data };
}

function checkWays(source: SourceFile, data: AgentData, problems: Problems) {
  if (source.isFaulty(['builtin'])) return;
  const given = ways.filter((way) => data[way] !== undefined || source.isFaulty([way]));
  const [first, ...others] = given;
  if (first === undefined) {
    problems.atKey(source, [], 'missing-field', `an Agent needs one of ${ways.join(', ')}`);
  }
  for (const other of others) {
    const overrides = first === 'builtin' && other === 'commands';
    if (overrides && data.builtin?.type === 'claude-code') continue;
    const message = overrides
      ? `commands cannot override ${data.builtin?.type}: it runs no command`
      : `${other} cannot stand beside ${first}: an Agent has one way to run`;
    problems.atKey(source, [other], 'conflicting-fields', message);
  }
}

function checkCommands(source: SourceFile, data: AgentData, problems: Problems) {
  const { commands } = data;
  if (!commands) return;
  const needed = !data.builtin && !source.isFaulty(['builtin']);
  const isFaulty = source.isFaulty(['commands', 'runPrompt']);
  if (commands.runPrompt === undefined && needed && !isFaulty) {
    problems.atKey(source, ['commands'], 'missing-field', 'runPrompt is required in commands');
  }
  for (const [key, fields] of Object.entries(templateFields)) {
    const text = commands[key as keyof typeof templateFields];
    if (text === undefined) continue;
    const path = ['commands', key];
    if (text.length > maxTemplate) {
      const message = `the template is longer than ${maxTemplate} characters`;
      const hint = 'put the commands into a script';
      problems.atKey(source, path, 'invalid-template', message, hint);
      continue;
    }
    const parsed = parseTemplate(text, fields);
    report(source, path, 'invalid-template', parsed.problems, problems);
    if (key !== 'runPrompt' || parsed.problems.length > 0) continue;
    const placed = findPromptPlaces(parsed.template);
    report(source, path, 'unsafe-prompt-place', placed.problems, problems);
  }
}

function report(
  source: SourceFile,
  path: DataPath,
  code: ProblemCode,
  faults: readonly TemplateProblem[],
  problems: Problems,
) {
  for (const { offset, length, message, hint } of faults) {
    problems.atPart(source, path, { offset, length }, code, message, hint);
  }
}
