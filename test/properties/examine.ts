import { dice } from '../support/simulation/dice';
import { type Played, play } from './play';
import type { Scenario } from './scenario';

/** The faults of a case; empty if there are none. */
export interface Verdict {
  violations: string[];
  played: Played;
}

/** Plays a case twice, once undisturbed and once with workers that die, and compares the two. */
export async function examine(scenario: Scenario): Promise<Verdict> {
  const peace = await play(scenario, new Map());
  if (peace.violations.length > 0 || scenario.crashes === 0) return { violations: peace.violations, played: peace };
  const crashed = await play(scenario, crashesOf(scenario, peace.activations));
  return { violations: [...crashed.violations, ...differences(peace, crashed)], played: crashed };
}

function crashesOf({ seed, crashes }: Scenario, activations: number): ReadonlyMap<number, 'worker' | 'cache'> {
  const chance = dice('crashes', seed);
  const at = Array.from({ length: crashes }, () => [chance.whole(1, activations), chance.pick(['worker', 'cache'] as const)] as const);
  return new Map(at);
}

/** An interrupted run equals the undisturbed one in every line of every journal, in its end, and in its payments. */
function differences(peace: Played, crashed: Played): string[] {
  const found: string[] = [];
  for (const id of Object.keys({ ...peace.journals, ...crashed.journals })) {
    const [one = [], other = []] = [peace.journals[id], crashed.journals[id]];
    const at = one.findIndex((entry, i) => JSON.stringify(entry) !== JSON.stringify(other[i]));
    if (at >= 0) found.push(`${id}: the crash changes entry ${at + 1}: ${JSON.stringify(one[at])} becomes ${JSON.stringify(other[at])}`);
    else if (other.length > one.length) found.push(`${id}: the crash adds ${JSON.stringify(other[one.length])}`);
  }
  if (JSON.stringify(peace.ends) !== JSON.stringify(crashed.ends)) found.push('the crash changes how the run ends');
  if (JSON.stringify(peace.paid) !== JSON.stringify(crashed.paid)) found.push('the crash changes what is paid for');
  return found;
}
