import { artifact, type StepBehaviour, type World, type WorldOptions } from '../support/world';

/** Work that was done and that the run has not heard of. */

/** Its worker is gone: whatever it did, nobody hears of it. */
export const silent: StepBehaviour = () => new Promise(() => undefined);
export const CANCELLED = 'cancelled, was done';

/** A ledger that has these, by the names of their records. */
export function has(...calls: string[]): NonNullable<WorldOptions['recorded']> {
  return (call) => (calls.includes(call) ? { artifact: artifact(`kept ${call}`) } : undefined);
}

export const reasonsOf = (world: World, step: string): (string | undefined)[] =>
  world.journal().flatMap((entry) => (entry.kind === 'step' && entry.step === step && entry.state === 'done' ? [entry.reason] : []));
