import type { Template } from '../../../plan/expressions/expression';
import { warnOfLength } from '../../lower/value-lengths';
import { describeNode, type Entry, type ScalarNode } from '../../read/node';
import { resultsWithin } from '../text/results';
import { argsTemplate, textTemplate } from '../text/template';
import { badValue, type EnvironmentSource, type LobsterContext, type LobsterScope, namesAt, type Templates } from './context';

/** Reads `env:`: texts by name. Lobster skips whatever is not a text. */
export function readEnvironment(entry: Entry | undefined, context: LobsterContext): EnvironmentSource {
  const { report } = context;
  if (!entry || (entry.value.kind === 'scalar' && entry.value.value === null)) return [];
  if (entry.value.kind !== 'mapping') {
    report('lobster.ignored', entry.value.at, `"${entry.key}" is ${describeNode(entry.value)} and ignored`, 'write names with their texts');
    return [];
  }
  return entry.value.entries.flatMap(({ key, keyAt, value }) => {
    if (value.kind === 'scalar' && typeof value.value === 'string') {
      // No step is known here, and a step's output is not known anywhere.
      const template = textTemplate(value.text, { args: context.args, results: resultsWithin(), unknown: () => {} });
      warnOfLength(`the variable "${key}"`, template, value.at, context, key);
      return [{ name: key, text: value }];
    }
    report('lobster.ignored', keyAt, `"${key}" is ${describeNode(value)} and ignored: a variable is text`, 'put the value in quotes');
    return [];
  });
}

/** Reads a folder; an empty text means none. */
export function readFolder(entry: Entry | undefined, who: string, place: LobsterScope, context: LobsterContext): ScalarNode | undefined {
  if (!entry || (entry.value.kind === 'scalar' && (entry.value.value === null || entry.value.value === ''))) return undefined;
  if (entry.value.kind === 'scalar' && typeof entry.value.value === 'string') return entry.value;
  return badValue(entry.value.at, `${who} cwd must be a string`, { ...place, kind: 'file' }, context);
}

export interface CommandEnvironment {
  env?: Record<string, Template>;
  cwd?: Template;
}

/** Environment and folder of a step's work, outermost first; the activity puts the caller's own environment before them. */
export function commandEnvironmentOf(place: LobsterScope, templates: Templates, context: LobsterContext): CommandEnvironment {
  const found: CommandEnvironment = {};
  const variables = new Map<string, Template>();
  for (const layer of place.env)
    for (const { name, text } of layer) variables.set(name, textTemplate(text.text, namesAt(text, place, context)));
  if (variables.size > 0) found.env = Object.fromEntries(variables);
  if (place.cwd) found.cwd = argsTemplate(place.cwd.text, namesAt(place.cwd, place, context));
  templates.push(...variables.values(), ...(found.cwd ? [found.cwd] : []));
  return found;
}
