import type { BriefRole } from '../../plan/brief/brief';
import { didYouMean } from '../diagnostics/suggest';
import type { Roles } from '../names/roles';
import { checkCount, MOST } from './limits';
import type { RoleSource } from './read-brief';
import { type AdapterReading, runBy } from './role-adapter';

/** Without them there is no team. */
const NEEDED = ['planner', 'executor'] as const;

/** The roles of a brief, in its order, with what runs each. Empty: one agent. */
export function rolesOf(reading: AdapterReading, roles: Roles): BriefRole[] {
  const { source, report } = reading;
  const listed = source.roles?.listed ?? [];
  checkCount(
    'roles',
    listed.map(({ id }) => id),
    MOST.roles,
    report,
  );
  const ids = new Map<string, RoleSource>();
  for (const role of listed) {
    const { value, at } = role.id;
    if (ids.has(value)) report('brief.same-role', at, `the role "${value}" appears twice`, 'remove one of the two');
    else ids.set(value, role);
  }
  if (source.roles && ids.size > 0) {
    for (const id of NEEDED) {
      if (ids.has(id)) continue;
      report('brief.missing-role', source.roles.at, `the team has no "${id}"`, `add \`${id}\`, or write \`roles: []\` for one agent alone`);
    }
  }
  const overriding = new Map(source.roleAdapters.map((one) => [one.id.value, one]));
  for (const { id, ...rest } of source.roleAdapters) {
    if (ids.has(id.value)) continue;
    // What else is wrong with it is found at once.
    runBy(rest, reading);
    const hint = () => didYouMean(id.value, ids.keys(), 'list it under `roles`, or remove it');
    report('brief.role-not-listed', id.at, `"role_adapters" has "${id.value}", which "roles" does not list`, hint);
  }
  return [...ids].flatMap(([id, role]) => {
    const found = roles.named(role.id);
    const run = runBy(overriding.get(id) ?? role, reading);
    return found ? [{ id, ...found, ...run }] : [];
  });
}
