import type { PipelineStep } from '../../plan/container-step';
import { render } from '../../plan/evaluate';
import type { Template } from '../../plan/expression';
import type { Json } from '../../plan/json';
import { getJson } from '../stored/stored-json';
import type { Toolbox } from '../toolbox';
import { type InputScope, templateValue } from './scope';

/** What a step gives a child pipeline for its args, rendered; not checked yet. */
export async function childArgs({ artifacts }: Toolbox, step: PipelineStep, scope: InputScope): Promise<Record<string, Json>> {
  if (step.with === undefined) return {};
  const templates = await getJson<Record<string, Template>>(artifacts, { sha256: step.with }, `the args of "${step.id}"`);
  return Object.fromEntries(
    Object.entries(templates).map(([arg, template]) => [arg, templateValue(template, scope, render(template, scope))]),
  );
}
