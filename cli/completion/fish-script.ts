import type { CommandSpec, OptionSpec } from '../command';
import { COMPLETE_WORD } from './complete-word';
import { flagOf, takesValue } from './completed-argument';
import { type CompletionSource, isLookedUp, takesFiles } from './completion-source';

const ASK = "-a '(__thermidor_ask)'";

/** The script for fish, which shows a description next to each name. */
export function fishScript(commands: readonly CommandSpec[], nouns: Readonly<Record<string, string>>): string {
  const lines = [
    `function __thermidor_ask\n  command thermidor ${COMPLETE_WORD} fish '' (commandline -cp | string collect) 2>/dev/null </dev/null\nend`,
    'complete -c thermidor -f',
  ];
  const none = '__fish_use_subcommand';
  for (const [noun, doc] of Object.entries(nouns)) lines.push(`complete -c thermidor -n ${none} -a ${noun} -d ${quote(doc)}`);
  for (const spec of commands) {
    const [first = '', verb] = spec.name.split(' ');
    const seen = `__fish_seen_subcommand_from ${first}`;
    const within = quote(verb === undefined ? seen : `${seen}; and __fish_seen_subcommand_from ${verb}`);
    if (verb === undefined) lines.push(`complete -c thermidor -n ${none} -a ${first} -d ${quote(spec.summary)}`);
    else lines.push(`complete -c thermidor -n ${quote(seen)} -a ${verb} -d ${quote(spec.summary)}`);
    for (const option of spec.options ?? []) {
      lines.push(`complete -c thermidor -n ${within} -l ${flagOf(option).slice(2)}${optionValue(option)} -d ${quote(option.doc)}`);
    }
    for (const way of waysOf((spec.arguments ?? []).map(({ completes }) => completes)))
      lines.push(`complete -c thermidor -n ${within} ${way}`);
  }
  return `${lines.join('\n')}\n`;
}

function optionValue(option: OptionSpec): string {
  if (!takesValue(option)) return '';
  if (option.choices !== undefined) return ` -x -a ${quote(option.choices.join(' '))}`;
  return isLookedUp(option.completes) ? ` -x ${ASK}` : option.completes === 'file' ? ' -r -F' : ' -x';
}

/** Each kind of name is looked up once, whichever argument it is for. */
function waysOf(arguments_: readonly (CompletionSource | undefined)[]): string[] {
  const words = arguments_.flatMap((completes) => (typeof completes === 'string' ? [] : (completes ?? [])));
  return [
    ...(arguments_.some(takesFiles) ? ['-F'] : []),
    ...(words.length > 0 ? [`-a ${quote(words.join(' '))}`] : []),
    ...(arguments_.some(isLookedUp) ? [`-k ${ASK}`] : []),
  ];
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
