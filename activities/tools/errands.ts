import type { Errand, ErrandOrder } from '../../plan/errand';
import type { Seat, TryScope } from '../agent/seat';
import { answer, type Caller, type Errands, refused } from './tool';

/**
 * What whoever sits there has its run do. It stands in the transcript beside the answer, so that after a crash it is handed up again, and
 * the run takes each up once.
 */
export function errandsOf({ transcript, id }: Seat, { agent }: Caller): Errands {
  const all = (): Errand[] => transcript.effects().flatMap(({ errand }) => errand ?? []);
  return {
    ask(order: ErrandOrder, limit: number) {
      const before = all().filter(({ kind }) => kind === order.kind).length;
      if (before >= limit) return refused(`you have called "${order.kind}" ${limit} times in this task already, and no more is allowed`);
      return { ...answer({ status: 'accepted' }), effect: { errand: { ...order, id: `${id}/errand-${all().length + 1}`, agent } } };
    },
  };
}

/** Ends the call where the run has not taken everything up yet. */
export function handUp({ transcripts, input, holds }: TryScope): void {
  const taken = new Set(input.errands);
  const errands = [...transcripts.values()]
    .flatMap((one) => one.effects().flatMap(({ errand }) => errand ?? []))
    .filter(({ id }) => !taken.has(id));
  if (errands.length > 0) throw holds.hold({ kind: 'errands', errands });
}
