import { defined } from '../../plan/defined';
import { checkArgs } from '../../plan/run/args';
import type { ControlRef } from '../../plan/run/artifact';
import { ThermidorFailure } from '../../plan/run/failure';
import { formatAddress } from '../../plan/steps/address';
import type { ChildStepInput } from '../../plan/steps/container-activities';
import { type ActivityCall, requireAddress } from '../activity-call';
import { loadAgent } from '../agent/agent-adapter';
import type { WorkerToolbox } from '../toolbox';
import { argsProblem } from '../tools/pipelines-start';
import { recordOrder } from './child-order';
import type { LoadedRun } from './loaded-run';
import { readChildPlan } from './plan-check';

/**
 * Records the order of a run that an agent starts, before it starts: the plan that was frozen with the agent, the args, and this run's
 * script. The agent's definition is checked again for permission. Fails with `args.invalid`, `plan.*`, `artifact.missing`.
 */
export async function orderStart(
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
export function scriptOfRun({ record: { script } }: LoadedRun): ControlRef<'script'> | undefined {
  return script && { ...script.ref, name: `${script.name}.script.json` };
}
