import type {
  ConcludeActivationInput,
  LocalActivityInput,
  Next,
  WorkflowInterceptors,
  WorkflowOutboundCallsInterceptor,
} from '@temporalio/workflow';

/**
 * Holds what a run begins or cancels until its local activities have their results.
 *
 * A worker that answers a query completes the task that a local activity holds open, with the commands that the run has given so far. A
 * replay has the result at once. If the run then cancels what it began in that task, the SDK drops both commands, and the replay has no
 * command for the event in the history: the run would be stuck. Held commands leave with the result, live and on replay, so those that
 * cancel each other never become events.
 *
 * Nothing is slower for it: the commands of a task leave when the task is completed, which waits for local activities in any case.
 *
 * Invariants: 1. held commands keep their order; 2. the command that ends an execution takes the held ones along, and is the last.
 */
export function heldCommands(): {
  begins: (seq: number) => void;
  hasResult: (seq: number) => void;
  concludes: (commands: readonly Command[]) => Command[];
} {
  const underWay = new Set<number>();
  let held: Command[] = [];
  return {
    begins: (seq) => void underWay.add(seq),
    hasResult: (seq) => void underWay.delete(seq),
    concludes(commands) {
      const isHeld = underWay.size > 0 && !commands.some(isOneOf(ENDS));
      const all = [...held, ...commands];
      held = isHeld ? all.filter(isOneOf(CANCELLABLE)) : [];
      return isHeld ? commands.filter((command) => !isOneOf(CANCELLABLE)(command)) : all;
    },
  };
}

export const interceptors = (): WorkflowInterceptors => {
  const commands = heldCommands();
  const outbound: WorkflowOutboundCallsInterceptor = {
    scheduleLocalActivity(input: LocalActivityInput, next: Next<WorkflowOutboundCallsInterceptor, 'scheduleLocalActivity'>) {
      commands.begins(input.seq);
      return next(input);
    },
  };
  return {
    outbound: [outbound],
    internals: [
      {
        activate(input, next) {
          for (const { resolveActivity } of input.activation.jobs ?? []) {
            if (resolveActivity?.isLocal) commands.hasResult(resolveActivity.seq ?? 0);
          }
          next(input);
        },
        concludeActivation: (input, next) => next({ commands: commands.concludes(input.commands) }),
      },
    ],
  };
};

type Command = ConcludeActivationInput['commands'][number];

/** What begins something that can be cancelled, and what cancels it. */
const CANCELLABLE: readonly (keyof Command)[] = [
  'startTimer',
  'cancelTimer',
  'scheduleActivity',
  'requestCancelActivity',
  'startChildWorkflowExecution',
  'cancelChildWorkflowExecution',
  'signalExternalWorkflowExecution',
  'cancelSignalWorkflow',
];

const ENDS: readonly (keyof Command)[] = [
  'completeWorkflowExecution',
  'failWorkflowExecution',
  'cancelWorkflowExecution',
  'continueAsNewWorkflowExecution',
];

function isOneOf(kinds: readonly (keyof Command)[]): (command: Command) => boolean {
  return (command) => kinds.some((kind) => command[kind]);
}
