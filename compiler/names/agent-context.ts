import { contextProblem } from '../../plan/context';
import type { Json } from '../../plan/json';
import type { Located, Report } from '../diagnostics/diagnostic';
import { jsonOf } from '../read/json';
import type { Entry } from '../read/node';
import { checkName } from '../shape/names';
import { mappingOf } from '../shape/values';

/** The context that an owner's file gives all agents of its runs: names as those of args, which override them, and plain values. */
export function readContext(entry: Entry, report: Report): Record<string, Located<Json>> {
  const node = mappingOf(entry, report, 'a mapping such as {market: BTC/USDT}');
  const context: Record<string, Located<Json>> = {};
  for (const { key, keyAt, value } of node?.entries ?? []) {
    if (checkName({ value: key, at: keyAt }, 'arg', report)) context[key] = { value: jsonOf(value), at: keyAt };
  }
  const tooLong = contextProblem(Object.fromEntries(Object.entries(context).map(([name, { value }]) => [name, value])));
  if (tooLong === undefined) return context;
  report('shape.out-of-range', entry.keyAt, `"context" ${tooLong}`, 'put long texts into an agent’s `role`, a skill or an arg');
  return {};
}
