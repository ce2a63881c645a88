import { describeTarget, type EscalationTarget } from '../../plan/action';
import { unreachable } from '../../plan/unreachable';
import { type Cause, describeCause } from './cause';
import { ownerOf, send } from './envelopes';
import { decisionAt } from './gates';
import type { Interpreter } from './interpreter';
import type { Place } from './place';
import { APPROVALS_CHANNEL } from './policies';
import { rejectRun } from './reject-run';
import { sendBack } from './revisions';
import { type StepResult, settle } from './settle';

/**
 * Takes a matter up the chain to a person. The agents on the way are told, in order; a person decides at a gate on the step:
 * `approve` lets the run go on (a block passes), `revise` sends the work back once more with the person's comment, `reject`
 * ends the run as rejected.
 */
export async function escalate(it: Interpreter, place: Place, targets: readonly EscalationTarget[], cause: Cause): Promise<StepResult> {
  const { run } = it;
  const { step } = place;
  const chain: readonly EscalationTarget[] = targets.at(-1)?.kind === 'human' ? targets : [...targets, { kind: 'human' }];
  const reason = describeCause(run.name(place.path), cause);
  const record = run.record(place.path);
  if (!record.gate) tellChain(it, place, chain, reason);
  const human = chain.find((target) => target.kind === 'human');
  const decision = await decisionAt(it, place, {
    kind: 'escalation',
    show: 'of' in step ? [step.of, step.id] : [step.id],
    channel: (human?.kind === 'human' ? human.channel : undefined) ?? APPROVALS_CHANNEL,
    escalation: { reason, chain },
  });
  const by = decision.by ?? 'a person';
  if (decision.choice === 'revise') {
    const target = 'onRevise' in step ? (step.onRevise?.step ?? step.of) : 'of' in step ? step.of : step.id;
    const report = record.artifact && cause.kind === 'block' ? { report: record.artifact } : {};
    sendBack(it, place, target, {
      review: run.name(place.path),
      ...report,
      instructions: decision.comment ?? `${by} asked for another revision`,
    });
    return 'settled';
  }
  if (decision.choice === 'reject') {
    const comment = decision.comment === undefined ? '' : `: ${decision.comment}`;
    return rejectRun(it, place, `${by} rejected after escalation${comment} (${reason})`);
  }
  return letPass(it, place, cause, by);
}

function letPass(it: Interpreter, place: Place, cause: Cause, by: string): StepResult {
  const record = it.run.record(place.path);
  switch (cause.kind) {
    case 'block':
      record.verdict = { ...cause.verdict, verdict: 'pass', said: cause.verdict.said ?? cause.verdict.verdict, decidedBy: by };
      // Conditions read the person's word from here on; the report stays as the reviewer wrote it.
      if (record.values && Object.hasOwn(record.values, 'verdict')) record.values = { ...record.values, verdict: 'pass' };
      return settle(it, place, 'done', `${by} let it pass`);
    case 'error':
      record.tolerated = true;
      return settle(it, place, 'failed', `${by} let the run go on`);
    case 'rejected':
    case 'silence':
      return settle(it, place, 'done', `${by} let it pass`);
    default:
      return unreachable(cause);
  }
}

function tellChain(it: Interpreter, place: Place, chain: readonly EscalationTarget[], reason: string): void {
  let from = ownerOf(it.run);
  for (const target of chain) {
    const to = describeTarget(target);
    if (to === from) continue;
    send(it.run, place.path, { from, to, intent: 'escalate', payload: { step: it.run.name(place.path), reason }, expect_response: true });
    from = to;
  }
}
