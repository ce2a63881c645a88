import { runsChild } from '../../kinds/questions';
import { defined } from '../../plan/defined';
import { checkArgs } from '../../plan/run/args';
import type { ControlRef } from '../../plan/run/artifact';
import { childId } from '../../plan/run/child';
import { bug, ThermidorFailure } from '../../plan/run/failure';
import { formatAddress } from '../../plan/steps/address';
import type { ChildInput, ChildStepInput } from '../../plan/steps/container-activities';
import { spelledFields, spelledObject } from '../../plan/text/spelled-json';
import { asJson } from '../../records/stored-json';
import { type ActivityCall, requireAddress } from '../activity-call';
import { loadAgent } from '../agent/agent-adapter';
import { requireApproval } from '../gates/approved-action';
import { childArgs, contextFor } from '../run/child-args';
import { recordOrder } from '../run/child-order';
import { loadRun, stepAt } from '../run/load-run';
import type { LoadedRun } from '../run/loaded-run';
import { readChildPlan } from '../run/plan-check';
import { inputScope } from '../run/template-scope';
import type { WorkerToolbox } from '../toolbox';
import { argsProblem } from '../tools/pipelines-start';

/**
 * Records a child pipeline's order: its frozen plan by reference, its args rendered and checked, and the parent's script, so that an
 * offline run has only offline children. A secret arg is passed on as its reference. The first record counts.
 *
 * Fails with `args.invalid`, `plan.*`, `artifact.missing`, `approval.missing`.
 */
export async function childInput(
  toolbox: WorkerToolbox,
  call: ActivityCall,
  input: ChildStepInput,
): Promise<Extract<ChildInput, { workflowId: string }>> {
  const run = await loadRun(toolbox, call.key);
  const address = requireAddress(call);
  if (input.start) return { workflowId: await orderStart(toolbox, call, run, input.start) };
  const step = stepAt(run, address);
  if (!runsChild(step)) throw bug(`step "${step.id}" is not a pipeline`);
  const { plan, text } = await readChildPlan(toolbox, step.plan, step.pipeline);
  const scope = await inputScope(toolbox, run, input, 'people');
  const { args, problems } = checkArgs(
    plan,
    spelledObject([contextFor(plan, run), await childArgs(toolbox, step, scope)].flatMap(spelledFields)),
  );
  if (problems.length > 0) {
    const list = problems.map(({ arg, problem }) => `"${arg}" ${problem}`).join('; ');
    const message = `the args of step "${step.id}" for pipeline "${plan.name}": ${list}`;
    throw new ThermidorFailure('args.invalid', message, asJson({ step: step.id, pipeline: plan.name, problems }));
  }
  await requireApproval(toolbox, run, step, address, input);
  const ref = await toolbox.control.put('plan', text, `${plan.name}.plan.json`);
  const { startedBy, startedAt, scheduled, scheduledAt = startedAt } = run.record;
  const written = formatAddress(address);
  const workflowId = childId(call.key.workflowId, written);
  const order = {
    step: written,
    pipeline: step.pipeline,
    plan: ref,
    ...{ args, scheduledAt },
    ...defined({ script: scriptOfRun(run), startedBy, scheduled, carried: input.carried, budgeted: input.budgeted }),
  };
  await recordOrder(toolbox.ledger, call.key, workflowId, order, call.execution);
  return { workflowId };
}

/**
 * Records the order of a run that an agent starts, before it starts: the plan that was frozen with the agent, the args, and this run's
 * script. The agent's definition is checked again for permission. Fails with `args.invalid`, `plan.*`, `artifact.missing`.
 */
async function orderStart(
  toolbox: WorkerToolbox,
  call: ActivityCall,
  run: LoadedRun,
  start: NonNullable<ChildStepInput['start']>,
): Promise<string> {
  const { agent, pipeline, workflowId } = start;
  const { pipelines = [] } = await loadAgent(toolbox, run, agent);
  const sha256 = pipelines.find(({ name }) => name === pipeline)?.plan;
  if (sha256 === undefined) throw new ThermidorFailure('args.invalid', `agent "${agent}" may not start pipeline "${pipeline}"`);
  const { plan, text } = await readChildPlan(toolbox, sha256, pipeline);
  const problem = argsProblem(start.args, plan);
  if (problem !== undefined)
    throw new ThermidorFailure('args.invalid', `the args of agent "${agent}" for pipeline "${pipeline}": ${problem}`);
  const ref = await toolbox.control.put('plan', text, `${plan.name}.plan.json`);
  const { startedBy } = run.record;
  const order = {
    step: formatAddress(requireAddress(call)),
    ...{ pipeline, plan: ref, args: checkArgs(plan, start.args).args, agent },
    ...defined({ script: scriptOfRun(run), startedBy }),
  };
  await recordOrder(toolbox.ledger, call.key, workflowId, order, call.execution);
  return workflowId;
}

/** The script for runs that this one starts: an offline run starts only offline ones. */
function scriptOfRun({ record: { script } }: LoadedRun): ControlRef<'script'> | undefined {
  return script && { ...script.ref, name: `${script.name}.script.json` };
}
