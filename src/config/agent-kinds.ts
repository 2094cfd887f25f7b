/** What is known of every agent of a kind before one is started. */
interface AgentKind {
  /** The key of an Agent file under which its settings stand. */
  key: 'builtin' | 'acp' | 'commands' | 'scripted';
  /** The built-in agents of this kind. Undefined: the key alone decides. */
  types?: Readonly<Record<string, BuiltinType>>;
  /** Whether an eval or an option can say which model it uses. */
  takesModel?: true;
  /** Whether its steps show which skills it loads. Other kinds have no tools of their own, or report none. */
  reportsSkills?: true;
  /** The folder in its working directory where it looks for skills. Undefined: an Agent file has to say. */
  skillsFolder?: string;
  /** Whether `commands` beside it override single settings, as it runs a command line. */
  takesCommands?: true;
}

/** A built-in agent, which needs no file of its own. */
interface BuiltinType {
  /**
   * The model that has to be named: none, as it has its own; the id of a model behind an API like
   * OpenAI's; or a model of any provider, as `provider:id`.
   */
  model: 'own' | 'id' | 'provider:id';
  isOldNameOf?: string;
}

/**
 * All kinds of agents; what other rooms know of kinds is derived from this table. The first kind that fits an
 * Agent file is taken. The schemas of the keys are in schemas/agent-schema.ts: this table loads no library, as
 * the command line needs it to start. The agents themselves are in src/agents, whose registry does not compile
 * while one is missing.
 */
const agentKinds = {
  'claude-code': {
    key: 'builtin',
    types: { 'claude-code': { model: 'own' } },
    takesModel: true,
    reportsSkills: true,
    skillsFolder: '.claude/skills',
    takesCommands: true,
  },
  llm: {
    key: 'builtin',
    types: {
      'openai-agent': { model: 'id' },
      'llm-agent': { model: 'provider:id' },
      'openai-acp': { model: 'id', isOldNameOf: 'openai-agent' },
    },
    takesModel: true,
  },
  acp: { key: 'acp', reportsSkills: true },
  command: { key: 'commands' },
  scripted: { key: 'scripted' },
} as const satisfies Record<string, AgentKind>;

type Kinds = typeof agentKinds;
export type AgentKindName = keyof Kinds;

/** The keys of an Agent file that say how its agent runs. */
export type AgentKey = Kinds[AgentKindName]['key'];

/** The name of a built-in agent. */
export type BuiltinAgent = {
  [Name in AgentKindName]: Kinds[Name] extends { types: infer Types } ? keyof Types : never;
}[AgentKindName];

const kinds = Object.entries<AgentKind>(agentKinds);

export const agentKeys = [...new Set(kinds.map(([, { key }]) => key))] as AgentKey[];

const builtinTypes = Object.assign({}, ...kinds.map(([, { types }]) => types)) as Record<
  BuiltinAgent,
  BuiltinType
>;

export const builtinAgents = Object.keys(builtinTypes) as BuiltinAgent[];

/** The built-in agents without old names. */
export const currentBuiltins = builtinAgents.filter(
  (name) => builtinTypes[name].isOldNameOf === undefined,
);

/** Old names of built-in agents, with the new ones. */
export const oldBuiltins = builtinAgents.flatMap((name) => {
  const { isOldNameOf: current } = builtinTypes[name];
  return current === undefined ? [] : [{ name, current }];
});

/** The built-in agents that have no model of their own. */
export const builtinsThatNeedModel = builtinAgents.filter(
  (name) => builtinTypes[name].model !== 'own',
);

/** Both ways in which an eval may name a built-in agent. */
export const listEvalSpellings = <Name extends BuiltinAgent>(name: Name) =>
  [`builtin.${name}`, name] as const;

/** Finds the built-in agent that an eval names, with or without `builtin.`; undefined: it is none. */
export function findBuiltin(type: string): BuiltinAgent | undefined {
  return builtinAgents.find((name) =>
    listEvalSpellings(name).some((spelling) => spelling === type),
  );
}

/** Returns which model has to be named for an agent; undefined if it is not built in. */
export function findModelForm(type: string): BuiltinType['model'] | undefined {
  return Object.hasOwn(builtinTypes, type) ? builtinTypes[type as BuiltinAgent].model : undefined;
}

/** The data of an Agent file, as far as its kind depends on them. */
type KeyedData = { [Key in AgentKey]?: unknown } & { builtin?: { type: string } | undefined };

/** Finds the kind of an agent; undefined for an Agent file with problems. */
export function findAgentKind(data: KeyedData): AgentKindName | undefined {
  const fitting = kinds.find(
    ([, { key, types }]) =>
      data[key] !== undefined && (!types || Object.hasOwn(types, data.builtin?.type ?? '')),
  );
  return fitting?.[0] as AgentKindName | undefined;
}

/** Returns what is known of an agent by its kind; nothing for an Agent file with problems. */
export function getKindFacts(data: KeyedData): Partial<AgentKind> {
  const name = findAgentKind(data);
  return name === undefined ? {} : agentKinds[name];
}

/** Returns what is known of a built-in agent by its kind; nothing for another name. */
export function getBuiltinFacts(type: string | undefined): Partial<AgentKind> {
  const kind = kinds.find(([, { types }]) => types && Object.hasOwn(types, type ?? ''));
  return kind?.[1] ?? {};
}
