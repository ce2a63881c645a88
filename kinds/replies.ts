import type { Json } from '../plan/text/json';
import { REVISE_PART } from './consensus/model';
import { contextOf } from './consensus/rules/proposal';
import { whyUndeliverable } from './increments/rules/increments';
import type { KindsWith } from './traits';

/** What is asked of replies before they are taken, by the kinds that read them. */

/** Why a kind that delivers plans cannot deliver this one. */
export const WHY_UNDELIVERABLE: Readonly<Record<KindsWith<{ delivers: true }>, (plan: Json) => string | undefined>> = {
  increments: whyUndeliverable,
};

interface Revision {
  /** The part whose answer is the revised proposal. */
  part: string;
  contextOf(answer: Json): Json;
}

/** How a kind that votes has its proposal revised. */
export const REVISIONS: Readonly<Record<KindsWith<{ votes: true }>, Revision>> = {
  consensus: { part: REVISE_PART, contextOf: (answer) => contextOf(answer).context ?? null },
};
