import { type AuthorityNow, GRANT_CHOICES, type GrantAnswer, type GrantChoice, type GrantNeed } from '../../../plan/brief/authority';
import { type CostCategory, isCategory, unauthorised } from '../../../plan/brief/category';
import { defined, unlessEmpty } from '../../../plan/defined';
import type { ApprovalNeed } from '../../../plan/people/category';
import { bug } from '../../../plan/run/failure';
import type { StepInput } from '../../../plan/steps/step-activity';
import type { StepContext } from '../context/step-context';
import type { Interpreter } from '../interpreter';
import type { Run } from '../run';
import type { Place } from '../scheduling/place';
import { attemptOf } from '../state/step-record';
import { APPROVALS_CHANNEL } from '../steps/activity-timeouts';
import type { TakenDecision } from './gate-record';
import { approvalFor } from './step-approval';

/** Asks a person what a call of an agent's tool lacks. */
export async function leaveFor(
  it: Interpreter,
  place: Place,
  ctx: StepContext,
  need: ApprovalNeed | GrantNeed,
  agent: string,
): Promise<void> {
  if ('category' in need) await approvalFor(it, place, ctx, { need, agent });
  else await askForGrant(it, place, ctx, need);
}

/** What the agents of a step may do by the answers so far: for the next turn of any of them. */
export function allowedAt(run: Run, place: Place): Pick<StepInput, 'approvals' | 'authority'> {
  const { approvals } = attemptOf(run.record(place.path));
  return defined({ approvals, authority: authorityAt(run, place) });
}

function authorityAt(run: Run, { path }: Place): AuthorityNow | undefined {
  const { brief, attempt } = run.record(path);
  const { authority } = brief ?? {};
  if (!authority) return undefined;
  return { ...authority, ...defined({ granted: unlessEmpty(grantedTo(run, authority.project)), answers: attempt?.grants }) };
}

/** What people have granted to a project for the run. */
export function grantedTo({ state }: Pick<Run, 'state'>, project: string): CostCategory[] {
  return [...new Set((state.grants ?? []).flatMap((grant) => (grant.project === project ? grant.categories : [])))];
}

/**
 * Asks about a call that nothing authorises, once for everything that it lacks. An answer for the run holds for each agent in the run that
 * works for the project; one for ever is written down by the activity that makes the call.
 */
async function askForGrant(it: Interpreter, place: Place, ctx: StepContext, need: GrantNeed): Promise<void> {
  const { run } = it;
  const { path } = place;
  const { authority } = run.record(path).brief ?? {};
  if (!authority) throw bug(`an agent of ${run.name(path)} asks for a grant, and works for no brief`);
  // Anybody may complete the activity that has paused, by hand.
  if (!need.categories.every(isCategory)) throw bug(`an agent of ${run.name(path)} asks for what no call of a tool can need`);
  const { project, askTimeoutMs } = authority;
  // Another agent may have been answered for the run while this one waited for its turn to ask.
  if (ctx.once('covered', () => unauthorised(grantedTo(run, project), need.categories).length === 0)) return;
  const decision = await ctx.gate('grant', {
    ...{ kind: 'approval', show: [], channel: APPROVALS_CHANNEL, choices: GRANT_CHOICES, need: { ...need, project }, holdsHere: true },
    ...(askTimeoutMs === undefined ? {} : { timeoutMs: askTimeoutMs, onTimeout: 'conservative' }),
  });
  ctx.once('answer', () => {
    const attempt = attemptOf(run.record(path));
    const { grants = [] } = attempt;
    const { categories, contentSha256, tool } = need;
    const id = `${run.address(path)}/grant-${grants.length + 1}`;
    const answer = answerOf(id, need, decision);
    const { choice, by } = answer;
    attempt.grants = [...grants, answer];
    if (choice === 'run') run.state.grants = [...(run.state.grants ?? []), { project, categories }];
    run.journal.add({
      kind: 'grant',
      step: run.name(path),
      event: choice,
      project,
      categories,
      tool,
      contentSha256,
      id,
      ...defined({ by }),
    });
  });
}

function answerOf(id: string, { categories, contentSha256 }: GrantNeed, decision: TakenDecision): GrantAnswer {
  const { at, by } = decision;
  const choice = GRANT_CHOICES.find((one): one is GrantChoice => one === decision.choice) ?? 'deny';
  const comment = decision.via === 'time-out' ? 'nobody answered in time' : decision.comment;
  return { id, categories, contentSha256, choice, at, ...defined({ by, comment }) };
}
