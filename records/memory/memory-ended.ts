import { ACCOUNT } from '../accounts/account-log';
import type { CostGroup } from '../accounts/sum';
import type { EndedIndex, EndedQuery, KnownCosts } from '../ended-index';
import type { RunIndex } from '../run-index';
import { chooseEnds, knownCost } from '../runs/choose-ends';
import type { EndedCost, ListedEnd } from '../runs/listed-end';

/** The ends of runs of one process. */
export class MemoryEnded implements EndedIndex {
  private readonly noted = new Map<string, { end: ListedEnd; cost: EndedCost | undefined }>();

  constructor(private readonly runs: Pick<RunIndex, 'list' | 'extent'>) {}

  async note(end: ListedEnd, cost?: EndedCost): Promise<void> {
    const key = keyOf(end.run, end.firstRun);
    const before = this.noted.get(key);
    if (before === undefined || before.end.endedAt <= end.endedAt) this.noted.set(key, { end, cost: cost ?? before?.cost });
  }

  async list(query: EndedQuery): Promise<ListedEnd[]> {
    const newest = new Map<string, ListedEnd>();
    for (const { end } of this.noted.values()) if ((newest.get(end.run)?.startedAt ?? '') <= end.startedAt) newest.set(end.run, end);
    return chooseEnds([...newest.values()], query);
  }

  async costs(_groups: readonly CostGroup[], sinceMs = 0): Promise<KnownCosts> {
    const costs: KnownCosts = { paid: [], left: [] };
    for (const { workflowId = '', run } of await this.runs.list()) {
      const extent = await this.runs.extent({ workflowId, run }, [ACCOUNT]);
      const known = extent === 0 ? [] : knownCost(this.noted.get(keyOf(workflowId, run))?.cost, extent, sinceMs);
      if (known) costs.paid.push(...known);
      else costs.left.push({ workflowId, run });
    }
    return costs;
  }
}

function keyOf(workflowId: string, run: string): string {
  return `${workflowId}\n${run}`;
}
