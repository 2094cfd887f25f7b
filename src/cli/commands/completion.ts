import { exitCodes, UsageError } from '../../base/errors.js';
import { didYouMean } from '../../base/nearest.js';
import type { CommandRun } from '../command.js';

export async function run({ arguments: [shell = ''], io }: CommandRun): Promise<number> {
  const script = shellScripts.get(shell);
  if (script === undefined) {
    const shells = [...shellScripts.keys()];
    const message = `there is no completion for ${JSON.stringify(shell)}: expected one of ${shells.join(', ')}`;
    throw new UsageError(message, didYouMean(shell, shells));
  }
  io.stdout.write(script);
  return exitCodes.ok;
}

/**
 * What a shell has to run. It asks `proctor` itself what could come next, so that it need not be
 * made anew when commands change: one candidate on each line, with a tab before its description,
 * and `:files` where names of files would also do.
 */
const shellScripts: ReadonlyMap<string, string> = new Map([
  [
    'bash',
    script`# bash completion of proctor
_proctor() {
  local line files=
  # Bash takes --flag=value apart, proctor does not.
  local -a words=() candidates=()
  local word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    local count=\${#words[@]}
    if ((count > 0)) && [[ $word == = || \${words[count-1]} == --*= ]]; then
      words[count-1]+=$word
    else
      words+=("$word")
    fi
  done
  local typed=\${words[\${#words[@]}-1]} current=\${COMP_WORDS[COMP_CWORD]}
  [[ $current == = ]] && current=
  local before=\${typed%"$current"}
  while IFS= read -r line; do
    if [[ $line == :files ]]; then files=1; else candidates+=("\${line%%$'\t'*}"); fi
  done < <("\${COMP_WORDS[0]}" __complete "\${words[@]}" 2>/dev/null)
  COMPREPLY=()
  for word in "\${candidates[@]}"; do COMPREPLY+=("\${word#"$before"}"); done
  if [[ $files ]]; then
    compopt -o filenames 2>/dev/null
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$current")
  fi
}
complete -F _proctor proctor
`,
  ],
  [
    'zsh',
    script`#compdef proctor
# zsh completion of proctor
_proctor() {
  local line files=
  local -a candidates
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      files=1
    else
      local value=\${line%%$'\t'*} description=\${line#*$'\t'}
      candidates+=("\${value//:/\\:}:$description")
    fi
  done < <("\${words[1]}" __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)
  (( \${#candidates} )) && _describe proctor candidates
  [[ -n $files ]] && { compset -P '*='; _files }
  return 0
}
if [[ \${funcstack[1]} == _proctor ]]; then _proctor "$@"; else compdef _proctor proctor; fi
`,
  ],
  [
    'fish',
    script`# fish completion of proctor
function __proctor_candidates
  set -l typed (commandline --current-token)
  set -l words (commandline --tokenize --cut-at-cursor --current-process)
  for line in (command $words[1] __complete $words[2..-1] "$typed" 2>/dev/null)
    if test "$line" = :files
      set -l flag (string match --regex '^--[^=]*=' -- $typed)
      set -l path (string replace --regex '^--[^=]*=' '' -- $typed)
      __fish_complete_path "$path" | string replace --regex '^' -- "$flag"
    else
      echo $line
    end
  end
end
complete --command proctor --no-files --arguments '(__proctor_candidates)'
`,
  ],
]);

/** Tag for scripts: takes the text literally, except that `\\${` stands for a shell's `${`. */
function script({ raw: [text = ''] }: TemplateStringsArray): string {
  return text.replaceAll('\\${', '${');
}
