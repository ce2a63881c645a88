import type { Usage } from '../budgets/usage';
import type { Begins } from '../steps/step-activity';
import type { Json } from '../text/json';
import type { ArtifactRef } from './artifact';
import type { HandedEvent } from './journal';
import type { WorktreeSaved } from './worktree';

/**
 * Every failure of a run or a step. `retried` says by whom: `temporal` inside a try (nobody's fault: a lost worker, overload, a store that
 * is away), `respawn` as a new try within `retries_per_step`, `once` as one automatic new try (after a model API error), or `never` unless
 * the step's own `retry` says so.
 */
export const FAILURES = {
  'pipeline.not-found': { retried: 'never', doc: 'no pipeline of that name in the pipelines folder' },
  'pipeline.ambiguous': { retried: 'never', doc: 'several files give their pipeline the same name' },
  'pipeline.invalid': { retried: 'never', doc: 'the pipeline does not compile' },
  'plan.version': { retried: 'never', doc: 'the plan was frozen by another version of the language' },
  'worker.too-old': { retried: 'temporal', doc: 'a later version began the run or the merge queue: a worker of that version takes it' },
  'plan.too-large': { retried: 'never', doc: 'the frozen plan is larger than 16 MiB, or has more than 100,000 steps' },
  'args.invalid': { retried: 'never', doc: 'an arg is missing, unknown or of the wrong type' },
  'input.invalid': { retried: 'never', doc: 'the workflow input is not a RunInput' },
  'input.elsewhere': { retried: 'never', doc: 'the run was started from another store than its worker’s' },
  'start.unproven': { retried: 'never', doc: 'the proof of who starts the run is not valid' },
  'call.unproven': { retried: 'never', doc: 'an activity was called by something other than a run or a merge queue of Thermidor' },
  'script.not-found': { retried: 'never', doc: 'no script of that name next to the pipeline' },
  'script.invalid': { retried: 'never', doc: 'the script is invalid' },
  'script.no-reply': { retried: 'never', doc: 'the script has no reply for a step' },
  'adapter.unavailable': { retried: 'never', doc: 'an agent needs an adapter that this worker does not have' },
  'agent.timeout': { retried: 'respawn', doc: 'an agent did not finish within its timeout' },
  'agent.stuck': { retried: 'respawn', doc: 'an agent gave no sign of life for too long' },
  'agent.no-folder': { retried: 'never', doc: 'the working folder of an agent does not exist' },
  'agent.failed': { retried: 'once', doc: 'an agent’s program ended with an error' },
  'agent.turns-used-up': { retried: 'never', doc: 'an agent used up its turns, or its program its tool calls, without an answer' },
  'agent.overstepped': { retried: 'never', doc: 'an agent’s program used a tool that the step does not allow, and was stopped' },
  'tool.failed': { retried: 'never', doc: 'a tool call failed; the agent gets the error' },
  'reply.invalid': { retried: 'respawn', doc: 'an agent’s reply is empty, not JSON or breaks its schema, after repair' },
  'reply.no-verdict': { retried: 'respawn', doc: 'a review report has no known verdict' },
  'model.api-error': { retried: 'once', doc: 'the model’s API answered with an error' },
  'model.overloaded': { retried: 'temporal', doc: 'the model’s API is overloaded or rate-limited' },
  'model.refused': { retried: 'never', doc: 'the model refused' },
  'model.bad-request': { retried: 'never', doc: 'the model’s API rejected the request' },
  'model.context-length': { retried: 'never', doc: 'the inputs of an agent do not fit into the model’s context' },
  'model.unauthorized': { retried: 'never', doc: 'the model’s API refused the key' },
  'command.failed': { retried: 'never', doc: 'a command ended with a non-zero exit code or by a signal' },
  'command.timeout': { retried: 'never', doc: 'a command did not finish within its timeout' },
  'tests.unreadable': { retried: 'never', doc: 'a command with `tests` succeeded and left no results that can be read' },
  'git.unavailable': { retried: 'never', doc: 'git is missing where the worker runs, or too old' },
  'git.failed': { retried: 'never', doc: 'git ended with an error that has no code of its own' },
  'git.killed': { retried: 'temporal', doc: 'somebody else ended git by a signal, as the kernel does when memory runs out' },
  'repository.unusable': { retried: 'never', doc: 'a git repository lacks what a step needs' },
  'repository.locked': { retried: 'temporal', doc: 'another git process holds a lock in the repository' },
  'repository.full': { retried: 'temporal', doc: 'the disk of a git repository or of a worktree is full' },
  'repository.unreachable': { retried: 'temporal', doc: 'a remote repository does not answer' },
  'repository.refused': { retried: 'never', doc: 'a remote repository refused the credentials or the push' },
  'worktree.unavailable': { retried: 'never', doc: 'a step’s worktree is unavailable, on this host and on others' },
  'worktree.lost': { retried: 'never', doc: 'another host has taken over a step’s worktree; the run continues there' },
  'folder.elsewhere': { retried: 'never', doc: 'the files of a step are on another host; the run continues there' },
  'worktree.setup-failed': { retried: 'never', doc: 'a command of a worktree’s `setup` failed' },
  'board.bad-tasks': { retried: 'never', doc: 'the tasks of a board cannot be used' },
  'board.task-spent': { retried: 'never', doc: 'a member’s task on a board has used up its budget, so that an agent it had spawned ends' },
  'brief.no-role': { retried: 'temporal', doc: 'a role of a brief is not registered on the worker: another one may have it' },
  'brief.no-plan': { retried: 'never', doc: 'the planner of a brief gives no plan' },
  'brief.stopped': { retried: 'never', doc: 'a person has stopped a brief' },
  'board.unfinished': { retried: 'never', doc: 'the team of a board has ended, and tasks are left' },
  'task.no-team': { retried: 'never', doc: 'no run of the team to which a task is given' },
  'task.unreachable': { retried: 'temporal', doc: 'a team cannot be asked at the moment, because the server does not answer' },
  'task.refused': { retried: 'never', doc: 'the board of a team does not take a task' },
  'task.dropped': { retried: 'never', doc: 'somebody has left out a task that was given to a team' },
  'task.left': { retried: 'never', doc: 'a team has ended without doing a task that was given to it' },
  'brief.out-of-scope': { retried: 'never', doc: 'an agent called a tool that the role in which it works for a brief may not use' },
  'queue.unavailable': { retried: 'temporal', doc: 'a merge queue takes no ticket at the moment' },
  'queue.wrong-host': {
    retried: 'temporal',
    doc: 'a worker cannot work for a merge queue, for example because it does not see the repository; another one takes it',
  },
  'queue.not-recorded': {
    retried: 'never',
    doc: 'a merge queue ordered a test, a landing or a conclusion that its ledger does not have, or that breaks the rules of the worker that took it',
  },
  'queue.test-lost': { retried: 'never', doc: 'a test of a merge queue has taken its worker down three times' },
  'merge.strategy': { retried: 'never', doc: 'a merge has another strategy than the merge queue of its branch' },
  'merge.returned': { retried: 'never', doc: 'a candidate came back from the merge queue, and its author has no tries left' },
  'merge.refused': { retried: 'never', doc: 'the merge queue cannot merge a candidate, whatever its author does' },
  'merge.target-red': { retried: 'never', doc: 'the branch that is to be merged into fails its own tests, without any candidate' },
  'merge.dropped': { retried: 'never', doc: 'somebody took a candidate out of the merge queue' },
  'caid.graph': { retried: 'never', doc: 'a manager’s graph of tasks cannot be used, also in its second answer' },
  'caid.setup': { retried: 'never', doc: 'what a manager has prepared does not land' },
  'caid.unfinished': { retried: 'never', doc: 'a caid step has ended with tasks that are not merged' },
  'caid.not-accepted': { retried: 'never', doc: 'the manager of a caid step does not accept the result' },
  'consensus.proposal': { retried: 'never', doc: 'a proposal cannot be voted on, for example because two of its options have the same id' },
  'consensus.failed': { retried: 'never', doc: 'a proposal has not passed in its last round of votes' },
  'tracks.blocked': { retried: 'never', doc: 'a track cannot go on, because a phase of it has failed for good' },
  'tracks.misaligned': { retried: 'never', doc: 'two tracks are not aligned after the last check of a sync point' },
  'escalate.unsolved': { retried: 'never', doc: 'no level of an escalate step has solved the issue' },
  'escalate.root-cause': {
    retried: 'never',
    doc: 'an escalate step has found a root cause, and no action of `on_root_cause` decides what follows',
  },
  'swarm.unsolved': { retried: 'never', doc: 'a swarm has not solved the issue in its last round' },
  'increments.plan': {
    retried: 'never',
    doc: 'the plan of an increments step is not a list of tasks, or names a task twice, or one that is missing',
  },
  'increments.cycle': { retried: 'never', doc: 'tasks of an increments step wait for each other' },
  'increments.blocked': {
    retried: 'never',
    doc: 'not all of a plan is delivered: increments are blocked or reverted, or tasks could not be done',
  },
  'increments.final': { retried: 'never', doc: 'the validation of a whole plan fails, and does so without any of its increments' },
  'parallel.branch-failed': { retried: 'never', doc: 'too few branches of a parallel step gave a result' },
  'parallel.timeout': { retried: 'never', doc: 'a parallel step ran out of time before any branch it needs had ended' },
  'step.timeout': { retried: 'never', doc: 'a step with steps within it did not end within its timeout' },
  'step.program-changed': {
    retried: 'never',
    doc: 'the calls of a step differ from its log: the run continues in another version than it began with',
  },
  'loop.not-a-list': { retried: 'never', doc: 'the value of a for_each is not a list' },
  'stream.too-many-items': { retried: 'never', doc: 'a step emits more items than its `max_items`' },
  'stream.bad-item': { retried: 'never', doc: 'a line of a command is marked as an item but is not JSON, or breaks the schema of items' },
  'stream.all-blocked': { retried: 'never', doc: 'the remaining items depend on items that are not done, and `on_all_blocked` is `stop`' },
  'repeat.exhausted': { retried: 'never', doc: 'the `until` of a repeat does not hold after its last round' },
  'child.failed': { retried: 'never', doc: 'a child pipeline failed' },
  'child.lost': { retried: 'never', doc: 'a child pipeline ended without a report, or was terminated' },
  'wait.timeout': { retried: 'never', doc: 'a signal that a step waited for did not come in time' },
  'wait.bad-moment': { retried: 'never', doc: 'the `until` of a wait is not a moment' },
  'stage.failed': { retried: 'never', doc: 'a stage of a pipe failed' },
  'input.no-answer': { retried: 'never', doc: 'nobody answered an input gate in time, and it has no defaults that satisfy its schema' },
  'memory.unusable': {
    retried: 'never',
    doc: 'a memory file, or another file of a post-mortem, cannot be read or written; no run fails because of that',
  },
  'memory.too-large': {
    retried: 'never',
    doc: 'a memory file, or another file of a post-mortem, is larger than 1 MiB; no run fails because of that',
  },
  'output.too-large': { retried: 'never', doc: 'a step’s output is larger than the store takes' },
  'values.too-large': { retried: 'never', doc: 'the parts of a step’s output that expressions read are larger than 64 KiB' },
  'store.unavailable': { retried: 'temporal', doc: 'the artifact store or the ledger is full, read-only or unavailable' },
  'artifact.missing': { retried: 'never', doc: 'a referenced artifact is not in the store, or its content does not match its digest' },
  'channel.unavailable': { retried: 'temporal', doc: 'a channel did not accept a message' },
  'channel.refused': { retried: 'never', doc: 'a channel’s address is wrong, or it rejected a message permanently' },
  'approval.missing': { retried: 'never', doc: 'an action of a category has no approval for exactly what it is about to do' },
  'action.unknown': {
    retried: 'never',
    doc: 'the worker of an action of a category was lost during the action, so it may have been done',
  },
  'encryption.key-missing': { retried: 'temporal', doc: 'something is sealed with a key that the settings do not have' },
  'secret.missing': { retried: 'never', doc: 'a secret reference cannot be resolved' },
  'worker.lost': { retried: 'temporal', doc: 'the worker of an activity stopped answering' },
  'run.aborted': { retried: 'never', doc: 'an operator aborted the run' },
  internal: { retried: 'never', doc: 'a bug in Thermidor' },
} as const satisfies Record<string, { retried: 'temporal' | 'respawn' | 'once' | 'never'; doc: string }>;

export type FailureCode = keyof typeof FAILURES;

export function isFailureCode(text: string): text is FailureCode {
  return Object.hasOwn(FAILURES, text);
}

/**
 * The result of a try that failed: what it used, what happened in it, and what it left in its worktree. The activity itself reports it,
 * never what it works with.
 */
export interface FailedWork extends Begins {
  usage?: Usage;
  toolCalls?: number;
  /** As in a `StepOutput`. @default 1 */
  requests?: number;
  /** For a member of a board: its conversation with what it has said in this try. */
  context?: ArtifactRef;
  journal?: HandedEvent[];
  worktree?: WorktreeSaved;
}

/**
 * A failure of a step or a run with its code. Adapters throw it; the bindings carry it through Temporal and back. A code that is not in the
 * table, as an application without types may write it, is `internal`, and the message names it: nobody who looks it up finds nothing.
 */
export class ThermidorFailure extends Error {
  override readonly name = 'ThermidorFailure';
  readonly code: FailureCode;
  constructor(
    code: FailureCode,
    message: string,
    readonly details?: Json,
    /** For `temporal` retries: how long to wait before the next. */
    readonly retryAfterMs?: number,
    readonly work?: FailedWork,
    /** The message says which step failed. */
    readonly located?: true,
  ) {
    super(isFailureCode(code) ? message : `${String(code)}: ${message}`);
    this.code = isFailureCode(code) ? code : 'internal';
  }
}

/** A state that cannot be: the mistake is Thermidor's own, and no input leads there. */
export function bug(message: string, details?: Json): ThermidorFailure {
  return new ThermidorFailure('internal', message, details);
}
