import type { Located, Report } from '../../compiler/diagnostics/diagnostic';
import { type Entry, entryOf, type MappingNode, type SourceNode } from '../../compiler/read/node';
import { spansWithin } from '../../compiler/read/offsets';
import { requireKey } from '../../compiler/shape/keys';
import { memberOf } from '../../compiler/shape/members';
import type { ReadContext } from '../../compiler/shape/read-context';
import { readMapping } from '../../compiler/shape/read-rows';
import type { StepSource } from '../../compiler/shape/source';
import { readTarget } from '../../compiler/shape/target';
import { sequenceOf } from '../../compiler/shape/values';
import { defined } from '../../plan/defined';
import type { LevelSource } from './source';

/** Reads who is asked, level by level. */
export function readLevels(node: MappingNode, _step: StepSource, { report }: ReadContext): { levels?: LevelSource[] } {
  const entry = entryOf(node, 'levels');
  const list = entry && sequenceOf(entry, report, 'a list such as [executor, specialist, human]');
  return list ? { levels: list.items.flatMap((value) => levelOf({ ...entry, value }, report) ?? []) } : {};
}

function levelOf(entry: Entry, report: Report): LevelSource | undefined {
  const { value } = entry;
  if (value.kind === 'mapping') return levelIn(entry, report);
  const target = value.kind === 'scalar' && typeof value.value === 'string' ? humanIn(value) : undefined;
  if (target) return target;
  const member = memberOf(entry, report);
  if (!member) return undefined;
  const { name } = member;
  return member.kind === 'agent' ? { kind: 'agent', agent: name, at: name.at } : { kind: 'person', name, at: name.at };
}

/** `human` and `human("#desk")`, as in every other chain. */
function humanIn(node: Extract<SourceNode, { kind: 'scalar' }>): LevelSource | undefined {
  const target = readTarget(node.text, node.at, 0, spansWithin(node));
  if (target?.kind === 'human') return { kind: 'person', at: node.at, ...(target.channel ? { channel: target.channel } : {}) };
  return target?.id.value === 'human' ? { kind: 'person', at: node.at } : undefined;
}

function levelIn(entry: Entry, report: Report): LevelSource | undefined {
  const level = readMapping(entry, 'escalate-level', { report });
  if (!level) return undefined;
  const { node, agent, human, attempts, timeoutMs, onTimeout } = level;
  const what = 'a level of an escalate step';
  const of = (key: string): Entry | undefined => entryOf(node, key);
  if (!of('human')) requireKey(node, 'agent', what, report, 'add `agent:`, or `human:` with a channel or a person');
  const common = { at: node.at, ...defined({ attempts }) };
  if (!of('agent')) return human && { kind: 'person', ...common, ...personIn(human), ...defined({ timeoutMs, onTimeout }) };
  const hint = 'it is for a person; an attempt of an agent has the `timeout` of the step';
  for (const key of ['timeout', 'on_timeout']) {
    const misplaced = of(key);
    if (misplaced) report('shape.key-not-here', misplaced.keyAt, `an agent’s level does not take "${key}"`, hint);
  }
  return agent && { kind: 'agent', agent, ...common };
}

function personIn(name: Located<string>): { name: Located<string> } | { channel: Located<string> } {
  return name.value.startsWith('#') ? { channel: name } : { name };
}
