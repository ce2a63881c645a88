import { isJsonObject } from '../text/json';

/**
 * Who started a run. A person's name is a claim unless a seal proves it. A schedule is always a claim: the server lets anybody who
 * may start a run set the attribute that names one.
 */
export type Starter = { kind: 'person'; name: string; identity: 'claimed' | 'proven' } | { kind: 'schedule'; schedule: string };

/** The server sets it on a run that a schedule starts. */
export const SCHEDULED_BY = 'TemporalScheduledById';

/** The moment at which such a run was due, which may be long before it starts. */
export const SCHEDULED_AT = 'TemporalScheduledStartTime';

export function claimedStarter(name: string): Starter {
  return { kind: 'person', name, identity: 'claimed' };
}

export function isProven(starter: Starter | undefined): boolean {
  return starter?.kind === 'person' && starter.identity === 'proven';
}

/** A starter as it was stored. */
export function readStarter(stored: unknown): Starter | undefined {
  if (!isJsonObject(stored)) return undefined;
  const { kind, name, identity, schedule } = stored;
  if (kind === 'schedule' && typeof schedule === 'string') return { kind, schedule };
  if (kind !== 'person' || typeof name !== 'string') return undefined;
  return identity === 'proven' ? { kind, name, identity } : claimedStarter(name);
}

/** `ann (proven)`, `ann (claimed)`, `schedule nightly (claimed)`. */
export function starterText(starter: Starter): string {
  return starter.kind === 'schedule' ? `schedule ${starter.schedule} (claimed)` : `${starter.name} (${starter.identity})`;
}
