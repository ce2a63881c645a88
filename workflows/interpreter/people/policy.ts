import type { CategoryPolicy } from '../../../plan/plan';
import type { GateSpec } from '../gates';
import type { Interpreter } from '../interpreter';

type PolicySpec = Pick<
  GateSpec,
  'channel' | 'approvers' | 'notBy' | 'quorum' | 'comment' | 'identity' | 'remindMs' | 'timeoutMs' | 'onTimeout'
>;

/** What a policy of the pipeline, of a step or of a category, asks of a gate. */
export function gateSpecOfPolicy(it: Interpreter, policy: CategoryPolicy): PolicySpec {
  const { channel, approvers, fourEyes, quorum, comment, identity, remindMs, timeoutMs, onTimeout } = policy;
  return {
    ...(channel === undefined ? {} : { channel }),
    ...(approvers ? { approvers } : {}),
    ...(fourEyes ? { notBy: interested(it) } : {}),
    ...(quorum === undefined ? {} : { quorum }),
    ...(comment ? { comment } : {}),
    ...(identity ? { identity } : {}),
    ...(remindMs === undefined ? {} : { remindMs }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(onTimeout ? { onTimeout } : {}),
  };
}

/** Four eyes: neither the owner nor whoever started the run. */
function interested({ run }: Interpreter): string[] {
  return [run.plan.owner, run.opened.startedBy].filter((name) => name !== undefined);
}
