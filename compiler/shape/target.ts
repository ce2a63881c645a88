import { defined } from '../../plan/defined';
import { DECIDERS, type Decider } from '../../plan/steps/action';
import type { Located, Report, SourceSpan } from '../diagnostics/diagnostic';
import { PERSON_NAME } from '../language/patterns';
import { type Entry, entryOf, type MappingNode, type SourceNode } from '../read/node';
import { type SpanWithin, spansWithin } from '../read/offsets';
import { type CallArgument, readCallSyntax, unquote } from './call';
import { checkKeys, requireKey } from './keys';
import { textOf, wordOf } from './values';
import { keysOf } from './vocabulary';

/** The target of an escalation, as it is written in an action and in the chain of a file. */

/** `decides`: where the file says who decides. */
export type TargetSource = ({ kind: 'named'; id: Located<string> } | { kind: 'human'; channel?: Located<string> }) & {
  decides?: Located<Decider>;
};

/** Reads `ceo_coo`, `cfo`, `human`, `human("#errors")`. `offset` is where the text begins within its scalar. */
export function readTarget(text: string, at: SourceSpan, offset: number, spotOf: SpanWithin): TargetSource | undefined {
  const word = unquote(text).trim();
  const call = readCallSyntax(word);
  if (!call) return PERSON_NAME.test(word) ? { kind: 'named', id: { value: word, at } } : undefined;
  const [channel, more] = call.arguments ?? [];
  if (call.name !== 'human') return call.arguments ? undefined : { kind: 'named', id: { value: call.name, at } };
  if (more || (call.arguments && !channel)) return undefined;
  if (!channel) return { kind: 'human' };
  return { kind: 'human', channel: { value: unquote(channel.text), at: spotOf(offset + channel.start, offset + channel.end) } };
}

/** Reads the second argument of `escalate(chief, decides=agent)`. */
export function deciderOf({ key, text }: CallArgument, at: SourceSpan, report: Report): Located<Decider> | undefined {
  const value = key === 'decides' ? DECIDERS.find((word) => word === unquote(text)) : undefined;
  if (value) return { value, at };
  report('action.syntax', at, `"${text}" does not say who decides`, 'write it as in escalate(chief, decides=agent)');
  return undefined;
}

/** Reads the target that an entry of a mapping names, and who decides there, as the mapping says. */
export function targetIn(named: Entry, text: Located<string>, node: MappingNode, report: Report): TargetSource | undefined {
  const to = named.value.kind === 'scalar' ? readTarget(text.value, text.at, 0, spansWithin(named.value)) : undefined;
  const entry = entryOf(node, 'decides');
  const decides = entry && wordOf(entry, DECIDERS, report);
  if (to) return { ...to, ...defined({ decides }) };
  report('action.syntax', text.at, `"${text.value}" names nobody`, NAMES_SOMEBODY);
  return undefined;
}

const NAMES_SOMEBODY = 'write an agent, a person, a group, human or human("#channel")';

/** Reads an entry of `escalation:`: a name, or `{agent: chief, decides: agent}`. */
export function readLevel(value: SourceNode, entry: Entry, report: Report): Located<TargetSource> | undefined {
  if (value.kind === 'mapping') {
    checkKeys(value, { what: 'a level of "escalation"', known: keysOf('level') }, report);
    requireKey(value, 'agent', 'a level of "escalation"', report);
  }
  const named = value.kind === 'mapping' ? entryOf(value, 'agent') : { ...entry, value };
  const text = named && textOf(named, report);
  if (!text) return undefined;
  const node: MappingNode = value.kind === 'mapping' ? value : { kind: 'mapping', at: value.at, entries: [] };
  const to = targetIn(named, text, node, report);
  return to && { value: to, at: text.at };
}
