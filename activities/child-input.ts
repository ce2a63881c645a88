import { checkArgs } from '../plan/args';
import type { ChildInput } from '../plan/container-work';
import { render } from '../plan/evaluate';
import type { Template } from '../plan/expression';
import { ThermidorFailure } from '../plan/failure';
import type { Json } from '../plan/json';
import type { StepInput } from '../plan/step-work';
import { type ActivityCall, requireAddress } from './call';
import { readChildPlan } from './plan-check';
import { loadRun, stepAt } from './run-record';
import { inputScope, templateValue } from './scope';
import { asJson, getJson } from './stored-json';
import type { Toolbox } from './toolbox';

/**
 * What a child pipeline is started with: its frozen plan by reference, its args rendered and checked, and the parent's script,
 * so that a run that is offline has no children that are not. A secret arg is handed on as its reference.
 *
 * Fails with `args.invalid`, `plan.*`, `artifact.missing`.
 */
export async function childInput(toolbox: Toolbox, call: ActivityCall, input: StepInput): Promise<ChildInput> {
  const run = await loadRun(toolbox, call.key);
  const step = stepAt(run, requireAddress(call));
  if (step.kind !== 'pipeline') throw new ThermidorFailure('internal', `step "${step.id}" is no pipeline`);
  const { plan, ref } = await readChildPlan(toolbox, step.plan, step.pipeline);
  const scope = await inputScope(toolbox, run, input, 'referenced');
  const templates =
    step.with === undefined
      ? {}
      : await getJson<Record<string, Template>>(toolbox.artifacts, { sha256: step.with }, `the args of "${step.id}"`);
  const given: Record<string, Json> = Object.fromEntries(
    Object.entries(templates).map(([arg, template]) => [arg, templateValue(template, scope, render(template, scope))]),
  );
  const { args, problems } = checkArgs(plan.args, given, plan.dialect);
  if (problems.length > 0) {
    const list = problems.map(({ arg, problem }) => `"${arg}" ${problem}`).join('; ');
    const message = `what step "${step.id}" gives pipeline "${plan.name}": ${list}`;
    throw new ThermidorFailure('args.invalid', message, asJson({ step: step.id, pipeline: plan.name, problems }));
  }
  const { script } = run.record;
  return { plan: ref, args, ...(script ? { script: { ...script.ref, name: `${script.name}.script.json` } } : {}) };
}
