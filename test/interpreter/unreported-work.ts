import { artifact, type StepBehaviour, type World, type WorldOptions } from '../support/world';

/** Work that was done but not reported to the run. */

/** Never answers, because its worker is gone. */
export const silent: StepBehaviour = () => new Promise(() => undefined);
export const CANCELLED = 'cancelled, was done';

/** A ledger that has records of these calls. */
export function has(...calls: string[]): NonNullable<WorldOptions['recorded']> {
  return (call) => (calls.includes(call) ? { artifact: artifact(`kept ${call}`) } : undefined);
}

export const reasonsOf = (world: World, step: string): (string | undefined)[] =>
  world.journal().flatMap((entry) => (entry.kind === 'step' && entry.step === step && entry.state === 'done' ? [entry.reason] : []));
