import type { StepInput, StepOutput } from '../plan/step-work';
import { accounted } from './account';
import { agentTry } from './agent-try';
import { agentWork } from './agent-work';
import { requireApproval } from './approval-use';
import { type ActivityCall, requireAddress } from './call';
import { layOut } from './lay-out';
import { once } from './once';
import { loadRun, stepAt } from './run-record';
import type { Toolbox } from './toolbox';

/**
 * One try of an agent or review step, of its critic, or of a child that its agent has spawned. A reply is taken from the
 * transcript, where secrets are masked; so whatever an agent says of one, it is masked in its output too. Where it has to pause it
 * answers with `paused`, which is no result: called again with what it lacks, it goes on from its transcript.
 *
 * Fails with `agent.timeout`, `agent.stuck`, `reply.invalid` and `reply.no-verdict` (details `{missingFields, problems, previous}`),
 * `adapter.unavailable`, `approval.missing`, `values.too-large`, `output.too-large`, `store.unavailable`, and what the adapter fails with. Where
 * something was paid for, `details.usage` says what.
 */
export async function agent(toolbox: Toolbox, call: ActivityCall, input: StepInput): Promise<StepOutput> {
  const address = requireAddress(call);
  const run = await loadRun(toolbox, call.key);
  const step = stepAt(run, address);
  const work = agentWork(toolbox, run, step, input);
  const output = await once(
    toolbox,
    call,
    () =>
      accounted(toolbox, call, run, work.agent, async () => {
        if (isOwn(input)) await requireApproval(toolbox, run, step, address, input);
        return await agentTry(toolbox, call, run, work, input);
      }),
    ({ paused }) => paused === undefined,
  );
  if (!input.spawn && !input.escalation) await layOut(toolbox, call.key.workflowId, address, output.artifact);
  return output;
}

/** Whether it is the step's own work that is done, and not a part in it that another agent has. */
function isOwn({ critic, spawn, escalation }: StepInput): boolean {
  return !critic && !spawn && !escalation;
}
