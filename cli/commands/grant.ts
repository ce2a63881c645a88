import { COST_CATEGORIES, covers, isGrant } from '../../plan/brief/category';
import { defined } from '../../plan/defined';
import { didYouMean } from '../../plan/text/nearest-word';
import type { GrantInForce } from '../../records/lasting-grants';
import type { Invocation } from '../command';
import { CommandFailure, EXIT, usage } from '../exit';
import { renderGrants } from '../rendering/grants';
import { recordsOf } from '../settings/records';
import { configurationOf } from '../settings/settings';
import { userOf } from '../user';

/** Lists the grants that are in force. */
export async function list(invocation: Invocation): Promise<number> {
  const { options, terminal } = invocation;
  const grants = await recordsOf(configurationOf(invocation)).grants.list(options.text('project'));
  if (options.flag('json')) terminal.out(`${JSON.stringify({ grants }, null, 2)}\n`);
  else if (grants.length > 0) terminal.out(renderGrants(grants, terminal));
  else terminal.err('nothing is granted for ever: a person grants it by the answer `always` to the call of an agent\n');
  return EXIT.done;
}

/** Revokes every grant of a project that a category covers. Fails with `grant.none` if there is none. */
export async function revoke(invocation: Invocation): Promise<number> {
  const { args, options, terminal } = invocation;
  const [project = '', category = ''] = args;
  if (!isGrant(category)) throw usage(`there is no category "${category}"`, didYouMean(category, COST_CATEGORIES));
  const configuration = configurationOf(invocation);
  const { grants } = recordsOf(configuration);
  const inForce = await grants.list(project);
  const revoked = inForce.filter((one) => covers(category, one.category));
  if (revoked.length === 0) throw nothingToRevoke(project, category, inForce);
  const by = options.text('by') ?? userOf(terminal, configuration.user.value);
  await grants.revoke({ project, category, at: new Date().toISOString(), ...defined({ by }) });
  if (options.flag('json')) terminal.out(`${JSON.stringify({ project, revoked }, null, 2)}\n`);
  else for (const one of revoked) terminal.out(`${terminal.colors.green('✓')} revoked: ${one.category} of ${project}\n`);
  return EXIT.done;
}

function nothingToRevoke(project: string, category: string, inForce: readonly GrantInForce[]): CommandFailure {
  const others = inForce.map((one) => one.category).join(', ');
  const hint = others === '' ? 'see what is: thermidor grant list' : `granted are: ${others}`;
  return new CommandFailure(EXIT.failed, 'grant.none', `${category} is not granted to project "${project}"`, { hint });
}
