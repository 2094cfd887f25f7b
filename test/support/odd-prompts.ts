/** Prompts that no agent may get in another shape, and no shell may ever take for its own language. */
export function oddPrompts(canary: string): Record<string, string> {
  const touch = `touch '${canary}'`;
  return {
    quotes: `It's "quoted" 'twice', and ''"" empty`,
    substitution: `Cost: $(${touch}) \${HOME} $HOME $1 $$ $((1+1))`,
    backticks: `Run \`${touch}\` or not`,
    chain: `a; ${touch} && ${touch} | ${touch} & > x < y\n${touch}\n`,
    breakout: `'; ${touch}; ' "; ${touch}; " '"'"'; ${touch}; # `,
    backslashes: String.raw`C:\new\table \\ \" \' \$ \` ending in \ `.trimEnd(),
    lines: '\n  first\r\n\tsecond\n\n\nlast\n\n',
    emoji: 'Ünïcödé 👩‍👩‍👧 ❤️ 日本語 \u202e \u0301 ‐ \ufeff',
    control: 'bell \u0007 escape \u001b[31m delete \u007f',
    template: '{{ .Prompt }} {{ printf "%q" .Prompt }} {{ if }} }} {{',
    braces: '{steps} {agent} {} {foo.bar} ${x} {a,b} {1..3} {"json": [1]}',
    options: `--help -n -e -- -rf *`,
    percent: '100% %s %n %q !! !$ ~ # comment',
  };
}

/** The same in a few prompts, for agents that take their time to start, and a long one. */
export function fewOddPrompts(canary: string): Record<string, string> {
  const odd = oddPrompts(canary);
  const { lines = '', options = '' } = odd;
  return { lines, options, all: Object.values(odd).join('\n'), long: longPrompt };
}

/** More than 200 kB, which no command line can carry. */
export const longPrompt = `begin ${'0123456789 $(x) "é" \n'.repeat(10_000)}end`;
