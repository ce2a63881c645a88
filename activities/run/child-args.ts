import { render } from '../../plan/expressions/evaluate';
import type { Template } from '../../plan/expressions/expression';
import type { Plan } from '../../plan/plan';
import type { PipelineStep } from '../../plan/steps/step';
import type { Json } from '../../plan/text/json';
import { spelledFields, spelledObject } from '../../plan/text/spelled-json';
import type { RunRecord } from '../../records/runs/run-record';
import { getJson } from '../../records/stored-json';
import type { Toolbox } from '../toolbox';
import { type InputScope, spelledTemplateValue } from './template-scope';

/** The part of a run that its context needs. */
interface RunContext {
  plan: Pick<Plan, 'context'>;
  record: Pick<RunRecord, 'args'>;
}

/** The parts of a run's context that its child knows too, so that one arg reaches all agents below. */
export function contextFor(child: Pick<Plan, 'context'>, { plan, record }: RunContext): Record<string, Json> {
  const known = [
    ...spelledFields(plan.context ?? {}),
    ...spelledFields(record.args).filter(([key]) => Object.hasOwn(plan.context ?? {}, key)),
  ];
  return spelledObject(known.filter(([key]) => child.context !== undefined && Object.hasOwn(child.context, key)));
}

/** The args that a step gives a child pipeline, rendered; not checked yet. */
export async function childArgs({ artifacts }: Toolbox, step: PipelineStep, scope: InputScope): Promise<Record<string, Json>> {
  if (step.with === undefined) return {};
  const templates = await getJson<Record<string, Template>>(artifacts, { sha256: step.with }, `the args of "${step.id}"`);
  return spelledObject(
    Object.entries(templates).map(([arg, template]) => [arg, spelledTemplateValue(template, scope, render(template, scope))]),
  );
}
