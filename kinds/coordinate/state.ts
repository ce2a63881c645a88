import type { UnroutedMessage } from '../../plan/patterns/unrouted';
import type { Keeps } from '../../plan/steps/keeps';

export interface CoordinateKept {
  unrouted?: Unrouted;
}

/**
 * What agents at work in a coordinate step say that no step of it handles (docs/patterns.md). They are messages whatever they claim to be:
 * a vote, a plan or a review counts as the answer to the step that has asked for it, and as nothing else.
 */
export interface Unrouted {
  /** All that there were. The journal has each, marked `unrouted`. */
  count: number;
  /** The last few. */
  messages: UnroutedMessage[];
}

/** How many messages of a step are kept in its state and its output. */
const UNROUTED_KEPT = 20;

export function withMessage({ count, messages }: Unrouted, message: UnroutedMessage): Unrouted {
  return { count: count + 1, messages: [...messages, message].slice(-UNROUTED_KEPT) };
}

export const NOTHING_UNROUTED: Unrouted = { count: 0, messages: [] };

export const COORDINATE_KEEPS: Keeps<CoordinateKept, number> = {
  shown: ({ unrouted }) => unrouted?.count || undefined,
  hear(kept, message) {
    kept.unrouted = withMessage(kept.unrouted ?? NOTHING_UNROUTED, message);
  },
};
