import type { KindView } from '../../plan/steps/kind-view';

/** How many messages of its agents nothing has handled. */
export const UNROUTED_VIEW: KindView<'unrouted', number> = {
  key: 'unrouted',
  facts: (count) => [{ text: `${count} unrouted ${count === 1 ? 'message' : 'messages'}`, tone: 'warning' }],
};
