import type { Interpreter } from '../interpreter';
import type { PlaceOf } from '../scheduling/place';
import type { KeepingKind, KeptOf, KindState } from '../state/kept-by-kind';
import { openKindState } from '../state/kind-state';

/** Kinds that work in turns. */
type TurningKind = { [K in KeepingKind]: 'next' extends keyof KeptOf<K> ? K : never }[KeepingKind];
type PositionOf<K extends TurningKind> = KeptOf<K> extends { next?: infer P } ? P & { turn: number } : never;

/** The position of a step that works in turns: a try after a broken-off one continues there. */
export interface PositionKeeper<K extends TurningKind> {
  /** All that the step keeps. */
  kept(): KeptOf<K>;
  /** Undefined if nothing broke off. */
  left(): PositionOf<K> | undefined;
  /** The first turn of something new: none is used twice. */
  firstTurn(): number;
  keep(position: PositionOf<K>, more: Partial<KeptOf<K>>): void;
  /** Nothing is left to continue. */
  conclude(end: Partial<KeptOf<K>>): void;
}

export function positionKeeper<K extends TurningKind>({ it, place }: { it: Interpreter; place: PlaceOf<K> }, kind: K): PositionKeeper<K> {
  const record = () => it.run.record(place.path);
  const kept = () => openKindState(record(), kind);
  return {
    kept,
    left: () => kept().next as PositionOf<K> | undefined,
    firstTurn: () => (kept().turn ?? 0) + 1,
    keep(position, more) {
      Object.assign(kept(), { turn: position.turn, next: position }, more);
    },
    conclude(end) {
      const { next: _over, ...rest } = kept();
      record().kept = { ...rest, ...end } as KeptOf<K> & KindState;
    },
  };
}
