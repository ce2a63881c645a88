import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  type CancellationScope,
  ChildWorkflowCancellationType,
  getExternalWorkflowHandle,
  ParentClosePolicy,
  startChild,
} from '@temporalio/workflow';
import { ThermidorFailure } from '../../plan/run/failure';
import type { ChildStart, StartedChild } from '../run-context';
import { giveReason } from './cancel-reason';

/**
 * Child pipelines on Temporal. They are started with ParentClosePolicy ABANDON, because any other ends them when the parent continues as
 * new; cancelling is therefore forwarded by hand, and they report how they ended.
 */
export async function startChildRun(shelter: CancellationScope, child: ChildStart): Promise<StartedChild> {
  const { workflowId, workflowType, input, independent } = child;
  try {
    const handle = await shelter.run(() =>
      startChild(workflowType, {
        workflowId,
        args: [input],
        parentClosePolicy: ParentClosePolicy.ABANDON,
        cancellationType: ChildWorkflowCancellationType.ABANDON,
        ...(input.parent && !independent ? { memo: { parent: input.parent.workflowId } } : {}),
      }),
    );
    const closed = handle.result().then(
      () => undefined,
      () => undefined,
    );
    return { run: handle.firstExecutionRunId, closed };
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    throw new ThermidorFailure('child.failed', `there is a workflow ${workflowId} already`);
  }
}

export async function signalRun(shelter: CancellationScope, workflowId: string, name: string, payload: object): Promise<void> {
  try {
    await shelter.run(() => getExternalWorkflowHandle(workflowId).signal(name, payload));
  } catch (error) {
    throw new ThermidorFailure('child.lost', `${workflowId} takes no signal: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Where it has ended meanwhile there is nothing to cancel. */
export function cancelChildRun(shelter: CancellationScope, workflowId: string, reason: string | undefined): void {
  if (reason !== undefined) giveReason(workflowId, reason);
  shelter.run(() => getExternalWorkflowHandle(workflowId).cancel()).catch(() => undefined);
}
