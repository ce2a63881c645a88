import type { Located, Report } from '../diagnostics/diagnostic';
import { NAME, PERSON_NAME } from '../language/patterns';
import type { Entry } from '../read/node';
import { spansWithin } from '../read/offsets';
import { readCallSyntax, unquote } from './call';
import { textOf } from './values';

/** A member of a pattern: an agent by its name, or `person("cfo")`. */
export type MemberSource = { kind: 'agent' | 'person'; name: Located<string> };

/** Reads one member. */
export function memberOf(entry: Entry, report: Report): MemberSource | undefined {
  const text = textOf(entry, report);
  if (!text || entry.value.kind !== 'scalar') return undefined;
  const call = readCallSyntax(text.value);
  if (call && !call.arguments && NAME.test(call.name)) return { kind: 'agent', name: { value: call.name, at: text.at } };
  const [who, more] = call?.arguments ?? [];
  if (call?.name === 'person' && who && !more && who.key === undefined) {
    const name = unquote(who.text);
    if (PERSON_NAME.test(name)) return { kind: 'person', name: { value: name, at: spansWithin(entry.value)(who.start, who.end) } };
  }
  report('names.invalid', text.at, `"${text.value}" is neither an agent nor a person`, 'write the name of an agent, or person("cfo")');
  return undefined;
}
