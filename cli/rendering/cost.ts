import { tokensOf } from '../../plan/usage';
import type { CostGroup, CostRow, Sum } from '../costs/sum';
import type { Colors, Terminal } from '../terminal';
import { oneLine } from './printable';
import { renderTable } from './table';
import { count } from './usage';

/** `$0.0512`, `unknown`, `$0.0512 + unknown`: what is known is never told as if it were all. */
function renderCost({ costMicroUsd, unknownReplies, replies }: Pick<Sum, 'costMicroUsd' | 'unknownReplies' | 'replies'>): string {
  const known = `$${(costMicroUsd / MICRO_USD).toFixed(4)}`;
  if (unknownReplies === 0) return known;
  return unknownReplies === replies ? 'unknown' : `${known} + unknown`;
}

const MICRO_USD = 1_000_000;

/** One line, and a second one where models have no price. */
export function renderTotal(title: string, total: Sum, colors: Colors): string {
  const replies = `${total.replies} ${total.replies === 1 ? 'reply' : 'replies'}`;
  const line = `${colors.bold(oneLine(title))}  ${renderCost(total)}  ${colors.dim(`${replies}, ${count(tokensOf(total))} tokens`)}\n`;
  if (total.unknownReplies === 0) return line;
  const models = total.unknownModels.map((model) => (model === '' ? 'a model that nobody named' : oneLine(model))).join(', ');
  const of = total.unknownReplies === 1 ? '1 reply' : `${total.unknownReplies} replies`;
  return `${line}${colors.yellow(`What ${of} cost is unknown: ${models}.`)} ${colors.dim('`prices:` in thermidor.yaml counts from then on.')}\n`;
}

export function renderRows(group: CostGroup, rows: readonly CostRow[], terminal: Pick<Terminal, 'colors' | 'live' | 'columns'>): string {
  const { colors } = terminal;
  const lines = rows.map((row) => [
    row.name === '' ? colors.dim('unknown') : oneLine(row.name),
    renderCost(row),
    String(row.replies),
    count(row.inputTokens),
    count(row.cacheReadTokens),
    count(row.cacheWriteTokens),
    count(row.outputTokens),
  ]);
  return renderTable([group.toUpperCase(), 'COST', 'REPLIES', 'IN', 'CACHE READ', 'CACHE WRITE', 'OUT'], lines, terminal);
}
