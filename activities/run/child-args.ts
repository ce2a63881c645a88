import { render } from '../../plan/expressions/evaluate';
import type { Template } from '../../plan/expressions/expression';
import type { Plan } from '../../plan/plan';
import type { PipelineStep } from '../../plan/steps/step';
import type { Json } from '../../plan/text/json';
import type { RunRecord } from '../../records/runs/run-record';
import { getJson } from '../../records/stored-json';
import type { Toolbox } from '../toolbox';
import { type InputScope, templateValue } from './template-scope';

/** A run, as far as its context goes. */
interface RunContext {
  plan: Pick<Plan, 'context'>;
  record: Pick<RunRecord, 'args'>;
}

/** The parts of a run's context that its child knows too, so that one arg reaches all agents below. */
export function contextFor(child: Pick<Plan, 'context'>, { plan, record }: RunContext): Record<string, Json> {
  const known = Object.entries({ ...plan.context, ...pick(record.args, plan.context) });
  return Object.fromEntries(known.filter(([key]) => child.context !== undefined && Object.hasOwn(child.context, key)));
}

function pick(args: Readonly<Record<string, Json>>, context: Readonly<Record<string, Json>> = {}): Record<string, Json> {
  return Object.fromEntries(Object.entries(args).filter(([key]) => Object.hasOwn(context, key)));
}

/** What a step gives a child pipeline for its args, rendered; not checked yet. */
export async function childArgs({ artifacts }: Toolbox, step: PipelineStep, scope: InputScope): Promise<Record<string, Json>> {
  if (step.with === undefined) return {};
  const templates = await getJson<Record<string, Template>>(artifacts, { sha256: step.with }, `the args of "${step.id}"`);
  return Object.fromEntries(
    Object.entries(templates).map(([arg, template]) => [arg, templateValue(template, scope, render(template, scope))]),
  );
}
