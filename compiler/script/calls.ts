import type { ScriptedCall } from '../../plan/agents/script';
import type { ToolResult } from '../../plan/agents/tool';
import { defined } from '../../plan/defined';
import type { Report } from '../diagnostics/diagnostic';
import { jsonOf } from '../read/json';
import { type Entry, entryOf, type MappingNode, type SourceNode } from '../read/node';
import { checkKeys, requireKey } from '../shape/keys';
import { sequenceOf, textOf, wrongType } from '../shape/values';
import { readDelay } from './delay';

const RESULTS = ['result', 'refused'] as const;
const FORM = 'a list of calls such as {tool: transfer, args: {amount: 5}}';

/**
 * Reads `calls: [{tool: transfer, args: {amount: 5}, after: 1s}]`: what the agent does before it replies. With `result` or `refused`, that
 * text stands in for the tool.
 */
export function readCalls(entry: Entry, report: Report): ScriptedCall[] {
  const list = sequenceOf(entry, report, FORM);
  if (list?.items.length === 0) report('shape.out-of-range', list.at, '"calls" is empty', 'add a call, or remove the key');
  return list?.items.flatMap((item) => readCall(item, report) ?? []) ?? [];
}

function readCall(node: SourceNode, report: Report): ScriptedCall | undefined {
  if (node.kind !== 'mapping') return wrongType(node, 'calls', FORM, report);
  checkKeys(node, { what: 'a call', known: ['tool', 'args', 'after', ...RESULTS] }, report);
  requireKey(node, 'tool', 'a call', report);
  const [tool, args, after] = ['tool', 'args', 'after'].map((key) => entryOf(node, key));
  if (args && args.value.kind !== 'mapping') wrongType(args.value, 'args', 'a mapping', report);
  const name = tool && textOf(tool, report);
  const afterMs = after && readDelay(after, report);
  if (!name) return undefined;
  const call: ScriptedCall = { tool: name.value, args: args ? jsonOf(args.value) : {} };
  if (afterMs !== undefined) call.afterMs = afterMs;
  const result = readResult(node, report);
  if (result) call.result = result;
  return call;
}

/** Reads a text of any length, including an empty one. */
function readResult(node: MappingNode, report: Report): ToolResult | undefined {
  const [first, second] = node.entries.filter(({ key }) => RESULTS.some((name) => name === key));
  if (!first) return undefined;
  if (second) report('script.bad-reply', second.keyAt, `the call has both "${second.key}" and "${first.key}"`, 'keep one of the two');
  const { value, key } = first;
  if (value.kind !== 'scalar' || typeof value.value !== 'string') return wrongType(value, key, 'text', report, 'put it in quotes');
  return { text: value.value, ...defined({ refused: key === 'refused' || undefined }) };
}
