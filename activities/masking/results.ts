import type { ReadAskedTask, TaskAnswer, TaskEnd } from '../../plan/board/asked-task';
import type { KeptText } from '../../plan/board/board-activities';
import type { Exchange, SentMessage } from '../../plan/board/exchange';
import { type NewTask, WHOLE_RESULT } from '../../plan/board/task';
import type { QueueActivities } from '../../plan/queue/queue-activities';
import type { TicketOutcome } from '../../plan/queue/ticket';
import type { Activities } from '../../plan/run/contract';
import type { WorktreeSaved } from '../../plan/run/worktree';
import type { ChainFailure } from '../../plan/steps/container-activities';
import type { RenderedApproval, StepOutput } from '../../plan/steps/step-activity';
import type { EmitItemOutput } from '../../plan/steps/stream';
import { asIs, each, eachWithin, fields, type Masking, text, values, within } from './masking';

/**
 * How an activity's result is masked before it enters the history of a run. From there it reaches the journal, the memo, queries, channels
 * and the run's own result.
 *
 * Invariants: 1. each field of each result is named here; 2. values that are compared or looked up are never changed: ids, digests,
 * references, words of closed vocabularies, paths, names of people.
 */
type Results<A> = { readonly [N in keyof A]: Masking<A[N] extends (input: never) => Promise<infer O> ? O : never> };

const approval = fields<RenderedApproval>({
  form: asIs,
  question: text,
  initiatedBy: asIs,
  requiredApprover: asIs,
  requireDifferentApprover: asIs,
});

const worktree = fields<WorktreeSaved>({ slot: asIs, epoch: asIs, commit: asIs, unattended: text });

/** An agent's text is masked where its reply is read. */
const stepOutput = fields<StepOutput>({
  artifact: asIs,
  values: values(text),
  verdict: asIs,
  findings: asIs,
  usage: asIs,
  adapter: asIs,
  repairs: asIs,
  approval,
  context: asIs,
  workEnd: asIs,
  short: asIs,
  // Masked where it is made.
  report: asIs,
  exchanged: asIs,
  paused: asIs,
  escalated: asIs,
  journal: asIs,
  toolCalls: asIs,
  requests: asIs,
  emitted: asIs,
  worktree,
  begun: asIs,
});

const failure = fields<ChainFailure>({ code: asIs, message: text, details: text });

const newTask = fields<NewTask>({
  name: asIs,
  subject: text,
  description: asIs,
  blockedBy: asIs,
  requiredRole: asIs,
  priority: asIs,
  worktree: asIs,
});

const taskAnswer = fields<TaskAnswer>({
  id: asIs,
  isAlone: asIs,
  end: fields<TaskEnd>({ kind: asIs, id: asIs, output: fields({ [WHOLE_RESULT]: asIs }), reason: text, message: text }),
});

const outcome = fields<TicketOutcome>({
  kind: asIs,
  result: asIs,
  already: asIs,
  green: asIs,
  order: asIs,
  onto: asIs,
  paths: asIs,
  morePaths: asIs,
  of: asIs,
  reason: text,
  isTargets: asIs,
  tail: text,
  output: asIs,
  message: text,
  code: asIs,
  by: asIs,
  remarks: each(text),
});

/**
 * A line of another run: how it ended and what it asks. That run knows its own secrets, and not those of the run that reads it. A decision
 * that is passed on is what a person has sent.
 */
const said = within({
  reason: text,
  message: text,
  output: within({ value: text }),
  held: eachWithin(within({ reason: text, item: text })),
  gates: eachWithin(within({ question: text, note: text, item: text, said: eachWithin(within({ said: text })) })),
});

const emittedItem = fields<EmitItemOutput>({ problem: text, again: asIs });

export const RESULTS: Results<Activities> = {
  openRun: asIs,
  loadPlan: asIs,
  agent: stepOutput,
  command: stepOutput,
  commands: fields({
    done: each(fields({ output: stepOutput, message: text, failure, startedAtMs: asIs, endedAtMs: asIs, begun: asIs })),
    failure,
    failed: asIs,
    alone: asIs,
    cancelled: asIs,
  }),
  stages: fields({ kind: asIs, output: stepOutput, stage: asIs, items: asIs, gate: asIs, question: approval, begun: asIs }),
  items: fields({ list: asIs, count: asIs, names: fields({ first: each(text), list: asIs }) }),
  itemValues: each(values(text)),
  // Items are masked when they are emitted, so that a key is the same everywhere.
  emitted: fields({
    items: each(fields({ item: asIs, key: asIs, depends: asIs, files: asIs, values: values(text), name: text })),
    again: asIs,
    lines: asIs,
    taken: asIs,
    more: asIs,
    list: asIs,
  }),
  emitItems: each(emittedItem),
  compose: stepOutput,
  // A rule reads its documents masked.
  applyRule: asIs,
  openBoard: fields({
    tasks: each(newTask),
    members: asIs,
  }),
  boardWork: asIs,
  keepTexts: each(fields<KeptText>({ text: asIs, problem: text })),
  mineJournal: asIs,
  keepLessons: fields({
    artifact: asIs,
    kept: each(
      fields({ file: asIs, as: asIs, added: asIs, confirmed: asIs, problems: text, error: fields({ code: asIs, message: text }) }),
    ),
  }),
  childInput: asIs,
  checkResponses: text,
  checkProofs: text,
  gate: fields({
    question: text,
    shownSha256: asIs,
    document: asIs,
    form: asIs,
    subject: text,
    contentSha256: asIs,
    holds: asIs,
    approval,
  }),
  notify: fields({ message: text, deliveredTo: asIs, begun: asIs }),
  journal: asIs,
  saveState: asIs,
  // A run's state consists of values that have passed this table.
  loadState: asIs,
  say: asIs,
  hear: fields({ says: each(said), next: asIs, more: asIs }),
  recorded: fields({ done: values(stepOutput), begun: asIs, looked: asIs }),
  spawned: fields({
    children: each(fields({ id: asIs, agent: asIs, from: asIs, task: text, schema: asIs, previous: asIs, lacks: text })),
    more: asIs,
  }),
  announce: asIs,
  exchanged: fields({
    exchanges: each(
      fields<Exchange>({
        sent: fields<SentMessage>({
          id: asIs,
          type: asIs,
          from: asIs,
          to: asIs,
          content: text,
          whole: asIs,
          characters: asIs,
          at: asIs,
          requestId: asIs,
          approved: asIs,
        }),
        read: asIs,
        // Masked where it is recorded.
        asked: asIs,
      }),
    ),
    more: asIs,
  }),
  post: asIs,
  claimWorktree: asIs,
  restoreWorktree: fields({ worktree }),
  closeWorktree: text,
  submitCandidate: fields({ queue: asIs, ticket: asIs, outcome }),
  candidateOutcome: fields({ outcome }),
  withdrawCandidate: asIs,
  askTask: taskAnswer,
  taskAnswer,
  withdrawTask: asIs,
  readAskedTasks: each(fields<ReadAskedTask>({ kind: asIs, task: newTask })),
  settleAskedTasks: asIs,
};

export const QUEUE_RESULTS: Results<QueueActivities> = {
  admitCandidate: fields({ kind: asIs, target: asIs, candidate: asIs, outcome, message: text }),
  queueSettings: asIs,
  mergeCandidates: asIs,
  testMerged: fields({ kind: asIs, of: asIs, reason: text, isTargets: asIs, tail: text, output: asIs }),
  advanceTarget: fields({ kind: asIs, message: text }),
  concludeTickets: asIs,
};
