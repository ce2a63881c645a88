import { tokensOf } from '../../plan/budgets/usage';
import { count } from '../../plan/text/short-count';
import type { CostGroup, CostRow, CostSum } from '../../records/accounts/sum';
import type { Colors, Terminal } from '../terminal';
import { oneLine } from './text/printable';
import { renderTable } from './text/table';

/** `$0.0512`, `unknown`, `$0.0512 + unknown`: known cost is never shown as if it were all. */
export function costText({ costMicroUsd, unknownReplies, unanswered, replies }: Costs): string {
  const known = dollars(costMicroUsd);
  if (unknownReplies + unanswered === 0) return known;
  return unknownReplies === replies ? 'unknown' : `${known} + unknown`;
}
type Costs = Pick<CostSum, 'costMicroUsd' | 'unknownReplies' | 'unanswered' | 'replies'>;

function dollars(microUsd: number): string {
  return `$${(microUsd / MICRO_USD).toFixed(4)}`;
}

const MICRO_USD = 1_000_000;

/** One line, and more if models have no price, or if requests were never answered. */
export function renderTotal(title: string, total: CostSum, colors: Colors): string {
  const replies = repliesOf(total.replies);
  const line = `${colors.bold(oneLine(title))}  ${costText(total)}  ${colors.dim(`${replies}, ${count(tokensOf(total))} tokens`)}\n`;
  return `${line}${unpriced(total, colors)}${unreported(total, colors)}${unanswered(total, colors)}`;
}

function unpriced(total: CostSum, colors: Colors): string {
  const replies = total.unknownReplies - total.unreportedReplies;
  if (replies === 0) return '';
  const models = total.unknownModels.map((model) => (model === '' ? 'an unnamed model' : oneLine(model))).join(', ');
  return `${colors.yellow(`What ${repliesOf(replies)} cost is unknown: ${models}.`)} ${colors.dim('`prices:` in thermidor.yaml counts from then on.')}\n`;
}

function unreported({ unreportedReplies }: CostSum, colors: Colors): string {
  if (unreportedReplies === 0) return '';
  const why = `What ${repliesOf(unreportedReplies)} cost is unknown: usage was reported not at all, only in part, or not credibly.`;
  return `${colors.yellow(why)} ${colors.dim('No price can count it.')}\n`;
}

function repliesOf(replies: number): string {
  return `${replies} ${replies === 1 ? 'reply' : 'replies'}`;
}

function unanswered(sum: CostSum, colors: Colors): string {
  const { unanswered: requests, unansweredAtMostMicroUsd: microUsd, unansweredAtMostTokens: tokens } = sum;
  if (requests === 0) return '';
  const most = [
    ...(tokens > 0 ? [`used up to ${count(tokens)} tokens`] : []),
    ...(microUsd > 0 ? [`cost up to ${dollars(microUsd)}`] : []),
  ];
  const which = requests === 1 ? '1 request was' : `${requests} requests were`;
  return `${colors.yellow(`${which} never answered, and may have ${most.join(' and ')}.`)} ${colors.dim('The budget counts that.')}\n`;
}

export function renderRows(group: CostGroup, rows: readonly CostRow[], terminal: Pick<Terminal, 'colors' | 'live' | 'columns'>): string {
  const { colors } = terminal;
  const lines = rows.map((row) => [
    row.name === '' ? colors.dim('unknown') : oneLine(row.name),
    costText(row),
    String(row.replies),
    count(row.inputTokens),
    count(row.cacheReadTokens),
    count(row.cacheWriteTokens),
    count(row.outputTokens),
  ]);
  return renderTable([group.toUpperCase(), 'COST', 'REPLIES', 'IN', 'CACHE READ', 'CACHE WRITE', 'OUT'], lines, terminal);
}
