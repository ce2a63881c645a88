import type { WorkflowInterceptors } from '@temporalio/workflow';

/** Why the run is to stop, as the first request to cancel it says. The SDK hands on that there was one, and not what it said. */
let given: string | undefined;

const CHARACTERS = 10_000;

export function cancelReason(): string | undefined {
  return given;
}

export const interceptors = (): WorkflowInterceptors => ({
  internals: [
    {
      activate(input, next) {
        for (const { cancelWorkflow } of input.activation.jobs ?? []) given ??= cancelWorkflow?.reason?.slice(0, CHARACTERS) || undefined;
        next(input);
      },
    },
  ],
});
