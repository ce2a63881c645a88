import { isApproval } from '../../../kinds/questions';
import { defined, ifDefined, unlessEmpty } from '../../../plan/defined';
import type { CategoryPolicy } from '../../../plan/plan';
import type { EscalationTarget } from '../../../plan/steps/action';
import type { Interpreter } from '../interpreter';
import type { Place } from '../scheduling/place';
import { barredByFourEyes } from './four-eyes';
import type { GateSpec } from './gate-spec';

type PolicySpec = CategoryPolicy & Pick<GateSpec, 'notBy'>;

/** The gate for a policy of the pipeline, of a step or of a category. */
export function gateSpecOfPolicy(it: Interpreter, policy: CategoryPolicy): PolicySpec {
  const { channel, approvers, fourEyes, quorum, comment, identity, remindMs, timeoutMs, onTimeout } = policy;
  const notBy = fourEyes ? barredByFourEyes(it.run) : undefined;
  return defined({ channel, approvers, fourEyes: fourEyes || undefined, notBy, quorum, comment, identity, remindMs, timeoutMs, onTimeout });
}

/**
 * The part of a gate's own policy that holds at the gate to which its matter is taken: nobody decides there who could not have decided
 * before, except people that the chain names, who decide in place of the approvers. If neither names anybody, the channel's approvers do.
 */
export function policyAbove(it: Interpreter, place: Place, target: Person | undefined): PolicySpec {
  const { approvers, notBy, fourEyes, quorum, comment, identity } = policyOfPlace(it, place);
  const named = target?.people;
  const deciding = named ? [...named] : (approvers ?? target?.approvers);
  const count = quorum === undefined ? undefined : named ? Math.min(quorum, named.length) : quorum;
  const barred = unlessEmpty(notBy ?? []);
  return defined({ approvers: deciding, notBy: barred, fourEyes: fourEyes || undefined, quorum: count, comment, identity });
}

type Person = Extract<EscalationTarget, { kind: 'human' }>;

function policyOfPlace(it: Interpreter, { step, path }: Place): PolicySpec {
  if (isApproval(step)) return gateSpecOfPolicy(it, step);
  const { asked, attempt } = it.run.record(path);
  // A yes to the step's own action has been asked for, and did not come.
  if (step.category !== undefined && !attempt?.approvals?.some(({ approved }) => approved)) {
    return gateSpecOfPolicy(it, it.run.plan.requiresApproval?.[step.category] ?? {});
  }
  if (!asked?.question) return {};
  const { requiredApprover, requireDifferentApprover, initiatedBy } = asked.question;
  return defined({
    approvers: ifDefined(requiredApprover, (name) => [name]),
    notBy: requireDifferentApprover ? ifDefined(initiatedBy, (name) => [name]) : undefined,
  });
}
