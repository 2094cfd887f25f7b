// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is the shell that expands these
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Expression, splitFormat } from '../go-expression.js';
import { parseTemplate, type TemplateNode } from '../go-template.js';
import { findPromptPlaces, type PlacedPrompt } from './prompt-quoting.js';

const fields = ['Prompt', 'McpServerFileArgs', 'AllowedToolArgs'];
const hint =
  'read the prompt from the file that PROCTOR_PROMPT_FILE names, or from the variable PROCTOR_PROMPT';

function placesOf(source: string) {
  const { template, problems } = parseTemplate(source, fields);
  expect(problems).toEqual([]);
  return findPromptPlaces(template);
}

/** Tables are easier to read with P for a prompt and A for another value. */
function spelledOut(short: string): string {
  return short.replace(/\bP\b/g, '{{ .Prompt }}').replace(/\bA\b/g, '{{ .McpServerFileArgs }}');
}

/** Where the template puts prompts out, in order: not in conditions. */
function promptOffsets(source: string): number[] {
  return [...source.matchAll(/\{\{-? (?!if|else)[^}]*?(?=\.Prompt)/g)].map(
    ({ 0: before, index }) => index + before.length,
  );
}

/** What random templates are made of. */
const parts = [
  ...['{{ .Prompt }}', '{{ .Prompt }}', '{{ printf "%q" .Prompt }}', '{{ .AllowedToolArgs }}'],
  ...['{{ if .AllowedToolArgs }}', '{{ else }}', '{{ end }}', '{{- ', ' -}}', '{{', '}}'],
  ...['"', "'", '`', '\\', '$', '$(', ')', '(', '((', '${', '}', '{ ', "$'", '$"', '#', '\n', ' '],
  ...['<<EOF\n', '\nEOF\n', '<<-', '<<<', '<(', '>', '2>&1', ';', ';;', '&&', '|', 'X=', 'X=('],
  ...['case a in ', 'a)', ' esac', '[[ ', ' ]]', ' -eq ', '\t', '\r', 'é😀', '\ufffc'],
  ...['bash ', '-c ', 'eval ', 'env ', 'printf %s ', 'printf ', 'test ', 'export ', 'claude '],
];

describe('findPromptPlaces', () => {
  it.each<[string, ...string[]]>([
    ['claude A --print P', 'bare'],
    ['claude A --print "P"', 'double'],
    ["claude A --print 'P'", 'single'],
    ['claude --x=P -y', 'bare'],
    ['claude "a"P\'b\'', 'bare'],
    ['~/bin/claude P', 'bare'],
    ['"$HOME/bin/claude" P', 'bare'],
    ['claude "Please do: P, thanks" --allowedTools "{{ .AllowedToolArgs }}"', 'double'],
    ['claude P && claude "P" || claude \'P\'', 'bare', 'double', 'single'],
    ['claude \\\n  --print P', 'bare'],
    ['claude -c "P"', 'double'],
    ["claude 2>&1 > log 'P' &", 'single'],
    ['claude a#P', 'bare'],
    ["# don't\nclaude P", 'bare'],
    // Escapes, and what only looks like one.
    ['claude \\" P \\"', 'bare'],
    ['claude "\\"" P', 'bare'],
    ['claude "\\\\P"', 'double'],
    ['claude "\\$P"', 'double'],
    ['claude "$$P"', 'double'],
    ["claude '$P'", 'single'],
    ["claude '\\P'", 'single'],
    ['claude "$ 5 and 5$" P', 'bare'],
    // Plain expansions beside it.
    ['claude "${x:-y}" ${#x} "${list[@]}" $1 P', 'bare'],
    ['cd "$(dirname "$0")" && claude --now "$(date +%s)" P', 'bare'],
    // Other commands around it.
    ['(cd x && claude P)', 'bare'],
    ['{ claude P; }', 'bare'],
    ['if [ -n "$X" ]; then claude P; else ! claude P; fi', 'bare', 'bare'],
    ['if [[ -f x && -n y ]]; then claude P; fi', 'bare'],
    ['while true; do claude P; done', 'bare'],
    ['for word in P; do echo; done', 'bare'],
    [
      'case P in a | b) claude P ;; (c) claude "P" ;; esac; claude P',
      ...['bare', 'bare', 'double', 'bare'],
    ],
    ['case x in P) claude;; esac', 'bare'],
    ["set -e; export X=1; trap 'rm x' EXIT; X=1 Y=2 claude P", 'bare'],
    ['cat <<EOF > x\nit\'s "\nEOF\nclaude P', 'bare'],
    ["cat <<-'EF'\n\"\n\tEF\nclaude P", 'bare'],
    ['cat <<A0 <<"B0"\n"\nA0\nA0\nB0\nclaude P', 'bare'],
    ["cat << 'EOF' | claude P\nit's\nEOF", 'bare'],
    // Other programs, but not their program text.
    ['bash run.sh P', 'bare'],
    ['bash -u "$DIR/run.sh" P', 'bare'],
    ['X=1 sudo -u bob timeout 5 nohup claude P', 'bare'],
    ['docker exec -i x claude -p "P"', 'double'],
    ['kubectl exec pod -- claude -p "P"', 'double'],
    ['tool eval P', 'bare'],
    ['timeout 300 agent eval --prompt P', 'bare'],
    ['python3 -u agent.py "P"', 'double'],
    ['python3 -m agent P', 'bare'],
    ['uv run python agent.py P', 'bare'],
    ['deno run agent.ts P', 'bare'],
    ['node agent.js -p "P"', 'double'],
    ['node agent.js --print="P"', 'double'],
    ['npx -y agent "P"', 'double'],
    ['bash -c true; claude P', 'bare'],
    // Its answer, or it itself, as the input of others.
    ['claude P | jq . | sed -n 1p | awk -F: 1', 'bare'],
    ['claude P | python3 parse.py | python3 -c 1 | perl -ne 1', 'bare'],
    ['claude P |\n jq .', 'bare'],
    ['{ claude P; } | jq . > "A"', 'bare'],
    // Prose.
    ['claude "it\'s P, isn\'t it"', 'double'],
    // Other ways to write it.
    ['claude {{ printf "%s" .Prompt }}', 'bare'],
    ['claude {{ printf "\'%s\'" .Prompt }}', 'single'],
    ['claude {{ "\\"" }}P{{ "\\"" }}', 'double'],
    ['claude {{ printf "%q" .Prompt }}', 'bare quoted'],
    ['claude {{ .Prompt | printf "--prompt=%q" }}', 'bare quoted'],
    ['claude {{ printf "%s %q" .AllowedToolArgs .Prompt }}', 'bare quoted'],
    ['claude {{ printf "%q" (printf "a \' %s" .Prompt) }}', 'bare quoted'],
    // Conditions.
    ['claude {{ if .Prompt }}P{{ else }}none{{ end }}', 'bare'],
    ['claude {{ if .AllowedToolArgs }}-x {{ end }}P', 'bare'],
    ['{{ if .AllowedToolArgs }}claude{{ else }}tool -x{{ end }} "P"', 'double'],
    ['{{ if .AllowedToolArgs }}claude "P"{{ else }}tool P{{ end }}', 'double', 'bare'],
  ])('accepts %j', (short, ...expected) => {
    const source = spelledOut(short);
    const { places, problems } = placesOf(source);
    expect(problems).toEqual([]);
    expect(places.map(({ place, quoted }) => `${place}${quoted ? ' quoted' : ''}`)).toEqual(
      expected,
    );
    expect(places.map(({ offset }) => offset)).toEqual(promptOffsets(source));
    for (const { offset, length } of places) {
      expect(source.slice(offset, offset + length)).toBe('.Prompt');
    }
  });

  it.each([
    // Syntax that is not followed.
    ...[
      ['claude \\P', 'backslash'],
      ['claude "\\P"', 'backslash'],
      ['claude `echo P`', 'backticks'],
      ['claude "`echo P`"', 'backticks'],
      ['claude `date` P', 'backticks'],
      ['claude "P', 'never closed'],
      ["claude 'P", 'never closed'],
      ['tool <(claude P)', 'process substitution'],
      ['claude > >(tee "P")', 'process substitution'],
      ['bash <(echo P)', 'process substitution'],
      ['source <(echo P)', 'process substitution'],
      ['((P))', 'function, an array or arithmetic'],
      ['((1 << 2)) && claude P', 'function, an array or arithmetic'],
      ['for ((i = P; i < 3; i++)); do claude; done', 'function, an array or arithmetic'],
      ['a=([P]=1)', 'function, an array or arithmetic'],
      ['args=(--print "P"); claude "${args[@]}"', 'function, an array or arithmetic'],
      ['f() { bash -c P; }', 'function, an array or arithmetic'],
      ['f() { claude "$1"; }; f P', 'function, an array or arithmetic'],
      ['claude "$(cat <<EOF\nP\nEOF\n)"', 'expansion'],
      ['claude > A -eq eval P', 'a value without quotes in a redirection'],
      ['cat <<P\n', 'here-document'],
      ['cat <<A\nP\n', 'here-document'],
      ['cat <<"E F"\nx\nE F\nclaude P', 'here-document'],
    ],
    ...[
      'claude $P',
      'claude "$P"',
      "claude $'P'",
      'claude $"P"',
      "claude $'it\\'s' P",
      'claude ${x:-P}',
      'claude "${x:-"P"}"',
      "claude ${x:-'}'} P",
      'claude $((P))',
      'claude $((1 + 2)) P',
      'claude $[P]',
      '$(P)',
      'echo "$(claude P)"',
      'echo "$(claude "P")"',
      'claude $(echo P',
      'claude "$(echo "P)',
      'bash -c "$(echo P)"',
      'X=$(claude P)',
      'x=$(claude # P\n)',
      'x="$(cat <<EOF\n\'\nEOF\n)"; claude P',
    ].map((short) => [short, 'a shell expansion that is not supported']),
    // Places that cannot carry it.
    ['claude # P', 'comment'],
    ['claude; #P', 'comment'],
    ['cat <<EOF\nP\nEOF', 'here-document'],
    ['cat <<EOF\nP', 'here-document'],
    ["cat <<'EOF' | claude\nP\nEOF", 'here-document'],
    ['cat <<-EOF\n\tP\n\tEOF', 'here-document'],
    ['cat <<A0 <<B0\nA0\nP\nB0', 'here-document'],
    // The backslash joins two lines, so that the document does not end there.
    ['cat <<EOF\na\\\nEOF\nclaude P', 'here-document'],
    ...['claude > P', 'claude < "P"', 'bash <<< P', 'claude <<<"P"'].map((short) => [
      short,
      'redirection',
    ]),
    // It would be a program, or decide which one is run and how.
    ...[
      'P',
      '"P" x',
      './run-P.sh',
      'X=1 P',
      'true && P',
      'if P; then true; fi',
      'case x in a) claude;; P) claude;; esac',
      'sudo P',
      'timeout 5 P',
      'env X=1 P',
      'env -S "claude P"',
      'env -S"claude P"',
      'npx -c "claude P"',
      'X=P',
      'X="P" claude',
      'BASH_ENV=P bash run.sh',
      'env X=P claude',
      'a[P]=1',
    ].map((short) => [short, 'must be an argument of a program']),
    ...[
      'A P',
      'A claude P',
      '$AGENT P',
      '"${AGENT[@]}" P',
      '$SUDO ssh host P',
      '${SHELL:-/bin/sh} -c P',
      "env -S 'bash -c' P",
      '{bash,-c} P',
      '/bin/bas? -c P',
      '=bash -c P',
    ].map((short) => [short, 'not a fixed name']),
    // It would be evaluated.
    ['eval P', 'eval could evaluate'],
    ['eval "claude P"', 'eval could evaluate'],
    ['command eval P', 'eval could evaluate'],
    ['. P', '. could evaluate'],
    ['. ./agent.sh P', '. could evaluate'],
    ['let P', 'let could evaluate'],
    ['printf -v P text', 'printf could evaluate'],
    ['printf %d P', 'printf could evaluate'],
    ['printf P', 'printf could evaluate'],
    ['wait -n -p P', 'wait could evaluate'],
    ['trap P EXIT', 'trap could evaluate'],
    ['compgen -C P', 'compgen could evaluate'],
    ['[[ P -eq 1 ]]', '[[ would evaluate'],
    ['[[ -n x && a -eq P && -n y ]]', '[[ would evaluate'],
    ['if [[ -n x && a -eq P ]]; then true; fi', '[[ would evaluate'],
    ['[ -n P ]', '[ could evaluate'],
    ['test -v P', 'test could evaluate'],
    ['export P', 'export could evaluate'],
    ['export X=P', 'export could evaluate'],
    ['declare -i x=P', 'declare could evaluate'],
    ['awk P file', 'awk could evaluate'],
    ["sudo -u bob sh -c 'x' awk '/P/'", 'sh could execute'],
    ['awk -v text="P" 1', 'awk could evaluate'],
    ['sed -n "s/a/P/" file', 'sed could evaluate'],
    ['sed -e "s/a/P/" file', 'sed could evaluate'],
    ['sed s/a/b/ P', 'sed could evaluate'],
    // Command strings.
    ['bash P', 'bash could execute'],
    ['bash -c P', 'bash could execute'],
    ['bash -c "claude P"', 'bash could execute'],
    ['bash -lc "claude P"', 'bash could execute'],
    ['bash -c \'tool "$1"\' _ "P"', 'bash could execute'],
    ['sh -ec P', 'sh could execute'],
    ['bash -c -l -- P', 'bash could execute'],
    ['bash -euo pipefail -c P', 'bash could execute'],
    ['bash -euo pipefail run.sh P', 'bash could execute'],
    ['bash 2>&1 -c P', 'bash could execute'],
    ['bash > x -c P', 'bash could execute'],
    ['bash $FLAGS run.sh P', 'bash could execute'],
    ['bash /dev/stdin P', 'bash could execute'],
    ['/bin/zsh -c P', 'zsh could execute'],
    ['fish --command P', 'fish could execute'],
    ['"$SHELL" -c P', '$SHELL could execute'],
    ['X=1 env -i Y=2 timeout 5 nohup sh -c P', 'sh could execute'],
    ['sudo -u bob bash -c P', 'bash could execute'],
    ['exec bash -c P', 'bash could execute'],
    ['docker exec -it x bash -c P', 'bash could execute'],
    ['docker run --entrypoint bash image -c P', 'bash could execute'],
    ['kubectl exec pod -- sh -c P', 'sh could execute'],
    ['find . -exec sh -c P \\;', 'sh could execute'],
    ['tool -x; xargs -I{} sh -c P', 'xargs would execute'],
    ['su - bob -c P', 'su would execute'],
    ['su --command="claude P" bob', 'su would execute'],
    ['ssh host claude P', 'ssh would execute'],
    ['sudo --user bob ssh host P', 'ssh would execute'],
    ['npm exec -c "claude P"', 'npm would execute'],
    ['python3 P', 'python3 could execute'],
    ['python3 -c P', 'python3 could execute'],
    ['python3 -c{{ .Prompt }}', 'python3 could execute'],
    ['uv run python -c P', 'python could execute'],
    ['node -e P', 'node could execute'],
    ['node -p P', 'node could execute'],
    ['node --require x --eval P', 'node could execute'],
    ['node --import tsx agent.ts -p "P"', 'node could execute'],
    ['node --eval=P', 'node could execute'],
    ['deno eval P', 'deno could execute'],
    ['perl -lane P', 'perl could execute'],
    ['perl -P', 'perl could execute'],
    ['ruby -e P', 'ruby could execute'],
    ['php -r P', 'php could execute'],
    ['watch claude P', 'watch would execute'],
    ['parallel claude P', 'parallel would execute'],
    ['tmux new-session "claude P"', 'tmux would execute'],
    ...[
      ['echo P | bash', 'bash'],
      ['echo P | sudo bash -s', 'bash'],
      ['echo P | bash -c cat', 'bash'],
      ['echo P | python3 -', 'python3'],
      ['echo P | { cd x; bash; }', 'bash'],
      ['if true; then echo P; fi | sh', 'sh'],
      ['(echo P) |\n sh', 'sh'],
      ['coproc bash; echo P', 'bash'],
      ['echo P | eval "$(cat)"', 'eval'],
      ['echo P | . /dev/stdin', '.'],
      ['echo P | $PROGRAM x', '$PROGRAM'],
      ['echo P | xargs claude', 'xargs'],
      ['echo P | ssh host python3 -', 'ssh'],
    ].map(([short, name]) => [short, `${name} could execute what it reads through a pipe`]),
    // Quotes that the shell leaves there.
    ...[
      'tool \'claude -p "P"\'',
      'tool "claude -p \'P\'"',
      'tool "claude -p \\"do P now\\""',
      "tool 'claude -p '\\''P'\\'",
      'tool \'{ claude "P"; }\'',
      'curl -d \'{"prompt": "P", "n": [1]}\' url',
      'claude "Answer this: \'P\'"',
    ].map((short) => [short, 'beside quotes inside of quotes']),
    // Other ways to write it.
    ['claude "{{ printf "%q" .Prompt }}"', 'brings its own quotes'],
    ['claude \'{{ printf "%q" .Prompt }}\'', 'brings its own quotes'],
    ['claude {{ printf "\'%q\'" .Prompt }}', 'brings its own quotes'],
    ['claude {{ or .Prompt "x" }}', 'only directly or through printf'],
    // Conditions.
    [
      'claude {{ if .AllowedToolArgs }}"{{ end }}P{{ if .AllowedToolArgs }}"{{ end }}',
      'never closed',
    ],
    [
      'claude {{ if .AllowedToolArgs }}"a" {{ else }}"b" "{{ end }}P{{ if .AllowedToolArgs }}{{ else }}"{{ end }}',
      'never closed',
    ],
    ['claude {{ if .AllowedToolArgs }}"{{ else }}x {{ end }}P" # "', 'depend on a condition'],
    ['{{ if .AllowedToolArgs }}bash -c{{ else }}tool{{ end }} P', 'bash could execute'],
    ['bash {{ if .AllowedToolArgs }}-c {{ end }}P', 'bash could execute'],
    [`${'{{ if .AllowedToolArgs }}-x {{ end }}'.repeat(9)}claude P`, 'too many conditions'],
  ])('refuses %j', (short = '', message = '') => {
    const source = spelledOut(short);
    const { places, problems } = placesOf(source);
    expect(places).toEqual([]);
    expect(problems).toEqual(
      promptOffsets(source).map((offset) => ({
        offset,
        length: '.Prompt'.length,
        message: expect.stringContaining(message),
        hint,
      })),
    );
  });

  it('judges every prompt by itself', () => {
    const source = 'claude {{ .Prompt }} # {{ .Prompt }}\nbash -c {{ .Prompt }}; x "{{ .Prompt }}"';
    const { places, problems } = placesOf(source);
    expect(places.map(({ place }) => place)).toEqual(['bare', 'double']);
    expect(problems.map(({ offset }) => offset)).toEqual(promptOffsets(source).slice(1, 3));
  });

  it('finds no place where the prompt is not put out', () => {
    const source =
      '{{ if eq .Prompt "x" }}claude < "$PROCTOR_PROMPT_FILE"{{ end }}{{/* .Prompt */}}';
    expect(placesOf(source)).toEqual({ places: [], problems: [] });
  });

  it('survives deep nesting', () => {
    for (const opening of [
      '$(',
      '"$(',
      '(',
      'a=(',
      '${',
      '`',
      '$((',
      '<<a ',
      "'",
      '{',
      'case a in ',
    ]) {
      const { template } = parseTemplate(`${opening.repeat(20_000)} {{ .Prompt }}`, fields);
      expect(findPromptPlaces(template).places.length).toBeLessThanOrEqual(1);
    }
    expect(placesOf(`${'$('.repeat(100)} {{ .Prompt }}`).places).toEqual([]);
  });

  it('never throws, and gives one verdict for each prompt', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...parts), fc.string())), (fragments) => {
        const source = fragments.join('');
        const { template } = parseTemplate(source, fields);
        const { places, problems } = findPromptPlaces(template);
        const offsets = [...places, ...problems].map(({ offset }) => offset);
        expect(offsets.toSorted((left, right) => left - right)).toEqual(outputsOf(template.nodes));
      }),
      { numRuns: 3000 },
    );
  });
});

function outputsOf(nodes: TemplateNode[]): number[] {
  return nodes.flatMap((node) => {
    if (node.kind === 'text') return [];
    if (node.kind === 'output') return promptsIn(node.expression);
    return [...outputsOf(node.then), ...outputsOf(node.otherwise)];
  });
}

function promptsIn(expression: Expression): number[] {
  if (expression.kind === 'call') return expression.args.flatMap(promptsIn);
  return expression.kind === 'field' && expression.name === 'Prompt' ? [expression.offset] : [];
}

/** Expands a template as the places say that it is safe to. */
function expand(nodes: TemplateNode[], places: Map<number, PlacedPrompt>, prompt: string): string {
  const references = {
    bare: '"$PROCTOR_PROMPT"',
    double: '${PROCTOR_PROMPT}',
    single: `'"$PROCTOR_PROMPT"'`,
  };
  const write = (expression: Expression): string => {
    if (expression.kind === 'string') return expression.value;
    if (expression.kind === 'field') {
      const placed = places.get(expression.offset);
      if (placed?.quoted) return `'${prompt.replaceAll("'", `'\\''`)}'`;
      return placed ? references[placed.place] : '';
    }
    const [format, ...values] = expression.args;
    return splitFormat(format?.kind === 'string' ? format.value : '')
      .map((part) => {
        const value = part.kind === 'verb' ? values.shift() : undefined;
        return part.kind === 'text' ? part.text : value ? write(value) : '';
      })
      .join('');
  };
  return nodes
    .map((node) => {
      if (node.kind === 'text') return node.text;
      if (node.kind === 'output') return write(node.expression);
      return expand(node.then, places, prompt);
    })
    .join('');
}

describe('an accepted place', () => {
  const prompts = [
    'plain words',
    '',
    ' leading and trailing \n\n',
    `it's "quoted" 'twice'`,
    '$(touch pwned) `touch pwned` ${HOME} $HOME $$ $1',
    `'; touch pwned; '`,
    `"; touch pwned; "`,
    `' "$(touch pwned)" '`,
    'a[$(touch pwned)]',
    'EOF\ntouch pwned\nEOF',
    ') ; touch pwned #',
    'back\\slashes \\\\ \\n \\" \\',
    '-n --help -e -c',
    '* ? [a-z] ~ {a,b} !! %s %q & | < > ;',
    'naïve 😀 \u202e 日本語',
    '\t\r\n\u0001',
  ];

  it.each([
    'printf %s P',
    'printf %s "P"',
    "printf %s 'P'",
    'printf %s {{ printf "%q" .Prompt }}',
    'printf %s {{ .Prompt | printf "%q" }}',
    'printf %s {{ printf "%s" .Prompt }}',
    'printf %s {{ printf "\'%s\'" .Prompt }}',
    'printf %s ""P\'\'',
    "printf %s 'P' | cat",
    'if [ -n "$PROCTOR_PROMPT" ]; then printf %s P; else printf %s P; fi',
    'if [[ -f x && -n y ]]; then false; fi; { printf %s P; }',
    'case P in *) printf %s P ;; esac',
    'x="$(printf %s "a b")"; cd "$(pwd)" && printf %s "P"',
    'env X=1 timeout 5 printf %s P',
    '(printf %s P)',
    'for x in P; do printf %s "$x"; done',
    "# don't\nprintf %s \\\n  'P' # \"",
    'cat <<EOF > /dev/null\nit\'s "$(\nEOF\nprintf %s P',
    'printf %s {{ if .Prompt }}"P"{{ end }}',
  ])('of %j carries any prompt unchanged', (short) => {
    const { template } = parseTemplate(spelledOut(short), fields);
    const { places, problems } = findPromptPlaces(template);
    expect(problems).toEqual([]);
    const byOffset = new Map(places.map((placed) => [placed.offset, placed]));
    const directory = mkdtempSync(join(tmpdir(), 'prompt-place-'));
    const runs = prompts.flatMap((prompt) => [prompt, expand(template.nodes, byOffset, prompt)]);
    try {
      // One process runs all, as starting many from here is slow; no prompt holds a NUL.
      const each = 'PROCTOR_PROMPT=$1 bash -c "$2"; printf "\\0"; shift 2';
      const { stdout } = spawnSync('bash', ['-c', `while (($#)); do ${each}; done`, '_', ...runs], {
        cwd: directory,
        env: { PATH: process.env.PATH },
        encoding: 'utf8',
      });
      expect(stdout.split('\0').slice(0, -1)).toEqual(prompts);
      expect(readdirSync(directory)).toEqual([]);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it('of a random template never executes a prompt', () => {
    const folder = mkdtempSync(join(tmpdir(), 'prompt-place-'));
    const canary = join(folder, 'pwned');
    const run = `touch ${canary}`;
    const attacks = [
      run,
      `$(${run})`,
      `\`${run}\``,
      `a[$(${run})]`,
      `'; ${run}; '`,
      `"; ${run}; "`,
      `' $(${run}) "$(${run})`,
      `x\n${run}\nEOF\n${run}\n`,
      `) ; ${run} #`,
    ];
    const lines = fc.array(fc.constantFrom(...parts, '{{ .Prompt }} ', 'claude '), {
      maxLength: 9,
    });
    const accepted = fc.sample(lines, 20_000).flatMap((fragments) => {
      const { template, problems } = parseTemplate(fragments.join(''), fields);
      const { places, problems: refused } = findPromptPlaces(template);
      const isUsed = problems.length + refused.length === 0 && places.length > 0;
      return isUsed ? [{ template, places }] : [];
    });
    const commands = accepted.slice(0, 300).map(({ template, places }, index) => {
      const prompt = attacks[index % attacks.length] ?? '';
      const byOffset = new Map(places.map((placed) => [placed.offset, placed]));
      return [prompt, expand(template.nodes, byOffset, prompt)];
    });
    expect(commands.length).toBeGreaterThan(100);
    try {
      for (const shell of ['bash', 'sh']) {
        // Each in an empty folder: a script that another one has written is no matter here.
        const start = `rm -rf w; mkdir w; (cd w; PROCTOR_PROMPT=$1 timeout 5 ${shell} -c "$2" < /dev/null)`;
        const verdict = `[ ! -e "$CANARY" ] || { printf '%s\\n' "$2"; rm "$CANARY"; } >&3`;
        const loop = `exec 3>&1 > /dev/null 2>&1; while [ $# -gt 0 ]; do ${start}; ${verdict}; shift 2; done`;
        const { stdout } = spawnSync(shell, ['-c', loop, '_', ...commands.flat()], {
          cwd: folder,
          env: { PATH: process.env.PATH, CANARY: canary },
          encoding: 'utf8',
        });
        expect(stdout, `executed by ${shell}`).toBe('');
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
