// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is the shell that expands these
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
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
    ['"${TOOLS:-/opt/tools}/claude" --model x "P"', 'double'],
    ['"$AGENT_BIN" P', 'bare'],
    ['X=1 "${AGENT_BIN}" A --print "P" || "$AGENT_BIN" P', 'double', 'bare'],
    ['sudo -u "$USER" claude --print P', 'bare'],
    ['claude "Please do: P, thanks" --allowedTools "{{ .AllowedToolArgs }}"', 'double'],
    ['claude P && claude "P" || claude \'P\'', 'bare', 'double', 'single'],
    ['claude \\\n  --print P', 'bare'],
    ['cla\\\nude "a\\\nP"', 'double'],
    ['cd x &&\\\nclaude P', 'bare'],
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
    ['for number in 1 2; do claude P; done', 'bare'],
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
    ['npx -y agent A --system "Be brief" "P"', 'double'],
    ['uv run agent A P', 'bare'],
    ['env -i X="$X" claude A P', 'bare'],
    ['docker run --rm -v "$PWD:/work" -e KEY="$KEY" image -p P', 'bare'],
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
      ['function run { eval "$1"; }; run P', 'a function or an alias'],
      ['if true; then function run { :; }; fi; run P', 'a function or an alias'],
      ["alias run='eval'\nrun P", 'a function or an alias'],
      ['echo &>/dev/null eval P', '&>'],
      ['claude P &>> log', '&>'],
      ['claude "$\\\n(echo P)"', 'an operator that goes on in the next line'],
      ['bash <\\\n<EOF\nclaude P\nEOF', 'an operator that goes on in the next line'],
      ['(\\\n(1 + P))', 'an operator that goes on in the next line'],
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
      'echo "$(case x in a) echo " \'P\' " ;; esac)"',
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
      // An expansion in quotes, too, can be any program.
      '"$SHELL" -c P',
      '"${SHELL:-/bin/bash}" -lc "echo P"',
      '"${BASH:-bash}" --norc -c "echo P"',
      '"${SHELL:-sh}" -c "echo P"',
      '"${AGENT:-claude}" P',
      '"$CONFIG_SHELL" P',
      '"$0" -c "echo P"',
      '"$1" P',
      '"$_" P',
      '"$(command -v bash)" -c P',
      '"$DIR/$AGENT" P',
      '"$AGENT" -c P',
      '"$AGENT" -xc P',
      '"$AGENT" --eval P',
      '"$AGENT" "${FLAG:--c}" P',
      '"$AGENT" "echo P"',
      '"$AGENT" --prompt=P',
      'AGENT=eval; "$AGENT" P',
      ': "${AGENT:=eval}"; "$AGENT" P',
      'read AGENT; "$AGENT" P',
      'timeout 5 "${SHELL:-sh}" -c P',
      'env -u Q ${SHELL:-/bin/sh} -c "x=P"',
      'env -u Q "${SHELL:-/bin/sh}" -c "x=P"',
      'sudo -u bob $PROGRAM P',
      'sudo -u bob claude A P',
      'env X=$Y claude P',
      'env -Sawk x P',
      'env -i --split-string=awk x P',
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
    // The value of an option is not the program.
    ['env -u FOO awk P', 'awk could evaluate'],
    ['sudo -u bob awk P', 'awk could evaluate'],
    ['exec -a x awk P', 'awk could evaluate'],
    ['command -p eval P', 'eval could evaluate'],
    ['noglob eval P', 'eval could evaluate'],
    ['nice -n 5 awk P', 'awk could evaluate'],
    ['timeout -s KILL 5 awk P', 'awk could evaluate'],
    ['stdbuf -o L sed P', 'sed could evaluate'],
    ['env -C / builtin printf %d P', 'printf could evaluate'],
    ['find . -exec awk P \\;', 'awk could evaluate'],
    ['busybox awk P', 'awk could evaluate'],
    ['exec -a x ssh host P', 'ssh would execute'],
    ['env -u FOO python3 -c P', 'python3 could execute'],
    // Loops, whose bodies could do anything with their variables.
    ['for x in P; do bash -c "$x"; done', 'for could evaluate'],
    ['for x in P; do echo; done', 'for could evaluate'],
    ['if true; then for x in P; do echo; done; fi', 'for could evaluate'],
    ['select x in P; do echo; done', 'select could evaluate'],
    ['coproc claude P', 'coproc could evaluate'],
    // Command strings.
    ...[
      ...['rbash', 'ksh', 'ksh93', 'mksh', 'lksh', 'oksh', 'pdksh', 'yash', 'posh', 'ash', 'dash'],
      ...['csh', 'tcsh', 'fish', 'pwsh', 'bash5', 'bash-5.2'],
    ].flatMap((shell) => [
      [`${shell} -c P`, `${shell} could execute`],
      [`busybox ${shell} -c "x P"`, `${shell} could execute`],
    ]),
    ['docker run --entrypoint=bash image -c P', 'bash could execute'],
    ['docker run --entrypoint=/bin/bash image run.sh P', 'bash could execute'],
    ['docker run --entrypoint bash image -c -- P', 'bash could execute'],
    ['docker run --entrypoint bash image P', 'bash could execute'],
    ['docker run --entrypoint python3 image -c P', 'python3 could execute'],
    ['docker run --entrypoint awk image P', 'awk could evaluate'],
    ['docker run --entrypoint=awk image P', 'awk could evaluate'],
    ['docker run bash image -c -- P', 'bash could execute'],
    ['docker run image P', 'the program that a container starts'],
    ['docker exec x P', 'the program that a container starts'],
    ['kubectl exec pod -- P', 'the program that a container starts'],
    ['kubectl exec -n x pod -c y -- P', 'the program that a container starts'],
    ['find . -exec "$SHELL" -c P \\;', '$SHELL could execute'],
    ['tool "${X:-/bin/sh}" -c P', '${X:-/bin/sh} could execute'],
    ['bash "${X:--c}" P', 'bash could execute'],
    ['find . -exec python3 -c P \\;', 'python3 could execute'],
    ['deno run P', 'deno could execute'],
    ['make run PROMPT=P', 'make would execute'],
    ['just run P', 'just would execute'],
    ['vagrant ssh -c P', 'vagrant would execute'],
    ['ssh host P', 'ssh would execute'],
    ['sqlite3 file P', 'sqlite3 would execute'],
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
      ['echo P | "$PROGRAM" x', '$PROGRAM'],
      ['echo P | "${SHELL:-sh}"', '${SHELL:-sh}'],
      ['echo P | sudo -u bob "${SHELL:-sh}"', '${SHELL:-sh}'],
      ['echo P | env -u Q "$PROGRAM"', '$PROGRAM'],
      ['echo P | docker run -i --entrypoint=bash image', 'bash'],
      ['echo P | while read x; do claude; done', 'read'],
      ['echo P | { mapfile x; claude; }', 'mapfile'],
      ['echo P | sqlite3 file', 'sqlite3'],
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

/** Command lines that start a program in many ways, among them most that execute an argument or their input. */
const commandLines = fc
  .tuple(
    fc.array(
      fc.constantFrom(
        ...['env', 'env -i', 'env -u FOO', 'env X=1', 'sudo', 'sudo -u bob', 'exec', 'exec -a x'],
        ...[
          'command',
          'timeout 5',
          'timeout -s KILL 5',
          'nice -n 1',
          'nohup',
          'X=1',
          '!',
          '{',
          '>x',
        ],
        ...[
          'docker exec x',
          'docker run image',
          'docker run --entrypoint',
          'docker run --entrypoint=',
        ],
        ...['find . -exec', 'function run {', 'for x in', 'echo &>/dev/null', 'AGENT=eval;'],
      ),
      { maxLength: 2 },
    ),
    fc.constantFrom(
      ...[
        '"${SHELL:-/bin/sh}"',
        '"$SHELL"',
        '${SHELL:-sh}',
        '"${BASH:-bash}"',
        '"$0"',
        '"${X:-sh}"',
      ],
      ...['awk', '"${X:-awk}"', 'bash', 'rbash', 'sh', 'eval', 'command eval', 'printf %s', 'echo'],
      ...['claude', 'claude', '"$AGENT"', '"$HOME/bin/claude"', 'test', 'export', 'claude bash'],
    ),
    fc.array(
      fc.constantFrom(
        ...[
          '-c',
          '-lc',
          '-p',
          '--',
          '--norc',
          'x',
          'image',
          'image -c',
          '"${X:--c}"',
          '-exec',
          'e\\\nval',
        ],
      ),
      { maxLength: 3 },
    ),
    fc.constantFrom('{{ .Prompt }}', '"{{ .Prompt }}"', '"echo {{ .Prompt }}"', 'x={{ .Prompt }}'),
    fc.constantFrom(
      ...['', '', '', ' \\;', '; }', '; do bash -c "$x"; done', '; }; run {{ .Prompt }}', ' | cat'],
      ...[' | sh', ' | "${SHELL:-sh}"', ' | env -u X sh', ' | while read x; do sh -c "$x"; done'],
    ),
  )
  .map(([before, program, options, prompt, after]) =>
    `${[...before, program, ...options, prompt].join(' ')}${after}`.replace('= ', '='),
  )
  .map((line) => [line]);

/** Writes programs that hand on their arguments as the real ones do, which need not be installed. */
function writePrograms(folder: string): void {
  const programs = {
    sudo: '[ "$1" = -u ] && shift 2; exec "$@"',
    docker: `shift
      case $1 in
        --entrypoint) program=$2; shift 3 ;;
        --entrypoint=*) program=\${1#*=}; shift 2 ;;
        *) shift; exec "$@" ;;
      esac
      exec "$program" "$@"`,
    claude: ':',
  };
  mkdirSync(join(folder, 'bin'));
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  }
}

/** Up to 300 random templates that are accepted, each as what writes its command line for a prompt. */
function sampleAccepted(templates: fc.Arbitrary<string[]>, count: number) {
  const sources = new Set(fc.sample(templates, count).map((fragments) => fragments.join('')));
  const accepted = [...sources].flatMap((source) => {
    const { template, problems } = parseTemplate(source, fields);
    const { places, problems: refused } = findPromptPlaces(template);
    if (problems.length + refused.length > 0 || places.length === 0) return [];
    const byOffset = new Map(places.map((placed) => [placed.offset, placed]));
    return [(prompt: string) => expand(template.nodes, byOffset, prompt)];
  });
  return accepted.slice(0, 300);
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
    'for x in 1; do printf %s P; done',
    'printf \\\n%\\\ns "\\\nP\\\n"',
    'agent=printf; env -i PROCTOR_PROMPT="$PROCTOR_PROMPT" printf %s P',
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
    writePrograms(folder);
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
    const commands = sampleAccepted(lines, 20_000).map((accepted, index) => {
      const prompt = attacks[index % attacks.length] ?? '';
      return [prompt, accepted(prompt)];
    });
    // A shell executes the first wherever it evaluates it, awk the second.
    const programs = [`$(${run})`, `BEGIN { system("${run}") }`];
    const started = sampleAccepted(commandLines, 3000).flatMap((accepted) =>
      programs.map((prompt) => [prompt, accepted(prompt)]),
    );
    expect(started.length).toBeGreaterThan(100);
    expect(commands.length).toBeGreaterThan(100);
    try {
      for (const shell of ['bash', 'sh']) {
        // Each in an empty folder: a script that another one has written is no matter here.
        const start = `rm -rf w; mkdir w; (cd w; PROCTOR_PROMPT=$1 timeout 5 ${shell} -c "$2" < /dev/null)`;
        const verdict = `[ ! -e "$CANARY" ] || { printf '%s\\n' "$2"; rm "$CANARY"; } >&3`;
        const loop = `exec 3>&1 > /dev/null 2>&1; while [ $# -gt 0 ]; do ${start}; ${verdict}; shift 2; done`;
        const { stdout } = spawnSync(
          shell,
          ['-c', loop, '_', ...[...commands, ...started].flat()],
          {
            cwd: folder,
            env: {
              PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
              CANARY: canary,
              SHELL: '/bin/bash',
              AGENT: 'claude',
            },
            encoding: 'utf8',
          },
        );
        expect(stdout, `executed by ${shell}`).toBe('');
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
