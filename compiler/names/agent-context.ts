import type { Json } from '../../plan/json';
import { CONTEXT_LIMIT_BYTES } from '../../plan/plan';
import type { Located, Report } from '../diagnostics/diagnostic';
import { jsonOf } from '../read/json';
import type { Entry } from '../read/node';
import { checkName } from '../shape/names';
import { mappingOf } from '../shape/values';

/** What an owner's file says that all agents of its runs are told: names as those of args, which stand before them, and plain values. */
export function readContext(entry: Entry, report: Report): Record<string, Located<Json>> {
  const node = mappingOf(entry, report, 'a mapping such as {market: BTC/USDT}');
  const context: Record<string, Located<Json>> = {};
  for (const { key, keyAt, value } of node?.entries ?? []) {
    if (checkName({ value: key, at: keyAt }, 'arg', report)) context[key] = { value: jsonOf(value), at: keyAt };
  }
  const sizeBytes = Buffer.byteLength(JSON.stringify(Object.values(context).map(({ value }) => value)));
  if (sizeBytes <= CONTEXT_LIMIT_BYTES) return context;
  const message = `"context" has ${sizeBytes} bytes, more than the ${CONTEXT_LIMIT_BYTES} that each task may begin with`;
  report('shape.out-of-range', entry.keyAt, message, 'put long texts into an agent’s `role`, a skill or an arg');
  return {};
}
