import { unreachable } from '../../plan/unreachable';
import type { CommandSpec, OptionSpec } from '../command';
import { COMPLETE_WORD } from './complete-word';
import { flagOf, takesValue } from './completed-argument';
import { isLookedUp, takesFiles } from './completion-source';
import { fishScript } from './fish-script';

/** Completion scripts from the list of commands, as pure text. Names of runs and the like they look up when they are asked for. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];
export type Nouns = Readonly<Record<string, string>>;

export function completionScript(shell: Shell, commands: readonly CommandSpec[], nouns: Nouns): string {
  switch (shell) {
    case 'bash':
      return posixScript('bash', commands, nouns);
    case 'zsh':
      return `#compdef thermidor\nautoload -U +X bashcompinit && bashcompinit\n${posixScript('zsh', commands, nouns)}`;
    case 'fish':
      return fishScript(commands, nouns);
    default:
      return unreachable(shell);
  }
}

function firstWords(commands: readonly CommandSpec[], nouns: Nouns): string[] {
  return [...new Set([...commands.map(({ name }) => name.split(' ')[0] ?? ''), ...Object.keys(nouns), 'help'])];
}

function verbsOf(noun: string, commands: readonly CommandSpec[]): string[] {
  return commands.flatMap(({ name }) => (name.startsWith(`${noun} `) ? [name.slice(noun.length + 1)] : []));
}

/** A command's own words, whether names are looked up for it, and whether files go with it. */
function commandCase({ name, options = [], arguments: declared = [] }: CommandSpec): string {
  const values = declared.flatMap(({ completes }) => (typeof completes === 'string' ? [] : (completes ?? [])));
  const asks = declared.some(({ completes }) => isLookedUp(completes));
  const files = declared.some(({ completes }) => takesFiles(completes));
  const words = [...options.map(flagOf), '--help', ...values].join(' ');
  return `    "${name}") words="${words}"; asks=${asks ? 1 : 0}; files=${files ? 1 : 0} ;;`;
}

function optionCase(command: string, option: OptionSpec): string[] {
  if (!takesValue(option)) return [];
  const at = `    "${command} ${flagOf(option)}")`;
  if (option.choices !== undefined) return [`${at} COMPREPLY=($(compgen -W "${option.choices.join(' ')}" -- "$cur")); return ;;`];
  if (isLookedUp(option.completes)) return [`${at} _thermidor_ask "$1"; return ;;`];
  return [`${at} ${option.completes === 'file' ? '_thermidor_files; ' : ''}return ;;`];
}

/** The script for bash from 3.2 on, and for zsh with its `bashcompinit`. */
function posixScript(shell: 'bash' | 'zsh', commands: readonly CommandSpec[], nouns: Nouns): string {
  const nounCases = Object.keys(nouns).map(
    (noun) => `    ${noun})
      if [ "$COMP_CWORD" -eq 2 ]; then COMPREPLY=($(compgen -W "${verbsOf(noun, commands).join(' ')}" -- "$cur")); return; fi
      command="$command \${COMP_WORDS[2]}" ;;`,
  );
  return `_thermidor_ask() {
  local found line
  found="$("\${1:-thermidor}" ${COMPLETE_WORD} ${shell} "\${COMP_WORDBREAKS-}" "\${COMP_LINE:0:$COMP_POINT}" 2>/dev/null </dev/null)" || return 0
  while IFS= read -r line; do
    if [ -n "$line" ]; then COMPREPLY+=("$line"); fi
  done <<THERMIDOR
$found
THERMIDOR
}
_thermidor_files() {
  local line
  compopt -o filenames 2>/dev/null
  while IFS= read -r line; do
    if [ -n "$line" ]; then COMPREPLY+=("$line"); fi
  done <<THERMIDOR
$(compgen -f -- "$cur")
THERMIDOR
}
_thermidor() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" words="" asks=0 files=0 command="\${COMP_WORDS[1]}"
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${firstWords(commands, nouns).join(' ')}" -- "$cur")); return
  fi
  case "$command" in
${nounCases.join('\n')}
  esac
  case "$command $prev" in
${commands.flatMap(({ name, options = [] }) => options.flatMap((option) => optionCase(name, option))).join('\n')}
  esac
  case "$command" in
${commands.map(commandCase).join('\n')}
  esac
  case "$cur" in
    -*) COMPREPLY=($(compgen -W "$words" -- "$cur")); return ;;
  esac
  if [ "$asks" -eq 1 ]; then _thermidor_ask "$1"; else COMPREPLY=($(compgen -W "$words" -- "$cur")); fi
  if [ "$files" -eq 1 ]; then _thermidor_files; fi
}
${registration(shell)}`;
}

/** The registration keeps the newest first; a shell too old for that sorts by name. */
function registration(shell: 'bash' | 'zsh'): string {
  const plain = 'complete -F _thermidor thermidor';
  return shell === 'zsh' ? `${plain}\n` : `complete -o nosort -F _thermidor thermidor 2>/dev/null || ${plain}\n`;
}
