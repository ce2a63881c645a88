import type { ConcludeActivationInput, WorkflowInterceptors } from '@temporalio/workflow';

/**
 * Has a query answered by its answer alone. A workflow task that fails leaves the commands that it had made by then, as the acceptance of
 * an update, and if the task is replayed for a query, the SDK sends them with the answer. Its core takes that for a fault of the worker and
 * ends it, with all that it has in progress: anybody who looks at a run or a merge queue that needs a newer worker would do so each time.
 */
export function answersAlone(commands: Commands): Commands {
  const answers = commands.filter(({ respondToQuery }) => respondToQuery);
  return answers.length > 0 ? answers : commands;
}

export const interceptors = (): WorkflowInterceptors => ({
  internals: [{ concludeActivation: ({ commands }, next) => next({ commands: answersAlone(commands) }) }],
});

type Commands = ConcludeActivationInput['commands'];
