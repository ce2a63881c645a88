import type { GateView } from '../plan/people/gate';
import { type Directory, hasPeople } from '../plan/people/people';
import { didYouMean, nearest } from '../plan/text/nearest-word';
import type { Options } from './command';
import { type CommandFailure, usage } from './exit';
import type { Configuration } from './settings/configuration';

type NamingGate = Pick<GateView, 'approvers' | 'delegates'>;

/** Names that a hint lists. */
const LISTED = 20;

/**
 * Refuses an order in the name of a group, or in a name that resembles a declared person's. Names in the open gates are known; a name that
 * resembles nobody's is accepted, because not everybody has to be declared. The login name is accepted too.
 */
export async function checkPersonName(
  options: Pick<Options, 'text'>,
  { directory, user }: Pick<Configuration, 'directory' | 'user'>,
  gates: () => Promise<readonly NamingGate[]> | readonly NamingGate[],
): Promise<void> {
  const named = [options.text('by') ?? user.value, options.text('to')];
  const suspects = named.filter((name): name is string => name !== undefined && whyNobody(name, directory.value) !== undefined);
  if (suspects.length === 0) return;
  const atGates = (await gates()).flatMap(({ approvers, delegates }) => [...(approvers ?? []), ...Object.values(delegates ?? {}).flat()]);
  const refused = suspects.filter((name) => !atGates.includes(name)).map((name) => whyNobody(name, directory.value));
  if (refused[0] !== undefined) throw refused[0];
}

function whyNobody(name: string, { people, groups }: Directory): CommandFailure | undefined {
  if (!hasPeople({ people, groups }) || Object.hasOwn(people, name)) return undefined;
  const members = Object.hasOwn(groups, name) ? groups[name] : undefined;
  if (members !== undefined) return usage(`"${name}" is a group, and a person decides`, `its members: ${members.join(', ')}`);
  const known = Object.keys(people);
  if (nearest(name, known) === undefined) return undefined;
  const listed = `people: ${known.slice(0, LISTED).join(', ')}${known.length > LISTED ? ', …' : ''}`;
  return usage(`nobody in thermidor.yaml is called "${name}"`, didYouMean(name, known, listed));
}
