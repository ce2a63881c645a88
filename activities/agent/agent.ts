import { defined } from '../../plan/defined';
import type { Step } from '../../plan/steps/step';
import type { StepInput, StepOutput } from '../../plan/steps/step-activity';
import { type ActivityCall, requireAddress } from '../activity-call';
import { requireApproval } from '../gates/approved-action';
import { withNotedBegins } from '../intents';
import { once } from '../once';
import { loadRun, stepAt } from '../run/load-run';
import type { LoadedRun } from '../run/loaded-run';
import { publishOutput } from '../stored/publish-output';
import type { Toolbox } from '../toolbox';
import { inWorktree, type WorkTree } from '../worktrees/in-worktree';
import { runAttempt } from './agent-attempt';
import type { AgentWork } from './agent-work';
import { withAccount } from './budget/account';
import { spawnedWork } from './children/spawned-work';
import { escalationWork } from './escalation-work';
import { withFleetSlot } from './fleet-slot';
import { requireFolderHere } from './moved-folder';
import { withRegisteredScope } from './registered-role';
import { stepAgentWork } from './step-agent-work';

/**
 * One try of an agent or review step, of its critic, or of a child that its agent has spawned. A reply is taken from the transcript, where
 * secrets are masked; so they are masked in its output too. If it has to pause it returns `paused`, which is no result: called again with
 * what it lacks, it continues from its transcript.
 *
 * Fails with `folder.elsewhere`, `agent.timeout`, `agent.stuck`, `reply.invalid` and `reply.no-verdict` (details `{missingFields, problems,
 * faults, previous}`), `adapter.unavailable`, `approval.missing`, `values.too-large`, `output.too-large`, `store.unavailable`, and the
 * adapter's own failures. If something was paid for, the failure's `work` says what.
 */
export async function agent(toolbox: Toolbox, call: ActivityCall, given: StepInput): Promise<StepOutput> {
  const input = withRegisteredScope(toolbox, given);
  const address = requireAddress(call);
  const run = await loadRun(toolbox, call.key);
  const step = stepAt(run, address);
  const work = workFor(toolbox, run, step, input);
  const output = await once(
    toolbox,
    call,
    async () => {
      const folderUses = input.worktree ? [] : await requireFolderHere(toolbox, call, run);
      return await withFleetSlot(toolbox, call, run, () =>
        withAccount(toolbox, call, run, work.agent, async () => {
          if (isOwn(input)) await requireApproval(toolbox, run, step, address, input);
          const attempt = (tree: WorkTree | undefined) => runAttempt(toolbox, call, run, work, input, { folderUses, ...defined({ tree }) });
          const perform = async (): Promise<StepOutput> => {
            // Its changes are its own: it continues from its transcript, with the files as they are.
            const { result, saved } = await inWorktree(toolbox, call, run, input.worktree, { discard: false }, attempt);
            return saved ? { ...result, worktree: saved } : result;
          };
          return isOwn(input) ? await withNotedBegins(toolbox, call, perform) : await perform();
        }),
      );
    },
    ({ paused }) => paused === undefined,
  );
  if (!input.spawn && !input.escalation) await publishOutput(toolbox, call.key.workflowId, address, output.artifact);
  return output;
}

/** The work that an input is for. Another kind of work is a file of its own and a line here. */
function workFor(toolbox: Toolbox, run: LoadedRun, step: Step, input: StepInput): AgentWork {
  if (input.spawn) return spawnedWork(toolbox, run, step, input.spawn, input);
  if (input.escalation) return escalationWork(toolbox, run, step, input, input.escalation);
  return stepAgentWork(toolbox, run, step, input);
}

/** Whether it is the step's own work that is done, and not a part in it that another agent has. */
function isOwn({ critic, spawn, escalation }: StepInput): boolean {
  return !critic && !spawn && !escalation;
}
