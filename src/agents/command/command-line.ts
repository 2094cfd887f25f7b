import {
  findUsedFields,
  parseTemplate,
  type Template,
} from '../../config/command-template/go-template.js';
import { renderTemplate } from '../../config/command-template/render-template.js';
import type { AgentData } from '../../config/schemas/agent-schema.js';
import type { AgentServer } from '../agent.js';
import { NotStarted } from '../program/not-started.js';
import { PromptWriter } from './prompt-writer.js';
import { safeName, safePath, safeUrl } from './shell-safe-value.js';

export type Commands = NonNullable<AgentData['commands']>;

/** The templates that make a command line. */
type Templates = Pick<
  Commands,
  'argTemplateMcpServer' | 'argTemplateAllowedTools' | 'allowedToolsJoinSeparator'
> & { runPrompt: string };

interface CommandLine {
  text: string;
  /** It has the prompt in it, or refers to the variable that holds it. */
  carriesPrompt: boolean;
}

interface Inputs {
  prompt: string;
  servers: readonly AgentServer[];
  /** Of the file with all servers. */
  configFile: string;
}

/** Makes the command line out of the templates of an agent. Throws NotStarted. */
export function commandLine(templates: Templates, inputs: Inputs): CommandLine {
  const template = parsed(templates.runPrompt, ['Prompt', 'McpServerFileArgs', 'AllowedToolArgs']);
  const writer = new PromptWriter(template);
  const text = renderTemplate(template, {
    // These and those below are looked at only where a template uses them: the others may be unsafe.
    values: {
      Prompt: inputs.prompt,
      get McpServerFileArgs() {
        return serverArgs(templates, inputs);
      },
      get AllowedToolArgs() {
        return toolArgs(templates, inputs.servers);
      },
    },
    write: (field) => writer.write(field),
    quote: (quoted, expression) => writer.quote(quoted, expression),
  });
  const carriesPrompt = writer.hasWritten || /\bPROCTOR_PROMPT\b/.test(text);
  return { text, carriesPrompt };
}

function serverArgs({ argTemplateMcpServer = '' }: Templates, inputs: Inputs): string {
  const template = parsed(argTemplateMcpServer, ['File', 'URL', 'ServerName']);
  const render = (server: AgentServer | undefined) =>
    renderTemplate(template, {
      values: {
        get File() {
          return safePath(inputs.configFile);
        },
        get URL() {
          return safeUrl(server?.url ?? '');
        },
        get ServerName() {
          return safeName('server name', server?.name ?? '');
        },
      },
    });
  const fields = findUsedFields(template);
  return fields.has('URL') || fields.has('ServerName')
    ? inputs.servers.map(render).join(' ')
    : render(undefined);
}

function toolArgs(templates: Templates, servers: readonly AgentServer[]): string {
  const { argTemplateAllowedTools = '', allowedToolsJoinSeparator: separator = ' ' } = templates;
  const template = parsed(argTemplateAllowedTools, ['ServerName', 'ToolName']);
  if (template.nodes.length === 0) return '';
  return servers
    .flatMap(({ name, allowedTools }) =>
      allowedTools.map((tool) =>
        renderTemplate(template, {
          values: {
            get ServerName() {
              return safeName('server name', name, separator);
            },
            get ToolName() {
              return safeName(`tool name of the server ${name}`, tool, separator);
            },
          },
        }),
      ),
    )
    .join(separator);
}

/** Reading the Agent file has found every problem already. */
function parsed(source: string, fields: readonly string[]): Template {
  const { template, problems } = parseTemplate(source, fields);
  const [problem] = problems;
  if (problem) throw new NotStarted(`a template of the agent is not valid: ${problem.message}`);
  return template;
}
