import type { Expression } from '../../config/command-template/go-expression.js';
import {
  findUsedFields,
  parseTemplate,
  type Template,
} from '../../config/command-template/go-template.js';
import {
  formatPromptReference,
  quoteShellLiteral,
} from '../../config/command-template/prompt-quoting/prompt.js';
import {
  findPromptPlaces,
  type PlacedPrompt,
} from '../../config/command-template/prompt-quoting/prompt-quoting.js';
import { renderTemplate } from '../../config/command-template/render-template.js';
import type { AgentData } from '../../config/schemas/agent-schema.js';
import { type AgentServer, NotStartedError } from '../agent.js';

export type Commands = NonNullable<AgentData['commands']>;

/** The templates that make a command line. */
type Templates = Pick<
  Commands,
  'argTemplateMcpServer' | 'argTemplateAllowedTools' | 'allowedToolsJoinSeparator'
> & { runPrompt: string };

interface CommandLine {
  text: string;
  /** Whether it contains the prompt, or the variable that holds it. */
  carriesPrompt: boolean;
}

interface Inputs {
  prompt: string;
  servers: readonly AgentServer[];
  /** Path of the MCP config with all servers. */
  configFile: string;
}

/** Renders the templates of an agent. Throws NotStartedError. */
export function renderCommandLine(templates: Templates, inputs: Inputs): CommandLine {
  const template = parseAgentTemplate(templates.runPrompt, [
    'Prompt',
    'McpServerFileArgs',
    'AllowedToolArgs',
  ]);
  const writer = new PromptWriter(template);
  const text = renderTemplate(template, {
    // Getters, here and below: a value may be unsafe, and is checked only if a template uses it.
    values: {
      Prompt: inputs.prompt,
      get McpServerFileArgs() {
        return renderServerArgs(templates, inputs);
      },
      get AllowedToolArgs() {
        return renderToolArgs(templates, inputs.servers);
      },
    },
    write: (field) => writer.write(field),
    quote: (quoted, expression) => writer.quote(quoted, expression),
  });
  const carriesPrompt = writer.hasWritten || /\bPROCTOR_PROMPT\b/.test(text);
  return { text, carriesPrompt };
}

function renderServerArgs({ argTemplateMcpServer = '' }: Templates, inputs: Inputs): string {
  const template = parseAgentTemplate(argTemplateMcpServer, ['File', 'URL', 'ServerName']);
  const render = (server: AgentServer | undefined) =>
    renderTemplate(template, {
      values: {
        get File() {
          return requireSafePath(inputs.configFile);
        },
        get URL() {
          return requireSafeUrl(server?.url ?? '');
        },
        get ServerName() {
          return requireSafeName('server name', server?.name ?? '');
        },
      },
    });
  const fields = findUsedFields(template);
  return fields.has('URL') || fields.has('ServerName')
    ? inputs.servers.map(render).join(' ')
    : render(undefined);
}

function renderToolArgs(templates: Templates, servers: readonly AgentServer[]): string {
  const { argTemplateAllowedTools = '', allowedToolsJoinSeparator: separator = ' ' } = templates;
  const template = parseAgentTemplate(argTemplateAllowedTools, ['ServerName', 'ToolName']);
  if (template.nodes.length === 0) return '';
  return servers
    .flatMap(({ name, allowedTools }) =>
      allowedTools.map((tool) =>
        renderTemplate(template, {
          values: {
            get ServerName() {
              return requireSafeName('server name', name, separator);
            },
            get ToolName() {
              return requireSafeName(`tool name of the server ${name}`, tool, separator);
            },
          },
        }),
      ),
    )
    .join(separator);
}

/** Parses a template; reading the Agent file has already reported every problem. */
function parseAgentTemplate(source: string, fields: readonly string[]): Template {
  const { template, problems } = parseTemplate(source, fields);
  const [problem] = problems;
  if (problem)
    throw new NotStartedError(`a template of the agent is not valid: ${problem.message}`);
  return template;
}

/** Puts the prompt into a command line as data, quoted for the place where it stands. */
class PromptWriter {
  readonly #places: ReadonlyMap<number, PlacedPrompt>;
  #hasWritten = false;

  constructor(template: Template) {
    const { places, problems } = findPromptPlaces(template);
    const [problem] = problems;
    if (problem)
      throw new NotStartedError(`runPrompt is not safe: ${problem.message}`, problem.hint);
    this.#places = new Map(places.map((placed) => [placed.offset, placed]));
  }

  /** Whether the prompt became part of the command line. */
  get hasWritten(): boolean {
    return this.#hasWritten;
  }

  /** The text for a field; undefined if it is not the prompt. */
  write({ name, offset }: { name: string; offset: number }): string | undefined {
    if (name !== 'Prompt') return undefined;
    const placed = this.#places.get(offset);
    if (placed === undefined) throw new Error(`the place of the prompt at ${offset} is not known`);
    this.#hasWritten = true;
    return formatPromptReference(placed.place);
  }

  /** The text for `%q`: if the prompt is part of it, a single shell word that means exactly this text. */
  quote(text: string, expression: Expression): string | undefined {
    if (!holdsPrompt(expression)) return undefined;
    this.#hasWritten = true;
    return quoteShellLiteral(text);
  }
}

function holdsPrompt(expression: Expression): boolean {
  if (expression.kind === 'call') return expression.args.some(holdsPrompt);
  return expression.kind === 'field' && expression.name === 'Prompt';
}

/** Texts without a meaning to a shell, quoted or not, which are not options either. */
const harmlessName = /^[\p{L}\p{N}_][\p{L}\p{N}_.:/@+-]*$/u;
const harmlessPath = /^\/[\p{L}\p{N}_.:/@+%=,-]*$/u;
const harmlessUrl = /^https?:\/\/[\w.:/%-]+$/;

/**
 * Checks the name of a server or tool for a command line. Servers choose the names of their tools: one
 * could hold a command, be an option of the agent, or by a separator name a second tool.
 */
function requireSafeName(what: string, name: string, separator = ''): string {
  const joins = separator !== '' && name.includes(separator);
  if (harmlessName.test(name) && !joins) return name;
  throw new NotStartedError(
    `the ${what} ${JSON.stringify(name.slice(0, 200))} has characters that cannot stand in a command line`,
    'Allow only tools with plain names (alwaysAllow in the MCP config), or write an argTemplate that does not use the name.',
  );
}

function requireSafeUrl(url: string): string {
  if (harmlessUrl.test(url)) return url;
  throw new NotStartedError(`the URL ${url} has characters that cannot stand in a command line`);
}

function requireSafePath(path: string): string {
  if (harmlessPath.test(path)) return path;
  throw new NotStartedError(
    `the path ${path} has characters that cannot stand in a command line`,
    'Set TMPDIR to a folder whose path has no spaces or other special characters.',
  );
}
