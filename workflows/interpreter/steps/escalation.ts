import { judges } from '../../../kinds/questions';
import { defined, unlessEmpty } from '../../../plan/defined';
import type { Decision } from '../../../plan/people/gate';
import { bug } from '../../../plan/run/failure';
import { actionsIn, describeTarget, type EscalationTarget, retryIn } from '../../../plan/steps/action';
import type { EarlierAdvice } from '../../../plan/steps/escalation';
import { unreachable } from '../../../plan/unreachable';
import { askEscalationAgent } from '../agents/escalation-agents';
import type { StepContext } from '../context/step-context';
import { peopleInChain } from '../gates/approvers-above';
import { policyAbove } from '../gates/category-policy';
import { ESCALATED } from '../gates/gate-record';
import type { GateSpec } from '../gates/gate-spec';
import type { Interpreter } from '../interpreter';
import { returnWith } from '../merging/return-to-authors';
import { ownerOf, sendEnvelope } from '../messages/envelopes';
import { rejectRun } from '../reject-run';
import type { Place } from '../scheduling/place';
import { forgetError } from '../state/forget';
import { openKindState } from '../state/kind-state';
import { noteOutput } from '../state/step-record';
import { type ActionCause, describeCause } from './action-cause';
import { APPROVALS_CHANNEL, PERSON_IN_CHAIN_MS } from './activity-timeouts';
import { earlierReviews } from './earlier-rounds';
import { recordOutput } from './record-output';
import { sendForRevision } from './revisions';
import { settle } from './settle';
import type { StepResult } from './step-result';

/**
 * Escalates a matter up the chain. Each member is asked in turn, with the whole history: an agent answers with its advice and its reasons,
 * a person at a gate on the step that shows the agents' answers.
 *
 * Invariants: 1. a person decides, unless the pipeline has an agent decide (`decides: agent`) and it does; 2. the next is asked if one
 * fails, times out or passes on, and the last is a person; 3. `pass` lets the run continue, `revise` sends the work back with instructions,
 * and `abort`, a person's `reject`, ends the run as rejected.
 */
export async function escalate(
  it: Interpreter,
  place: Place,
  ctx: StepContext,
  targets: readonly EscalationTarget[],
  cause: ActionCause,
): Promise<StepResult> {
  const { run } = it;
  const chain = chainFor(it, targets, cause);
  const reason = describeCause(run.name(place.path), cause);
  // An earlier try's failure is not what is decided here.
  if (cause.kind !== 'error') forgetError(run.record(place.path));
  const before: EarlierAdvice[] = [];
  for (const [i, target] of chain.entries()) {
    ctx.once(`announced-${i}`, () => announce(it, place, chain, i, reason));
    const isLast = i === chain.length - 1;
    const rounds = earlierReviews(run, place);
    const matter = { reason, chain, ...defined({ before: chain.length > 1 ? before : undefined, rounds: unlessEmpty(rounds) }) };
    const decision =
      target.kind === 'agent'
        ? await askEscalationAgent(it, place, ctx, target, { reason, before: [...before] })
        : await ctx.gate(`person-${i}`, personGate(it, place, matter, target, isLast ? undefined : PERSON_IN_CHAIN_MS));
    const isDecision = 'choice' in decision;
    if (isDecision && decision.choice !== ESCALATED) return apply(it, place, cause, reason, decision);
    before.push({ agent: describeTarget(target), ...(isDecision ? { said: 'gave no answer in time' } : decision) });
  }
  throw bug(`nobody in the chain of ${run.name(place.path)} decided`);
}

/** Matters for a person go to people alone: no agent approves in their place. */
function chainFor(it: Interpreter, targets: readonly EscalationTarget[], { kind }: ActionCause): readonly EscalationTarget[] {
  const last = targets.at(-1);
  const whole = last?.kind === 'human' ? targets : [...targets, ...above(it, last)];
  return kind === 'silence' || kind === 'rejected' ? whole.filter((target) => target.kind === 'human') : whole;
}

/** From an agent on up: the members above it in the run's chain, else the people of that chain. */
function above(it: Interpreter, agent: EscalationTarget | undefined): readonly EscalationTarget[] {
  if (agent?.kind !== 'agent') return ANYBODY;
  const chain = it.run.plan.escalation ?? [];
  const at = chain.findIndex((target) => target.kind === 'agent' && target.id === agent.id);
  const rest = at < 0 ? peopleInChain(it) : chain.slice(at + 1);
  return rest.at(-1)?.kind === 'human' ? rest : ANYBODY;
}

const ANYBODY: readonly EscalationTarget[] = [{ kind: 'human' }];

type Person = Extract<EscalationTarget, { kind: 'human' }>;

function personGate(
  it: Interpreter,
  place: Place,
  matter: NonNullable<GateSpec['escalation']>,
  human: Person,
  timeoutMs?: number,
): GateSpec {
  const { step } = place;
  return {
    kind: 'escalation',
    show: 'of' in step ? [step.of, step.id] : [step.id],
    channel: human.channel ?? APPROVALS_CHANNEL,
    escalation: matter,
    ...policyAbove(it, place, human),
    ...(timeoutMs === undefined ? {} : { timeoutMs, onTimeout: 'escalate' }),
  };
}

/** Applies a decision to the run, no matter who made it. */
function apply(it: Interpreter, place: Place, cause: ActionCause, reason: string, decision: Decision): StepResult {
  const by = decision.by ?? 'a person';
  if (decision.choice === 'revise') {
    if (cause.kind === 'returned') return returnWith(it, place, cause, decision.comment);
    return sendBackWith(it, place, cause, decision.comment ?? `${by} asked for another revision`);
  }
  if (decision.choice === 'reject') {
    const comment = decision.comment === undefined ? '' : `: ${decision.comment}`;
    return rejectRun(it, place, `${by} rejected after escalation${comment} (${reason})`);
  }
  return letPass(it, place, cause, by);
}

/** The work in question is done again, with somebody's comments. */
export function sendBackWith(it: Interpreter, place: Place, cause: ActionCause, instructions: string): StepResult {
  if (cause.kind === 'returned') return returnWith(it, place, cause, instructions);
  const { step } = place;
  const artifact = it.run.record(place.path).output?.artifact;
  const target = retryIn(actionsIn(step, 'onRevise'))?.step ?? ('of' in step ? step.of : step.id);
  const report = artifact && 'verdict' in cause ? { report: artifact } : {};
  return sendForRevision(it, place, target, { review: it.run.name(place.path), ...report, instructions });
}

function letPass(it: Interpreter, place: Place, cause: ActionCause, by: string): StepResult {
  const { step } = place;
  const record = it.run.record(place.path);
  switch (cause.kind) {
    case 'revise':
    case 'block':
      if (judges(step)) {
        const said = cause.verdict.said ?? cause.verdict.verdict;
        openKindState(record, step.kind).verdict = { ...cause.verdict, verdict: 'pass', said, decidedBy: by };
      }
      // Conditions read the person's word from here on; the report stays as the reviewer wrote it.
      if (Object.hasOwn(record.output?.values ?? {}, 'verdict'))
        noteOutput(record, { values: { ...record.output?.values, verdict: 'pass' } });
      return settle(it, place, 'done', `${by} let it pass`);
    case 'error':
      if (record.error) record.error.tolerated = true;
      return settle(it, place, 'failed', `${by} let the run continue`);
    case 'returned':
      // Nobody says that it has landed.
      record.error = { code: 'merge.returned', message: cause.reason, tolerated: true };
      return settle(it, place, 'failed', `${by} let the run continue without it`);
    case 'exhausted':
      if (cause.overruled) recordOutput(record, place.step, cause.overruled);
      if (record.brief?.calledBy !== undefined) record.brief.letPassBy = by;
      return settle(it, place, 'done', `${by} let it pass`);
    case 'rejected':
    case 'silence':
      return settle(it, place, 'done', `${by} let it pass`);
    default:
      return unreachable(cause);
  }
}

/** The matter goes from the previous member of the chain to this one. */
function announce({ run }: Interpreter, { path }: Place, chain: readonly EscalationTarget[], i: number, reason: string): void {
  const target = chain[i];
  const before = chain[i - 1];
  const from = before ? describeTarget(before) : ownerOf(run);
  const to = target ? describeTarget(target) : 'human';
  if (to === from) return;
  sendEnvelope(run, path, { from, to, intent: 'escalate', payload: { step: run.name(path), reason }, expect_response: true });
}
