import type { ScriptedCall } from '../../plan/script';
import type { Report } from '../diagnostics/diagnostic';
import { jsonOf } from '../read/json';
import { type Entry, entryOf, type SourceNode } from '../read/node';
import { checkKeys, requireKey } from '../shape/keys';
import { sequenceOf, textOf, wrongType } from '../shape/values';
import { readDelay } from './delay';

const FORM = 'a list of calls such as {tool: transfer, args: {amount: 5}}';

/** `calls: [{tool: transfer, args: {amount: 5}, after: 1s}]`: what the agent does before it replies. */
export function readCalls(entry: Entry, report: Report): ScriptedCall[] {
  const list = sequenceOf(entry, report, FORM);
  if (list?.items.length === 0) report('shape.out-of-range', list.at, '"calls" is empty', 'add a call, or leave the key out');
  return list?.items.flatMap((item) => readCall(item, report) ?? []) ?? [];
}

function readCall(node: SourceNode, report: Report): ScriptedCall | undefined {
  if (node.kind !== 'mapping') return wrongType(node, 'calls', FORM, report);
  checkKeys(node, { what: 'a call', known: ['tool', 'args', 'after'] }, report);
  requireKey(node, 'tool', 'a call', report);
  const [tool, args, after] = ['tool', 'args', 'after'].map((key) => entryOf(node, key));
  if (args && args.value.kind !== 'mapping') wrongType(args.value, 'args', 'a mapping', report);
  const name = tool && textOf(tool, report);
  const afterMs = after && readDelay(after, report);
  if (!name) return undefined;
  const call: ScriptedCall = { tool: name.value, args: args ? jsonOf(args.value) : {} };
  if (afterMs !== undefined) call.afterMs = afterMs;
  return call;
}
