/**
 * What can go wrong between a client and a server that is nobody's bug. `details` is plain data for `--json`.
 */
const PROBLEMS = {
  'server.unreachable': 'no Temporal server answers at the address, or it stopped answering',
  'server.refused': 'the server refused the credentials, the namespace or a request',
  'server.failed': 'the server could not answer a request',
  'worker.too-old': 'a later version began the run or queue, and no worker of that version answers',
  'worker.missing': 'no worker answers for the run',
  'run.not-found': 'no run of that name',
  'run.ambiguous': 'several runs match',
  'list.cursor': 'the cursor of a list is invalid',
  'run.exists': 'a run of that id already exists',
  'run.ended': 'the run has ended: nothing can be decided or changed any more',
  'run.imported': 'the run was imported from another installation: it can only be looked at',
  'run.unreadable': 'the run does not answer as a run of Thermidor does',
  'signal.refused': 'the run refused a decision or an operator’s command',
  'queue.not-found': 'no merge queue of that repository and branch',
  'queue.refused': 'the merge queue refused an order',
  'schedule.not-found': 'no schedule of that name',
  'callbacks.unavailable': 'the listener for answers from chats and links cannot start',
  'fleet.no-version': 'no worker has had this version',
  'fleet.no-worker': 'no worker has this version now',
  'fleet.unversioned': 'the server knows no versions of workers',
  'fleet.changed': 'the server did not change which version is current',
  'schedule.refused': 'the server refused a schedule',
  'schedule.backfill': 'what a backfill would start is not what was meant, or too much',
  'schedule.not-ours': 'the schedule belongs to another installation',
} as const satisfies Record<string, string>;

export type ProblemCode = keyof typeof PROBLEMS;

export class ClientProblem extends Error {
  override readonly name = 'ClientProblem';
  constructor(
    readonly code: ProblemCode,
    message: string,
    readonly more: { hint?: string; details?: Readonly<Record<string, unknown>>; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause });
  }
}
