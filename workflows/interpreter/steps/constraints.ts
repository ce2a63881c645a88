import { traitsOf } from '../../../kinds/traits';
import type { ArtifactRef } from '../../../plan/run/artifact';
import type { ControlPlan, ControlStep } from '../../../plan/steps/control';
import type { StepInput } from '../../../plan/steps/step-activity';
import { everyStep } from '../../../plan/steps/walk';
import type { Run } from '../run';
import type { Place } from '../scheduling/place';
import { pathById } from './expression-scope';

/** Decisions of upstream steps that bind an agent: the activity reads the conditions. Plans without such steps pay nothing for it. */
export function constraintsOn(run: Run, { step, frame }: Place): Pick<StepInput, 'constraints'> {
  const binding = bindingSteps(run.plan);
  if (binding.size === 0) return {};
  const constraints: Record<string, ArtifactRef> = {};
  for (const { id } of run.upstream(step.id)) {
    const record = binding.has(id) ? run.state.records[pathById(run, frame, id) ?? ''] : undefined;
    if (record?.state === 'done' && record.output?.artifact) constraints[id] = record.output.artifact;
  }
  return Object.keys(constraints).length > 0 ? { constraints } : {};
}

const known = new WeakMap<ControlPlan, ReadonlySet<string>>();

function bindingSteps(plan: ControlPlan): ReadonlySet<string> {
  const found = known.get(plan) ?? new Set(bindingIn(plan));
  known.set(plan, found);
  return found;
}

function bindingIn({ block, finally: last }: ControlPlan): string[] {
  const steps = everyStep<ControlStep>([...block.steps, ...(last?.steps ?? [])]);
  return [...steps].flatMap(({ id, kind }) => (traitsOf(kind).binds ? [id] : []));
}
