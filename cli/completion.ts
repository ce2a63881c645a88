import { unreachable } from '../plan/unreachable';
import type { CommandSpec } from './command';

/** Completion scripts from the list of commands, as pure text. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

export function completionScript(shell: Shell, commands: readonly CommandSpec[], nouns: Readonly<Record<string, string>>): string {
  switch (shell) {
    case 'bash':
      return bash(commands, nouns);
    case 'zsh':
      return `#compdef thermidor\nautoload -U +X bashcompinit && bashcompinit\n${bash(commands, nouns)}`;
    case 'fish':
      return fish(commands, nouns);
    default:
      return unreachable(shell);
  }
}

interface Words {
  options: string[];
  values: string[];
  files: boolean;
}

function wordsOf(spec: CommandSpec): Words {
  const options = (spec.options ?? []).map(({ flags }) => flags.split(/[ ,]/)[0] ?? '').concat('--help');
  const completes = (spec.arguments ?? []).flatMap((argument) => argument.completes ?? []);
  return { options, values: completes.filter((word) => word !== 'file'), files: completes.includes('file') };
}

function firstWords(commands: readonly CommandSpec[], nouns: Readonly<Record<string, string>>): string[] {
  return [...new Set([...commands.map(({ name }) => name.split(' ')[0] ?? ''), ...Object.keys(nouns), 'help'])];
}

function verbsOf(noun: string, commands: readonly CommandSpec[]): string[] {
  return commands.flatMap(({ name }) => (name.startsWith(`${noun} `) ? [name.slice(noun.length + 1)] : []));
}

function bash(commands: readonly CommandSpec[], nouns: Readonly<Record<string, string>>): string {
  const cases = commands.map((spec) => {
    const { options, values, files } = wordsOf(spec);
    return `    "${spec.name}") words="${[...options, ...values].join(' ')}"; files=${files ? 1 : 0} ;;`;
  });
  const choices = commands.flatMap((spec) =>
    (spec.options ?? []).flatMap(({ flags, choices: known }) =>
      known === undefined
        ? []
        : [`    "${spec.name} ${flags.split(' ')[0]}") COMPREPLY=($(compgen -W "${known.join(' ')}" -- "$cur")); return ;;`],
    ),
  );
  return `_thermidor() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" words="" files=0 command="\${COMP_WORDS[1]}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${firstWords(commands, nouns).join(' ')}" -- "$cur")); return
  fi
  case "$command" in
${Object.keys(nouns)
  .map(
    (noun) => `    ${noun})
      if [ "$COMP_CWORD" -eq 2 ]; then COMPREPLY=($(compgen -W "${verbsOf(noun, commands).join(' ')}" -- "$cur")); return; fi
      command="$command \${COMP_WORDS[2]}" ;;`,
  )
  .join('\n')}
  esac
  case "$command $prev" in
${choices.join('\n')}
  esac
  case "$command" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  if [ "$files" -eq 1 ]; then COMPREPLY+=($(compgen -f -- "$cur")); fi
}
complete -o filenames -F _thermidor thermidor
`;
}

function fish(commands: readonly CommandSpec[], nouns: Readonly<Record<string, string>>): string {
  const lines = ['complete -c thermidor -f'];
  const quote = (text: string): string => `'${text.replaceAll("'", "\\'")}'`;
  const none = '__fish_use_subcommand';
  for (const [noun, doc] of Object.entries(nouns)) lines.push(`complete -c thermidor -n ${none} -a ${noun} -d ${quote(doc)}`);
  for (const spec of commands) {
    const [first = '', verb] = spec.name.split(' ');
    const within =
      verb === undefined
        ? `__fish_seen_subcommand_from ${first}`
        : `__fish_seen_subcommand_from ${first}; and __fish_seen_subcommand_from ${verb}`;
    if (verb === undefined) lines.push(`complete -c thermidor -n ${none} -a ${first} -d ${quote(spec.summary)}`);
    else lines.push(`complete -c thermidor -n ${quote(`__fish_seen_subcommand_from ${first}`)} -a ${verb} -d ${quote(spec.summary)}`);
    for (const { flags, doc, choices } of spec.options ?? []) {
      const values = choices === undefined ? (flags.includes('<') ? ' -r' : '') : ` -x -a ${quote(choices.join(' '))}`;
      lines.push(`complete -c thermidor -n ${quote(within)} -l ${(flags.split(/[ ,]/)[0] ?? '').slice(2)}${values} -d ${quote(doc)}`);
    }
    const { files, values } = wordsOf(spec);
    if (files) lines.push(`complete -c thermidor -n ${quote(within)} -F`);
    if (values.length > 0) lines.push(`complete -c thermidor -n ${quote(within)} -a ${quote(values.join(' '))}`);
  }
  return `${lines.join('\n')}\n`;
}
