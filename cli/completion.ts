/** Completion for shells: a table of what may follow each command, and a small function that looks it up. */
import type { Command, Option } from 'commander';

interface Words {
  /** `submit s3-key`; empty: the program. */
  readonly path: string;
  readonly words: readonly string[];
}

const flagsOf = ({ long, short }: Option): string[] =>
  [long, long === undefined ? short : undefined].filter((flag) => flag !== undefined);

/** What may follow a command: its commands and flags; and after a flag with choices, these. */
function wordsOf(command: Command, path: readonly string[]): Words[] {
  const names = command.commands.map((child) => child.name());
  const flags = command.options.flatMap(flagsOf);
  const choices = command.options.flatMap((option): Words[] => {
    const { argChoices } = option;
    return argChoices === undefined ? [] : [{ path: [...path, ...flagsOf(option)].join(' '), words: argChoices }];
  });
  const positional = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  const own = { path: path.join(' '), words: [...names, ...positional, ...flags, '--help'] };
  return [own, ...choices, ...command.commands.flatMap((child) => wordsOf(child, [...path, child.name()]))];
}

/** Walks over the words that stand already: names of commands lead on, all else is passed over. */
const BODY = (program: string, cases: string) => `_${program}_words() {
  case "$1" in
${cases}
  esac
}

_${program}_find() {
  local at="" word last="" next
  for word in "$@"; do
    next="\${at:+$at }$word"
    case "$word" in -*) ;; *) [ -n "$(_${program}_words "$next")" ] && at="$next" ;; esac
    last="$word"
  done
  case "$last" in
    -*) next="$(_${program}_words "\${at:+$at }$last")"; [ -n "$next" ] && { echo "$next"; return; } ;;
  esac
  _${program}_words "$at"
}`;

const BASH = (program: string) => `_${program}() {
  local current="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=($(compgen -W "$(_${program}_find "\${COMP_WORDS[@]:1:COMP_CWORD-1}")" -- "$current"))
}
complete -o default -F _${program} ${program}`;

const ZSH = (program: string) => `_${program}() {
  local found="$(_${program}_find "\${(@)words[2,CURRENT-1]}")"
  compadd -- \${=found}
}
if [ "\${funcstack[1]}" = "_${program}" ]; then _${program} "$@"; else compdef _${program} ${program}; fi`;

/** @returns the script for a shell. */
export function completionScript(shell: 'bash' | 'zsh', program: Command): string {
  const name = program.name();
  const cases = wordsOf(program, []).map(({ path, words }) => `    '${path}') echo '${words.join(' ')}' ;;`);
  const body = BODY(name, cases.join('\n'));
  switch (shell) {
    case 'bash':
      return `# bash completion for ${name}\n${body}\n\n${BASH(name)}`;
    case 'zsh':
      return `#compdef ${name}\n${body}\n\n${ZSH(name)}`;
  }
}
