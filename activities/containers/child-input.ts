import { checkArgs } from '../../plan/args';
import type { ChildInput } from '../../plan/container-work';
import { ThermidorFailure } from '../../plan/failure';
import type { StepInput } from '../../plan/step-work';
import { type ActivityCall, requireAddress } from '../call';
import { requireApproval } from '../gates/approval-use';
import { childArgs } from '../run/child-args';
import { readChildPlan } from '../run/plan-check';
import { type LoadedRun, loadRun, stepAt } from '../run/run-record';
import { inputScope } from '../run/scope';
import { readFrozen } from '../stored/read-frozen';
import { asJson } from '../stored/stored-json';
import type { WorkerToolbox } from '../toolbox';

/**
 * What a child pipeline is started with: its frozen plan by reference, its args rendered and checked, and the parent's script,
 * so that a run that is offline has no children that are not. A secret arg is handed on as its reference.
 *
 * Fails with `args.invalid`, `plan.*`, `artifact.missing`, `approval.missing`.
 */
export async function childInput(toolbox: WorkerToolbox, call: ActivityCall, input: StepInput): Promise<ChildInput> {
  const run = await loadRun(toolbox, call.key);
  const address = requireAddress(call);
  const step = stepAt(run, address);
  if (step.kind !== 'pipeline') throw new ThermidorFailure('internal', `step "${step.id}" is no pipeline`);
  const { plan, text } = await readChildPlan(toolbox, step.plan, step.pipeline);
  const scope = await inputScope(toolbox, run, input, 'referenced');
  const { args, problems } = checkArgs(plan.args, await childArgs(toolbox, step, scope), plan.dialect);
  if (problems.length > 0) {
    const list = problems.map(({ arg, problem }) => `"${arg}" ${problem}`).join('; ');
    const message = `what step "${step.id}" gives pipeline "${plan.name}": ${list}`;
    throw new ThermidorFailure('args.invalid', message, asJson({ step: step.id, pipeline: plan.name, problems }));
  }
  await requireApproval(toolbox, run, step, address, input);
  const [ref, script] = await Promise.all([toolbox.control.put('plan', text, `${plan.name}.plan.json`), scriptOf(toolbox, run)]);
  return { plan: ref, args, ...(script ? { script } : {}) };
}

async function scriptOf(toolbox: WorkerToolbox, { record: { script } }: LoadedRun): Promise<ChildInput['script']> {
  if (!script) return undefined;
  const name = `${script.name}.script.json`;
  if (script.ref.kind !== undefined) return { ...script.ref, name };
  return await toolbox.control.put('script', (await readFrozen(toolbox, script.ref)).toString('utf8'), name);
}
