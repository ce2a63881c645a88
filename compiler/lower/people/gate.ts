import type { ApprovalStep, InputStep } from '../../../plan/steps/step';
import type { GateSource } from '../../shape/source-parts';
import { producersBefore } from '../agents/agent-producers';
import { upstreamStep } from '../context';
import type { StepContext } from '../step-context';
import { addChannel, addWho } from './policy';

/** Adds what every gate has. Returns the steps whose outputs the person sees. */
export function addGate(step: ApprovalStep | InputStep, work: GateSource, here: StepContext): { shown: string[]; allKnown: boolean } {
  const { context, place, template } = here;
  addChannel(step, work, context);
  const prompt = template(work.prompt);
  if (prompt) step.prompt = prompt;
  const shown = work.show?.filter((name) => upstreamStep(name, place, 'show', context, { output: true })).map((name) => name.value);
  const show = [...new Set(shown ?? producersBefore(place, context))];
  if (show.length > 0) step.show = show;
  return { shown: show, ...addWho(step, work, context) };
}
