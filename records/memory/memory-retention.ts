import { NOTHING, type OldContent } from '../old-content';
import { noAmounts, type RunRetention } from '../run-retention';

/** What one process plays through goes with it: nothing of it grows old. */
export function memoryRetention(nowMs: () => number): RunRetention {
  return {
    nowMs: async () => nowMs(),
    async *endedBefore() {},
    isOlder: async () => false,
    async *runs() {},
    async *entries() {},
    remove: async () => noAmounts(),
    removeLogs: async () => NOTHING,
    finish: async () => undefined,
    amounts: async () => noAmounts(),
  };
}

export function memoryOldContent(nowMs: () => number): OldContent {
  return {
    nowMs: async () => nowMs(),
    async *before() {},
    async *since() {},
    during: (work) => work(),
    remove: async () => NOTHING,
    amount: async () => NOTHING,
  };
}
