import type { WorkflowInterceptors } from '@temporalio/workflow';
import { beginning } from '../../plan/text/shortened';

/**
 * Why a run is to stop, and why it stops its children. A request to cancel has a reason on the server; the SDK hands on that there was a
 * request, and not what it said, and sends one without a reason.
 */

/** As the first request to cancel this run says. */
let given: string | undefined;
/** What requests of this run are to say, by the workflow that they are for. */
const toGive = new Map<string, string>();

const CHARACTERS = 10_000;
/** What the server puts before the reason of a workflow, or says if that gives none. */
const FROM_WORKFLOW = /^Cancel requested by workflow with run id \S+(?: with reason: ?|$)/;

export function cancelReason(): string | undefined {
  return given;
}

/** The next request to cancel that workflow says so. */
export function giveReason(workflowId: string, reason: string): void {
  toGive.set(workflowId, beginning(reason, CHARACTERS));
}

export const interceptors = (): WorkflowInterceptors => ({
  internals: [
    {
      activate(input, next) {
        for (const { cancelWorkflow } of input.activation.jobs ?? [])
          given ??= beginning(cancelWorkflow?.reason?.replace(FROM_WORKFLOW, '') ?? '', CHARACTERS) || undefined;
        next(input);
      },
      concludeActivation(input, next) {
        const output = next(input);
        for (const { requestCancelExternalWorkflowExecution: request } of output.commands) {
          const reason = toGive.get(request?.workflowExecution?.workflowId ?? '');
          if (request && reason !== undefined) request.reason = reason;
        }
        return output;
      },
    },
  ],
});
