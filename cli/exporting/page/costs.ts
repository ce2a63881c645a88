import { html } from 'hono/html';
import { SCRIPTED } from '../../../activities/toolbox';
import { count } from '../../../plan/text/short-count';
import { type CostGroup, repliesIn, rowsBy, sumOf } from '../../../records/accounts/sum';
import { costText } from '../../rendering/cost';
import { type Markup, shown } from './html';
import type { PagedRun } from './paged-run';

const GROUPS: readonly CostGroup[] = ['step', 'agent', 'model'];

/** What the run's own agents cost; those of a child are with the child. */
export function* costSection({ paid }: PagedRun): Generator<Markup> {
  if (paid.length === 0) return;
  const counted = paid.filter(({ adapter }) => adapter !== SCRIPTED);
  const scripted = repliesIn(paid) - repliesIn(counted);
  const total = sumOf(counted);
  yield html`<h2>Costs</h2><p><strong>${costText(total)}</strong> for ${total.replies} replies${scripted > 0 ? `; ${scripted} replies of scripts cost nothing` : ''}</p>`;
  if (counted.length === 0) return;
  for (const group of GROUPS) {
    yield html`<div class="scroll"><table><thead><tr><th>${group}</th><th class="n">Cost</th><th class="n">Replies</th><th class="n">In</th><th class="n wide">Cache</th><th class="n">Out</th></tr></thead><tbody>`;
    for (const row of rowsBy(counted, group)) {
      yield html`<tr><td>${row.name === '' ? 'unknown' : shown(row.name)}</td><td class="n">${costText(row)}</td><td class="n">${row.replies}</td><td class="n">${count(row.inputTokens)}</td><td class="n wide">${count(row.cacheReadTokens + row.cacheWriteTokens)}</td><td class="n">${count(row.outputTokens)}</td></tr>`;
    }
    yield html`</tbody></table></div>`;
  }
}
