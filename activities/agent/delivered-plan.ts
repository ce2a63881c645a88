import { deliversPlan, votesOnProposal } from '../../kinds/questions';
import { REVISIONS, WHY_UNDELIVERABLE } from '../../kinds/replies';
import type { KindsWith } from '../../kinds/traits';
import { type Fault, WHOLE_REPLY } from '../../plan/agents/reply-fault';
import { valueAtPath } from '../../plan/expressions/evaluate';
import type { Path } from '../../plan/expressions/expression';
import type { Form } from '../../plan/expressions/form';
import { partId } from '../../plan/steps/part-id';
import type { Block, Step } from '../../plan/steps/step';
import type { Json } from '../../plan/text/json';
import type { LoadedRun } from '../run/loaded-run';
import { blockAround } from './block-around';

/**
 * Where the answer of a step has a plan that is delivered, and by which kind. `revised`: it is the context of a proposal, which a kind that
 * votes has had revised.
 */
export interface DeliveredPlan {
  path: Path;
  by: KindsWith<{ delivers: true }>;
  revised?: KindsWith<{ votes: true }>;
}

/**
 * The plan in an agent's answer that is delivered in increments: undeliverable parts are requested again, like anything that a reply lacks.
 * This applies if the delivery reads nothing but this answer, directly or through a vote, in the same block, and is sure to run. Undefined
 * if nothing delivers it.
 */
export function deliveredPlanOf(run: Pick<LoadedRun, 'plan' | 'steps'>, id: string): DeliveredPlan | undefined {
  const steps = blockWithAnswer(run, id)?.steps ?? [];
  for (const step of steps) {
    if (!deliversPlan(step) || step.when !== undefined) continue;
    const read = onlyRead(step.matter);
    const found = read && planIn(steps, read, id);
    if (found) return { ...found, by: step.kind };
  }
  return undefined;
}

interface Read {
  step: string;
  path: Path;
}

/** A part is in the block of its step. */
function blockWithAnswer(run: Pick<LoadedRun, 'plan' | 'steps'>, id: string): Block | undefined {
  const own = blockAround(run, id);
  if (own) return own;
  const around = [...run.steps.values()].find((step) => 'parts' in step && step.parts.some((part) => part.id === id));
  return around && blockAround(run, around.id);
}

function planIn(steps: readonly Step[], { step, path }: Read, id: string): Omit<DeliveredPlan, 'by'> | undefined {
  if (step === id) return { path };
  const vote = steps.find((one) => one.id === step);
  const [first, second, ...rest] = path;
  if (!vote || !votesOnProposal(vote) || first !== 'proposal' || second !== 'context') return undefined;
  if (id === partId(vote.id, REVISIONS[vote.kind].part)) return { path: rest, revised: vote.kind };
  const context = 'fields' in vote.matter ? vote.matter.fields.find(([key]) => key === 'context')?.[1] : undefined;
  const read = context && onlyRead(context);
  return read?.step === id ? { path: [...read.path, ...rest] } : undefined;
}

/** The single output that it reads. */
function onlyRead(form: Form): Read | undefined {
  const [only, ...more] = 'template' in form ? form.template : [];
  return typeof only === 'object' && only.kind === 'output' && more.length === 0 ? only : undefined;
}

/** Located where the plan is, or should be. */
export function undeliverable(reply: Json, { path, by, revised }: DeliveredPlan): Fault[] {
  const whole = revised ? REVISIONS[revised].contextOf(reply) : reply;
  const reason = WHY_UNDELIVERABLE[by](valueAtPath(whole, path));
  if (reason === undefined) return [];
  const at = [...(revised ? ['context'] : []), ...path].join('.');
  return [{ path: at === '' ? WHOLE_REPLY : at, reason: `cannot be delivered in increments: ${reason}` }];
}
