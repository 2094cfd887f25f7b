export type Severity = 'error' | 'warning';

interface ProblemKind {
  severity: Severity;
  /** What the problem means, and why it is one. */
  cause: string;
  /** What to do about it. */
  fix: string;
}

const error = (cause: string, fix: string): ProblemKind => ({ severity: 'error', cause, fix });
const warning = (cause: string, fix: string): ProblemKind => ({ severity: 'warning', cause, fix });

/**
 * Every problem that Proctor can find in a suite. Codes are stable: people filter by them. The
 * reference page docs/reference/problems.md is made from this table.
 */
export const problemCodes = {
  // Files
  'file-not-found': error(
    'A file that was named on the command line or in another file does not exist.',
    'Correct the path. Relative paths start at the folder of the file that names them.',
  ),
  'not-a-file': error(
    'A path leads to a directory or to something else that is not a regular file.',
    'Name the file itself.',
  ),
  'unreadable-file': error('A file exists but cannot be read.', 'Check its permissions.'),
  'file-too-large': error(
    'A file is larger than 512 KiB, far beyond what a suite needs.',
    'Move large data into files that scripts read.',
  ),
  'invalid-encoding': error('A file is not UTF-8 text.', 'Save it as UTF-8.'),
  'empty-file': error(
    'A file holds no data, only white space or comments.',
    'Write its content, or remove the reference to it.',
  ),
  'several-documents': error(
    'A file holds several YAML documents (`---`), and it is not clear which is meant.',
    'Keep one document in the file.',
  ),
  'wrong-kind': error(
    'A file is not of the kind that is needed where it is named, or has no `kind`.',
    'Name a file of the right kind, or correct its `kind`.',
  ),
  'no-eval-found': error(
    'A directory was named that has no Eval file in it or below it, or too much below it to look through.',
    'Name an Eval file, or a directory that holds one.',
  ),
  // YAML
  'yaml-syntax': error(
    'The file is not valid YAML 1.2 or JSON.',
    'Correct the syntax at the marked place; often it is the indentation or a missing quote.',
  ),
  'yaml-tag': error(
    'The file uses a YAML tag such as `!env` or `!!binary`. Only plain data is read.',
    'Write the value without a tag.',
  ),
  'yaml-alias': error(
    'An alias (`*name`) has no anchor before it, contains itself, or expands to too much.',
    'Define the anchor first, or write the value out.',
  ),
  'yaml-key': error(
    'A key is a list, a map, or `__proto__`.',
    'Use plain text as key, and another one.',
  ),
  'yaml-nesting': error(
    'Lists and maps are nested more than 100 levels deep.',
    'Flatten the data.',
  ),
  'duplicate-key': error(
    'A key is given twice in the same map; one of the two would be lost.',
    'Remove or rename one of them.',
  ),
  // Shape
  'missing-field': error('A required key is not there.', 'Add it.'),
  'conflicting-fields': error(
    'Keys are given together that exclude each other.',
    'Keep one of them.',
  ),
  'wrong-type': error(
    'A value does not have the type that its key needs.',
    'Write a value of the expected type; quotes make text of a number or a yes/no value.',
  ),
  'invalid-value': error(
    'A value has the right type but is not one of the allowed values.',
    'Use one of the allowed values.',
  ),
  'out-of-range': error('A number is too small or too large.', 'Use a number within the bounds.'),
  'empty-value': error(
    'A text that must say something is empty.',
    'Write the text, or remove the key.',
  ),
  'empty-list': error(
    'A list that must have items is empty. An empty list of assertions would check nothing.',
    'Add an item, or remove the key.',
  ),
  'unknown-key': warning(
    'A key means nothing at this place and is ignored.',
    'Correct its spelling, or remove it.',
  ),
  'unknown-assertion': error(
    'A key in `assertions` is not an assertion. It would check nothing.',
    'Correct its spelling; the reference lists all assertions.',
  ),
  'unknown-assertion-field': error(
    'A key in an item of an assertion means nothing there. The item would match more than intended.',
    'Correct its spelling, or remove it.',
  ),
  'unknown-expectation': error(
    'A key under `expect` of a step is not an expectation. It would check nothing.',
    'Correct its spelling, or remove it.',
  ),
  'unsupported-version': error(
    'Proctor does not read files with this `apiVersion`.',
    'Use `proctor/v1`, or one of the older versions, or leave it out.',
  ),
  'wrong-task-shape': error(
    'The `apiVersion` says one shape of task (`steps` or `spec`), the file has the other.',
    'Correct the `apiVersion`, or leave it out.',
  ),
  'invalid-duration': error(
    "A time limit is not a duration in Go's notation, or is not more than zero.",
    'Write it like `300ms`, `30s`, `5m` or `1h30m`.',
  ),
  'invalid-pattern': error(
    'A pattern is not valid in RE2 syntax. RE2 has no lookaround and no backreferences.',
    'Correct the pattern at the marked place. A pattern is a regular expression, not a glob.',
  ),
  'redacts-everything': error(
    'A pattern in `config.redact` matches nothing at all, a single character or nearly every text, so that results would say nothing.',
    'Write what is special about the secret, such as `CUST-[0-9]{6}`.',
  ),
  'nothing-to-redact': warning(
    'A variable in `config.redact` is not set, or has fewer than 4 characters: nothing is redacted for it.',
    'Correct the name, or set the variable where the check runs.',
  ),
  'secret-is-name': warning(
    'A secret has the same value as the name of a server, a task, a variant or the eval. Results go by these names, so the value is not redacted.',
    'Choose a better password, or give the other another name.',
  ),
  'names-redacted-alike': error(
    'Names of several tasks, servers or variants differ only in what is redacted (a secret, a known token, a pattern of `config.redact`). In results they would be one.',
    'Give them names without what is secret, or narrow the pattern.',
  ),
  'invalid-glob': error(
    'A glob has an unclosed bracket or brace and would match nothing, or it goes through more folders than a suite can have.',
    'Close it, or escape it with a backslash; start a wide glob in a narrower folder.',
  ),
  'invalid-url': error(
    'An address is not a valid http or https URL.',
    'Write the whole address, such as `http://localhost:8080/mcp`.',
  ),
  'invalid-header': error(
    'A header cannot be sent over HTTP: its name is not a token, or its value has a line break or a character beyond Latin-1.',
    'Correct the header, or the environment variable that it is made of.',
  ),
  // Eval
  'no-task-sets': error(
    'The eval has no task sets, so it would check nothing.',
    'Add a task set with a `path` or a `glob`.',
  ),
  'glob-matches-nothing': error(
    'A glob matches no Task file, so its task set would check nothing.',
    'Correct the glob. `**` stands for any number of folders, also none.',
  ),
  'unknown-source': error(
    'A task set names a source that the eval does not have.',
    'Correct the name, or add the source to `config.sources`.',
  ),
  'source-not-ready': error(
    'The files of a source are not there: they were never fetched, cannot be fetched, or are refused.',
    'The message says why. `proctor validate --connect` and `proctor check` fetch sources; `validate` alone looks at no network.',
  ),
  'outside-source': error(
    'A path, a glob or a file that a fetched task names leads out of the repository it was fetched from.',
    'Name files within the repository; a file name in a fetched task may hold no placeholder.',
  ),
  'looks-like-task': warning(
    'A file that a glob matches looks like a Task but is not one: its `kind` is missing or misspelt, or it holds a list. The glob passes over it, and its task never runs.',
    'Write `kind: Task`, one task in each file; or leave the file out of the glob.',
  ),
  'unmatched-task': warning(
    'A Task file is next to those that a glob matches, and only its extension (`.yaml`, `.yml`, `.json`) keeps the glob from matching it: its task never runs.',
    'Rename the file, or write the glob as `*.{yaml,yml}`.',
  ),
  'task-set-file': error(
    'A glob matches a file of `kind: TaskSet`. Proctor reads task sets in the eval only: the tasks of this file would never run.',
    'Write its tasks and assertions as an item of `taskSets` in the eval.',
  ),
  'nothing-selected': error(
    'A selection (`--run`, `--label-selector`, `labelSelector`, `matrix.exclude`) leaves nothing to run.',
    'Loosen the selection.',
  ),
  'unused-exclusion': error(
    'An item of `matrix.exclude` fits no combination, so it leaves out nothing.',
    'Name agents, models and MCP configs as the lists of the matrix do.',
  ),
  'unused-label': warning(
    'A label in a selector is one that no task has; other labels still select something.',
    'Correct the label, or remove it.',
  ),
  'unknown-durations': warning(
    'The results of `--shard-durations` have no durations for the tasks in the plan.',
    'Name results of the same eval in which task runs were judged, or leave the option out.',
  ),
  'too-many-runs': error(
    'Tasks and their runs add up to more than a million task runs.',
    'Lower `runs`, or split the eval.',
  ),
  'duplicate-task-name': error(
    'Two tasks have the same name; their results could not be distinguished.',
    'Rename one of them.',
  ),
  'missing-model': error(
    'A built-in agent needs a model and none is given.',
    'Add `model`; for `llm-agent` as `provider:id`.',
  ),
  'missing-judge': error(
    'A task has a step for the LLM judge, and the eval configures no judge.',
    'Add `config.llmJudge` to the eval.',
  ),
  'missing-mcp-config': error(
    'The eval names no MCP config, and neither MCP_* variables nor skills are given.',
    'Add `mcpConfigFile`, set MCP_URL or MCP_COMMAND, or use `--mcp-config-file`.',
  ),
  'invalid-environment': error(
    'An MCP_* environment variable has a value that cannot be read.',
    'Correct the variable, or name an MCP config file.',
  ),
  'duplicate-rate': error(
    'Two rates in `config.limits` are for the same provider and model.',
    'Put their numbers into one rate.',
  ),
  'unused-rate': warning(
    'A rate in `config.limits`, or of the command line, is for a model that neither agent nor judge uses: it limits nothing. Rates are for models that Proctor asks itself (`llm-agent`, `openai-agent`).',
    'Correct provider and model, or remove the rate.',
  ),
  // Skills
  'no-skill': error(
    'A source of skills holds none: neither the folder itself nor a folder in it has a `SKILL.md`.',
    'Name the folder that holds the folders of skills, or the folder of one skill.',
  ),
  'unfit-skill': error(
    'A skill cannot be copied for the agent: the skills are too large together, or one holds a link that leads out of its source, or something that is not a file.',
    'Remove what does not belong to the skill, or copy into the source what it links to.',
  ),
  'incomplete-skill': warning(
    'A `SKILL.md` does not say `name` and `description` in its front matter; agents decide by them whether to load the skill.',
    'Add both between two lines of `---` at the top of the file.',
  ),
  'missing-mount-path': error(
    'The eval has skills, and it is not known where the agent looks for them.',
    'Say so in the Agent file, in `skills.mountPath`; Claude Code needs nothing.',
  ),
  'skills-not-observable': error(
    'Skills are asserted, and the agent does not report which it loads: only Claude Code and ACP agents do.',
    'Use such an agent, or remove the assertion and verify what the skill brings about.',
  ),
  // MCP config
  'unset-variable': error(
    'An environment variable is used that is not set and has no default.',
    'Set it, or write `${NAME:-default}` where defaults are allowed.',
  ),
  'no-server': error(
    'The MCP config has no server that is enabled.',
    'Add a server, or remove `disabled`.',
  ),
  'server-allows-nothing': warning(
    'A server allows no tool: `enableAllTools` is false, or `alwaysAllow` is empty.',
    'Remove the setting to allow every tool, or list tools in `alwaysAllow`.',
  ),
  'task-value-in-shared-server': error(
    'A server that all task runs share (`scope: run`) has a value of one task run in its settings.',
    'Remove `scope`, so that each task run has a server of its own, or give a fixed value.',
  ),
  // Agent
  'invalid-template': error(
    'A command template is not valid, or uses more of Go templates than is supported.',
    'Correct it at the marked place.',
  ),
  'unsafe-prompt-place': error(
    'The template puts the prompt where a shell could execute it, or where that cannot be ruled out.',
    'Make the prompt an argument of a program, or read it from the variable PROCTOR_PROMPT or the file that PROCTOR_PROMPT_FILE names.',
  ),
  // Task
  'nothing-checked': error(
    'Nothing verifies the task and no assertion covers it: it would always pass.',
    'Add `verify` steps to the task, or assertions to the task or its task set.',
  ),
  'passes-without-agent': warning(
    'Only assertions cover the task that hold when no call is made, such as `toolsNotUsed` or `maxToolCalls`, and nothing verifies it: it passes if the agent does nothing.',
    'Add a `verify` step, or an assertion that asks for a call, such as `toolsUsed` or `minToolCalls: 1`.',
  ),
  'script-cannot-fail': warning(
    'A script in `verify` exits with 0 whatever happened, as `true`, `exit 0` and `... || true` do: it checks nothing.',
    'Let the script fail when the work is not done, or remove the step.',
  ),
  'empty-script': error(
    'A script has no command in it: it would always succeed.',
    'Write the script, or remove the step.',
  ),
  'unknown-step': error(
    'A step has no type, or a type that does not exist.',
    'Use `script`, `http`, `llmJudge`, `<server>.<tool>` or `<extension>.<operation>`.',
  ),
  'misplaced-step': error(
    'A step stands in a phase it cannot run in: the judge needs an answer to judge.',
    'Move the step to `verify`.',
  ),
  'unknown-alias': error(
    'The prefix of a step is neither a name that `requires` gives nor an MCP server.',
    'Add it to `spec.requires`, or correct it.',
  ),
  'unknown-extension': error(
    'A task requires an extension that the eval does not configure.',
    'Add it to `config.extensions` of the eval.',
  ),
  'duplicate-name': error(
    'Two steps have the same `id`, or two requirements or two skills the same name.',
    'Rename one of them.',
  ),
  'shadowed-server': warning(
    'A name that `requires` gives with `as` is that of another MCP server. Steps with this prefix do not reach that server.',
    'Choose another name.',
  ),
  'invalid-arguments': error(
    'The arguments of a step are not those that the operation of the extension takes (`--connect`).',
    'Correct the arguments; the message says what the extension asks for.',
  ),
  'step-has-own-session': warning(
    'A step calls a tool of a server with `scope: session`: it gets a process of its own, and sees nothing of what the agent did.',
    'Use `scope: task`, unless the server keeps its state outside its process.',
  ),
  'even-votes': warning(
    'The judge is asked an even number of times. Where the votes are equal there is no verdict.',
    'Make `votes` odd.',
  ),
  'unresolved-placeholder': error(
    'A placeholder such as `{steps.create.stdout}` refers to something that is not there at that point.',
    'Correct the name; a step can only use outputs of steps before it.',
  ),
  'misspelt-placeholder': warning(
    'Something in braces looks like a misspelt placeholder. It is left unchanged.',
    'Correct it; the families are `steps`, `agent`, `random`, `env` and `task`.',
  ),
  // Cases for a judge
  'one-sided-cases': warning(
    'All cases for a judge have the same label. A judge that always says so would look perfect.',
    'Add cases with the other label.',
  ),
  // Found only by connecting to servers (--connect, check)
  'server-not-ready': error(
    'A server could not be started, or did not list what it offers.',
    'Look at the end of its log; start it by hand as the MCP config says.',
  ),
  'agent-not-ready': error(
    'Something is missing that the agent needs: its program, its model or a key.',
    'The hint says how to get it.',
  ),
  'judge-not-ready': error(
    'Something is missing that the LLM judge needs: its program, its model or a key.',
    'The hint says how to get it.',
  ),
  'extension-not-ready': error(
    'An extension could not be found, fetched or started.',
    'The message says why; start its program by hand if that does not help.',
  ),
  'unmeasured-budget': warning(
    'A budget limits something that the agent or the judge does not report: the price of its model is not known, or it reports no tokens (`check`).',
    'Write the price into a [prices file](prices.md), or choose another budget.',
  ),
  'model-shutdown': warning(
    'The provider of a model that the agent or the judge uses has announced the day on which it shuts the model down (`validate --connect`).',
    'Choose another model before that day, and measure again: results of another model are not comparable.',
  ),
  'unknown-task': warning(
    'A rule of a scripted agent is for a task that the eval does not have, so it is never played.',
    'Correct the name, or remove the rule.',
  ),
  // Assertions
  'unknown-server': error(
    'A server is named that the MCP config does not have, or that is disabled there.',
    'Correct the name, or add the server to the MCP config.',
  ),
  'tool-not-allowed': error(
    'A tool is required that the MCP config does not allow the agent to call.',
    'Add it to `alwaysAllow` of the server, or remove the list to allow every tool.',
  ),
  'name-and-pattern': warning(
    'Both an exact name and a pattern are given; a call matches if either fits.',
    'Keep one of them.',
  ),
  'doubtful-pattern': warning(
    'A text in `args` is written like `/pattern/i`, which is a text, not a pattern; or like `/data/` in an argument for a path, which is a pattern and matches `/mydata2` too.',
    'Write a pattern as `/(?i)pattern/`, and a text that begins with a slash with a backslash before it, as `\\/data/`.',
  ),
  'suspicious-pattern': warning(
    'A pattern is valid but can match no name there could be.',
    'Correct it. Names have no white space, `^` only matches at the start and `$` at the end.',
  ),
  'min-above-max': error(
    '`minToolCalls` is larger than `maxToolCalls`: no run could satisfy both.',
    'Correct one of them.',
  ),
  'required-and-forbidden': error(
    'Something is required by one assertion and forbidden by another.',
    'Remove one of the two.',
  ),
  'not-offered': error(
    'A tool or prompt is required that its server does not offer, an operation that its extension does not have (both `check` and `--connect`), or a skill that no source holds.',
    'Correct the name, or change what offers it. A tool that its server offers only later, such as after another call, can be named by a pattern: `toolPattern: ^name$`.',
  ),
  'unlisted-resource': warning(
    'A resource is required that its server does not list before anything runs (`check`, `--connect`).',
    'Correct the URI. If setup makes the resource, or the server lets it be read without listing it, `uriPattern: ^uri$` says so.',
  ),
  'forbidden-not-offered': warning(
    'Something is forbidden that its server does not offer anyway (`check`, `--connect`), or a skill that no source holds.',
    'Correct the name: a misspelt one forbids nothing.',
  ),
  'impossible-argument': error(
    'An assertion asks for an argument that no call will have: the input schema of the tool does not allow it (`additionalProperties` is false), or lists nearly the same name. In a step: an argument that the schema does not allow, unless the step expects an error (`check`, `--connect`).',
    'Correct the name of the argument. If the tool takes it all the same, `toolPattern: ^name$` in the assertion says so.',
  ),
  'unknown-argument': warning(
    'An argument has a name that the input schema of the tool does not list (`check`, `--connect`).',
    'Correct the name of the argument.',
  ),
  'impossible-assertion': error(
    'No sequence of calls could satisfy these assertions together.',
    'Loosen one of them.',
  ),
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof problemCodes;
