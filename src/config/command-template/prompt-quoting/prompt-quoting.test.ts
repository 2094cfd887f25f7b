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

describe('findPromptPlaces', () => {
  it.each<[string, ...string[]]>([
    ['claude A --print P', 'bare'],
    ['claude A --print "P"', 'double'],
    ["claude A --print 'P'", 'single'],
    ['claude --x=P -y', 'bare'],
    ['claude "a"P\'b\'', 'bare'],
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
    ['claude $"P"', 'double'],
    ["claude $'it\\'s' P", 'bare'],
    ["claude \"${x:-it's}\" 'P'", 'single'],
    ["claude ${x:-'}'} P", 'bare'],
    ['claude $((1 + (2))) $[3] "`a "b" \\` c`" P', 'bare'],
    ['((1 << 2)) && claude P', 'bare'],
    // Nested commands.
    ['echo "$(claude P)"', 'bare'],
    ['echo "$(claude "P")"', 'double'],
    ["echo \"$(claude 'P')\" 'P'", 'single', 'single'],
    ['(cd x && claude P)', 'bare'],
    ['tool <(claude P) > >(tee "P")', 'bare', 'double'],
    ['{ claude P; }', 'bare'],
    ['f() { claude "$1"; }; f P', 'bare'],
    ['if [ -n "P" ]; then claude P; else ! claude P; fi', 'double', 'bare', 'bare'],
    ['while true; do claude P; done', 'bare'],
    ['for word in P; do echo; done', 'bare'],
    ['[[ -n P && a =~ ^(b|c)$ ]] && claude P', 'bare', 'bare'],
    [
      'case P in a | b) claude P ;; (c) claude "P" ;; esac; claude P',
      ...['bare', 'bare', 'double', 'bare'],
    ],
    ['x=$(case a in b) claude P;; esac) && claude P', 'bare', 'bare'],
    // Assignments.
    ['X=P', 'bare'],
    ['X="P" claude', 'double'],
    ['X=$(claude P)', 'bare'],
    ["export X='P' Y=P; claude", 'single', 'bare'],
    ['args=(--print "P" P); claude "${args[@]}"', 'double', 'bare'],
    ['env X=P claude', 'bare'],
    // Here-documents end, here-strings are words.
    ['cat <<EOF\nit\'s "\nEOF\nclaude P', 'bare'],
    ["cat <<-'E F'\n\"\n\tE F\nclaude P", 'bare'],
    ['cat <<A0 <<"B0"\n"\nA0\nA0\nB0\nclaude P', 'bare'],
    ["cat << 'EOF' | claude P\nit's\nEOF", 'bare'],
    ['x="$(cat <<EOF\n\'\nEOF\n)"; claude P', 'bare'],
    ['claude <<< P', 'bare'],
    ['claude <<<"P"', 'double'],
    // Other programs, but not their program text.
    ['bash -c \'tool "$1"\' _ "P"', 'double'],
    ["bash -c 'tool' P", 'bare'],
    ['bash -euo pipefail run.sh P', 'bare'],
    ['X=1 sudo -u bob timeout 5 nohup claude P', 'bare'],
    ['docker exec -i x claude -p "P"', 'double'],
    ['kubectl exec pod -- claude -p "P"', 'double'],
    ['tool eval P', 'bare'],
    ['timeout 300 agent eval --prompt P', 'bare'],
    ['python3 -u agent.py "P"', 'double'],
    ['python3 -m agent P', 'bare'],
    ['node agent.js -p "P"', 'double'],
    ['node agent.js --print="P"', 'double'],
    ['npx . "P"', 'double'],
    ['. ./agent.sh P', 'bare'],
    ['node --import tsx agent.ts -p "P"', 'double'],
    ["perl -ne 'print' P", 'bare'],
    ['awk -v text="P" \'{print text}\'', 'double'],
    ['sed s/a/b/ P', 'bare'],
    ['echo P | claude | python3 parse.py | bash -c cat', 'bare'],
    ['claude P |\n jq .', 'bare'],
    ['echo P | xargs claude', 'bare'],
    ['A claude P', 'bare'],
    ['$AGENT P', 'bare'],
    // Quotes inside a string that is no command.
    ['curl -d \'{"prompt": "P", "n": [1]}\' url', 'single'],
    ['curl --data="{\\"prompt\\": \\"P\\", \\"n\\": $N}" url', 'double'],
    ['tool \'<prompt text="P"/>\'', 'single'],
    ['claude "Answer this: \'P\'"', 'double'],
    ['claude "You read \'P\' here"', 'double'],
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
    // Places that cannot carry it.
    ['claude \\P', 'backslash'],
    ['claude "\\P"', 'backslash'],
    ['claude $P', 'the $ before'],
    ['claude "$P"', 'the $ before'],
    ["claude $'P'", "$'...'"],
    ['claude `echo P`', 'backticks'],
    ['claude "`echo P`"', 'backticks'],
    ['claude ${x:-P}', 'parameter expansion'],
    ['claude "${x:-"P"}"', 'parameter expansion'],
    ['claude $((P))', 'arithmetic'],
    ['claude $[P]', 'arithmetic'],
    ['((P))', 'arithmetic'],
    ['for ((i = P; i < 3; i++)); do claude; done', 'arithmetic'],
    ['claude # P', 'comment'],
    ['claude; #P', 'comment'],
    ['x=$(claude # P\n)', 'comment'],
    ['cat <<EOF\nP\nEOF', 'here-document'],
    ['cat <<EOF\nP', 'here-document'],
    ["cat <<'EOF' | claude\nP\nEOF", 'here-document'],
    ['cat <<-EOF\n\tP\n\tEOF', 'here-document'],
    ['cat <<A0 <<B0\nA0\nP\nB0', 'here-document'],
    ['claude "$(cat <<EOF\nP\nEOF\n)"', 'here-document'],
    ['cat <<P\n', 'here-document'],
    ['cat <<A\nP\n', 'here-document'],
    ['claude > P', 'name of a file'],
    ['claude < "P"', 'name of a file'],
    ['case x in P) claude;; esac', 'pattern'],
    ['case x in a) claude;; P) claude;; esac', 'pattern'],
    ['claude "P', 'never closed'],
    ["claude 'P", 'never closed'],
    ['claude $(echo P', 'never closed'],
    ['claude "$(echo "P)', 'never closed'],
    // It would be evaluated.
    ['P', 'program to run'],
    ['"P" x', 'program to run'],
    ['./run-P.sh', 'program to run'],
    ['X=1 P', 'program to run'],
    ['true && P', 'program to run'],
    ['if P; then true; fi', 'program to run'],
    ['$(P)', 'program to run'],
    ['sudo P', 'program to run'],
    ['timeout 5 P', 'program to run'],
    ['env X=1 P', 'program to run'],
    ['A P', 'program to run'],
    ['bash P', 'program to run'],
    ['bash <(echo P)', 'program to run'],
    ['python3 P', 'program to run'],
    ['a[P]=1', 'program to run'],
    ['a=([P]=1)', 'subscript'],
    ['eval P', 'eval would evaluate'],
    ['eval "claude P"', 'eval would evaluate'],
    ['command eval P', 'eval would evaluate'],
    ['source <(echo P)', 'source would evaluate'],
    ['. P', '. would evaluate'],
    ['let P', 'let would evaluate'],
    ['printf -v P text', 'printf would evaluate'],
    ['wait -n -p P', 'wait would evaluate'],
    ['trap P EXIT', 'trap would evaluate'],
    ['[[ P -eq 1 ]]', '[[ would evaluate'],
    ['test -v P', 'test would evaluate'],
    ['export P', 'export would evaluate'],
    ['declare -i x=P', 'declare would evaluate'],
    // Command strings.
    ['bash -c P', 'bash would execute'],
    ['bash -c "claude P"', 'bash would execute'],
    ['bash -lc "claude P"', 'bash would execute'],
    ['sh -ec P', 'sh would execute'],
    ['bash -c -l -- P', 'bash would execute'],
    ['bash -euo pipefail -c P', 'bash would execute'],
    ['bash -c "$(echo P)"', 'bash would execute'],
    ['/bin/zsh -c P', 'zsh would execute'],
    ['fish --command P', 'fish would execute'],
    ['"$SHELL" -c P', '$SHELL would execute'],
    ['${SHELL:-/bin/sh} -c P', 'sh would execute'],
    ['X=1 env -i Y=2 timeout 5 nohup sh -c P', 'sh would execute'],
    ['sudo -u bob bash -c P', 'bash would execute'],
    ['exec bash -c P', 'bash would execute'],
    ['docker exec -it x bash -c P', 'bash would execute'],
    ['kubectl exec pod -- sh -c P', 'sh would execute'],
    ['find . -exec sh -c P \\;', 'sh would execute'],
    ['xargs -I{} sh -c P', 'sh would execute'],
    ['f() { bash -c P; }', 'bash would execute'],
    ['su - bob -c P', 'su would execute'],
    ['su --command="claude P" bob', 'su would execute'],
    ['ssh host claude P', 'ssh would execute'],
    ['sudo --user bob ssh host P', 'ssh would execute'],
    ['$SUDO ssh host P', 'ssh would execute'],
    ['env -S "claude P"', 'program to run'],
    ['env -S"claude P"', 'env would execute'],
    ['python3 -c P', 'python3 would execute'],
    ['python3 -cP', 'python3 would execute'],
    ['uv run python -c P', 'python would execute'],
    ['node -e P', 'node would execute'],
    ['node -p P', 'node would execute'],
    ['node --require x --eval P', 'node would execute'],
    ['node --eval=P', 'node would execute'],
    ['perl -lane P', 'perl would execute'],
    ['perl -P', 'perl would execute'],
    ['ruby -e P', 'ruby would execute'],
    ['php -r P', 'php would execute'],
    ['awk P file', 'program to run'],
    ["sudo -u bob awk '/P/'", 'program to run'],
    ['sed -n "s/a/P/" file', 'program to run'],
    ['sed -e "s/a/P/" file', 'sed would execute'],
    ['watch claude P', 'watch would execute'],
    ['parallel claude P', 'parallel would execute'],
    ['tmux new-session "claude P"', 'tmux would execute'],
    ['echo P | bash', 'bash would execute'],
    ['echo P | sudo bash -s', 'bash would execute'],
    ['(echo P) |\n sh', 'sh would execute'],
    ['echo P | ssh host python3 -', 'python3 would execute'],
    ['bash <<< P', 'bash would execute'],
    ["echo P | xargs -I{} sh -c 'tool {}'", 'sh would execute'],
    ['tool \'claude -p "P"\'', 'command string inside a string'],
    ['tool "claude -p \'P\'"', 'command string inside a string'],
    ['tool "claude -p \\"do P now\\""', 'command string inside a string'],
    ["tool 'claude -p '\\''P'\\'", 'command string inside a string'],
    ['X=\'claude -p "P"\'', 'command string inside a string'],
    ['tool \'{ claude "P"; }\'', 'command string inside a string'],
    // Other ways to write it.
    ['claude "{{ printf "%q" .Prompt }}"', 'brings its own quotes'],
    ['claude \'{{ printf "%q" .Prompt }}\'', 'brings its own quotes'],
    ['claude {{ printf "\'%q\'" .Prompt }}', 'brings its own quotes'],
    ['claude {{ or .Prompt "x" }}', 'only as it is or through printf'],
    // Conditions.
    [
      'claude {{ if .AllowedToolArgs }}"{{ end }}P{{ if .AllowedToolArgs }}"{{ end }}',
      'never closed',
    ],
    ['claude {{ if .AllowedToolArgs }}"a" {{ else }}"{{ end }}P" "', 'depend on a condition'],
    ['{{ if .AllowedToolArgs }}bash -c{{ else }}tool{{ end }} P', 'bash would execute'],
    ['bash {{ if .AllowedToolArgs }}-c {{ end }}P', 'bash would execute'],
    [`${'{{ if .AllowedToolArgs }}-x {{ end }}'.repeat(9)}claude P`, 'too many conditions'],
  ])('refuses %j', (short, message) => {
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
    const parts = [
      ...['{{ .Prompt }}', '{{ .Prompt }}', '{{ printf "%q" .Prompt }}', '{{ .AllowedToolArgs }}'],
      ...['{{ if .AllowedToolArgs }}', '{{ else }}', '{{ end }}', '{{- ', ' -}}', '{{', '}}'],
      ...[
        '"',
        "'",
        '`',
        '\\',
        '$',
        '$(',
        ')',
        '(',
        '((',
        '${',
        '}',
        "$'",
        '$"',
        '#',
        '\n',
        ' ',
        '\t',
      ],
      ...['<<EOF\n', '\nEOF\n', '<<-', '<<<', '<(', '>', '2>&1', ';', ';;', '&&', '|', 'X=', 'X=('],
      ...[
        'case a in ',
        'a)',
        ' esac',
        'bash ',
        '-c ',
        'eval ',
        'sudo ',
        'claude ',
        'é😀',
        '\ufffc',
        '\r',
      ],
    ];
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
    'X=P; printf %s "$X"',
    "X='P' bash -c 'printf %s \"$X\"'",
    'export X="P"; printf %s "$X"',
    'bash -c \'printf %s "$1"\' _ "P"',
    'args=(%s "P"); printf "${args[@]}"',
    'args=(%s P); printf "${args[@]}"',
    'x="$(printf %s "P"; printf x)"; printf %s "${x%x}"',
    'x=$(printf %s \'P\'; printf x); printf %s "${x%x}"',
    'x="$(cat <<< P; printf x)"; printf %s "${x%?x}"',
    'cat <(printf %s P)',
    "printf %s 'P' | cat",
    'if [ -n "P" ]; then printf %s P; fi',
    '[[ -n P || -z P ]] && printf %s "P"',
    'case P in *) printf %s P ;; esac',
    'f() { printf %s "$1"; }; f "P"',
    '(printf %s P)',
    'for x in P; do printf %s "$x"; done',
    "# don't\nprintf %s \\\n  'P' # \"",
    'cat <<EOF > /dev/null\nit\'s "$(\nEOF\nprintf %s P',
    'printf %s {{ if .Prompt }}"P"{{ end }}',
    'env X=P printenv X | head -c 0; printf %s P',
    'awk -v n=1 \'BEGIN { printf "%s", ARGV[n] }\' P',
  ])('of %j carries any prompt unchanged', (short) => {
    const { template } = parseTemplate(spelledOut(short), fields);
    const { places, problems } = findPromptPlaces(template);
    expect(problems).toEqual([]);
    const byOffset = new Map(places.map((placed) => [placed.offset, placed]));
    const directory = mkdtempSync(join(tmpdir(), 'prompt-place-'));
    const carried = prompts.filter((prompt) => prompt !== '' || !short.includes('[ -n'));
    const runs = carried.flatMap((prompt) => [prompt, expand(template.nodes, byOffset, prompt)]);
    try {
      // One process runs all, as starting many from here is slow; no prompt holds a NUL.
      const each = 'PROCTOR_PROMPT=$1 bash -c "$2"; printf "\\0"; shift 2';
      const { stdout } = spawnSync('bash', ['-c', `while (($#)); do ${each}; done`, '_', ...runs], {
        cwd: directory,
        env: { PATH: process.env.PATH },
        encoding: 'utf8',
      });
      expect(stdout.split('\0').slice(0, -1)).toEqual(carried);
      expect(readdirSync(directory)).toEqual([]);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});
