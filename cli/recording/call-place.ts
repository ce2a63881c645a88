import { criticKey, escalationKey, type ReplyPlace, spawnKey } from '../../plan/agents/script';
import { parseAddress } from '../../plan/steps/address';
import type { Step } from '../../plan/steps/step';
import { turnsIn } from '../../plan/steps/walk';

/** The place in a script for the replies of a call. */
export interface CallPlace {
  /** Under `replies:`. */
  key: string;
  place: Required<Pick<ReplyPlace, 'round' | 'try' | 'iterations'>>;
}

/**
 * Parses the id of a call: a step's address, then what belongs to the step: `/critic`, `/escalation-<agent>`, any number of `/spawn-<n>`,
 * `/try-<n>` for a repeated request, and `/send-<agent>` at the end. Undefined if it is no agent's call.
 *
 * @param spawned the agent of a child call, by its id
 */
export function callPlaceOf(id: string, steps: ReadonlyMap<string, Step>, spawned: ReadonlyMap<string, string>): CallPlace | undefined {
  const [, written = '', whole = ''] = /^([^#~]+#\d+~\d+)(\/.*)?$/.exec(id) ?? [];
  const [, tail = whole, childTry] = /^(.*)\/try-(\d+)$/.exec(whole) ?? [];
  const address = parseAddress(written);
  const step = address?.path.findLast((segment) => steps.has(segment.id))?.id;
  if (!address || step === undefined) return undefined;
  const turns = turnsIn(address, steps);
  const children = [...tail.matchAll(/\/spawn-(\d+)/g)].map(([, n]) => Number(n));
  const key = keyOf(`${written}${tail}`, step, tail, spawned);
  return key === undefined
    ? undefined
    : {
        key,
        place: { round: address.round, try: childTry === undefined ? address.try : Number(childTry), iterations: [...turns, ...children] },
      };
}

function keyOf(id: string, step: string, tail: string, spawned: ReadonlyMap<string, string>): string | undefined {
  const last = tail.slice(tail.lastIndexOf('/') + 1);
  const [, kind, who = ''] = /^(spawn|send|escalation)-(.+)$/.exec(last) ?? [];
  if (kind === 'send') return spawnKey(step, who);
  if (kind === 'escalation') return escalationKey(step, who);
  if (kind === 'spawn') {
    const agent = spawned.get(id);
    return agent === undefined ? undefined : spawnKey(step, agent);
  }
  if (last === 'critic') return criticKey(step);
  return tail === '' ? step : undefined;
}
