import type { MergeStrategy } from '../../plan/queue/queue-settings';
import { ThermidorFailure } from '../../plan/run/failure';

export function checkStrategy(ofQueue: MergeStrategy, wanted: MergeStrategy, into: string): void {
  if (ofQueue === wanted) return;
  throw new ThermidorFailure(
    'merge.strategy',
    `the merge queue of ${into} merges by "${ofQueue}", not by "${wanted}": leave out \`strategy\` or \`isolation: shared\`, which asks for that, or set \`queues: … strategy: ${wanted}\` in thermidor.yaml`,
  );
}
