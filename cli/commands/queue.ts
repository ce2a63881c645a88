import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { createGit } from '../../activities/adapters/git/git';
import type { Git } from '../../activities/git-port';
import { takeTicket } from '../../activities/queue/take-ticket';
import { queuesOn } from '../../activities/queue/temporal-queues';
import { messageLine } from '../../activities/worktrees/signed-commit';
import { ClientProblem } from '../../client/client-problem';
import type { ThermidorClient } from '../../client/connect';
import { listQueues, orderQueue, type QueueOrderPayload, readQueue, updating } from '../../client/queues';
import { defined } from '../../plan/defined';
import type { QueueView } from '../../plan/queue/queue-view';
import { DEFAULT_PRIORITY, type QueueOrder, type QueueTarget, type Submission } from '../../plan/queue/ticket';
import { branchProblem } from '../../plan/text/ref-name';
import { queueId } from '../../records/queues/queue-id';
import { isUrl } from '../../worker/worktrees/is-url';
import type { Invocation } from '../command';
import { CommandFailure, EXIT, usage } from '../exit';
import { renderQueue } from '../rendering/queue';
import { renderEmpty } from '../rendering/text/empty';
import { ifNothingHasRun } from '../session/nothing-has-run';
import { orderedBy } from '../session/send-order';
import { withSession } from '../session/with-session';
import { gitAccess } from '../settings/configuration';
import { givenFlags } from '../settings/given-flags';
import { recordsOf } from '../settings/records';
import { configurationOf } from '../settings/settings';

/** All merge queues, or one. */
export async function show(invocation: Invocation): Promise<number> {
  const { args, options, terminal } = invocation;
  const named = args.length === 0 ? undefined : queueId(await targetOf(invocation));
  const listed = withSession(invocation, 'answers', async ({ client }) => {
    const found: (ShownQueue | undefined)[] = [];
    if (named !== undefined) found.push(await shownQueue(client, named));
    else
      for (const queue of await listQueues(client)) found.push(await shownQueue(client, queue).catch((error) => leftAlone(queue, error)));
    return found.filter((one) => one !== undefined);
  });
  const views = await ifNothingHasRun(listed, (why) => {
    terminal.err(why);
    return [];
  });
  if (options.flag('json'))
    terminal.out(
      `${JSON.stringify({ queues: views.map(({ queue, view, error }) => ({ queue, ...view, ...defined({ error }) })) }, null, 2)}\n`,
    );
  else if (views.length > 0)
    terminal.out(views.map(({ queue, view, error }) => (view ? renderQueue(queue, view, terminal) : `${error.message}\n`)).join('\n'));
  else
    terminal.err(
      renderEmpty(
        named === undefined ? 'no merge queues' : `no merge queue ${named}`,
        'a candidate is submitted by',
        'queue submit REPO BRANCH COMMIT',
        givenFlags(configurationOf(invocation)),
      ),
    );
  return EXIT.done;
}

type ShownQueue = { queue: string } & ({ view: QueueView; error?: never } | { view?: never; error: { code: string; message: string } });

async function shownQueue(client: ThermidorClient, queue: string): Promise<ShownQueue | undefined> {
  const view = await readQueue(client, queue);
  return view && { queue, view };
}

/** A queue that its workers leave to newer ones does not hide the others. */
function leftAlone(queue: string, error: unknown): ShownQueue {
  if (!(error instanceof ClientProblem) || error.code !== 'worker.too-old') throw error;
  const { code, message } = error;
  return { queue, error: { code, message } };
}

export const pause = (invocation: Invocation): Promise<number> =>
  order(invocation, 'pause', defined({ reason: invocation.options.text('reason') }));
export const resume = (invocation: Invocation): Promise<number> => order(invocation, 'resume', {});

export function drop(invocation: Invocation): Promise<number> {
  const ticket = Number(invocation.args[2]);
  if (!Number.isSafeInteger(ticket) || ticket < 1) throw usage('a ticket is a whole number, as `thermidor queue` shows it');
  return order(invocation, 'drop', { ticket });
}

async function order(invocation: Invocation, name: QueueOrder, payload: QueueOrderPayload): Promise<number> {
  const { by } = orderedBy(invocation, configurationOf(invocation).user.value);
  const queue = queueId(await targetOf(invocation));
  await withSession(invocation, 'answers', ({ client }) => orderQueue(client, queue, name, { ...payload, ...defined({ by }) }));
  if (invocation.options.flag('json')) invocation.terminal.out(`${JSON.stringify({ queue, order: name, ...payload })}\n`);
  else invocation.terminal.out(`${SAID[name]} ${queue}\n`);
  return EXIT.done;
}

const SAID: Record<QueueOrder, string> = { pause: 'paused', resume: 'resumed', drop: 'dropped the ticket from' };

/** A person's own candidate. It is worked on while a worker runs. */
export async function submit(invocation: Invocation): Promise<number> {
  const { args, options, terminal } = invocation;
  const configuration = configurationOf(invocation);
  const target = await targetOf(invocation);
  const priority = options.number('priority', 1) ?? DEFAULT_PRIORITY;
  if (!isPriority(priority)) throw usage('--priority is a whole number from 1 to 5');
  const { by = 'unknown' } = orderedBy(invocation, configuration.user.value);
  const revision = args[2] ?? '';
  const candidate = await candidateOf(invocation, revision);
  const title = options.text('title') ?? revision;
  const submission: Submission = { target, candidate, title, author: by, priority, ...defined({ test: options.text('test') }) };
  const asked = { workflowId: `person:${messageLine(by)}`, run: 'submissions', name: randomUUID() };
  const { ledger } = recordsOf(configuration);
  const queue = queueId(target);
  const ticket = await withSession(invocation, { need: 'answers', begins: true }, ({ client }) => {
    const queueAsker = queuesOn(client.temporal.workflow, client.taskQueue, updating(client, queue));
    return takeTicket({ ledger, queueAsker }, asked, submission);
  });
  if (options.flag('json')) terminal.out(`${JSON.stringify({ queue, ticket: ticket.number, candidate })}\n`);
  else terminal.out(`ticket ${ticket.number} of ${queue}\n`);
  return EXIT.done;
}

function isPriority(value: number): value is Submission['priority'] {
  return [1, 2, 3, 4, 5].includes(value);
}

function gitOf(invocation: Invocation): Git {
  return createGit({ environment: process.env, ...gitAccess(configurationOf(invocation)) });
}

/** The queue's target: a folder, whose remote it is with `--remote`, or a URL. */
async function targetOf(invocation: Invocation): Promise<QueueTarget> {
  const { args, options, terminal } = invocation;
  const [repo = '', branch] = args;
  if (branch === undefined) throw usage('a merge queue is named by its repository and branch: thermidor queue . main');
  const problem = branchProblem(branch);
  if (problem) throw usage(problem.message, problem.hint);
  const git = gitOf(invocation);
  const remote = options.text('remote');
  if (isUrl(repo)) return { repository: git.remotes.identity(repo), refsIn: 'remote', branch };
  const folder = resolve(repo);
  const repository = await git.repositories.open(folder, terminal.interrupted);
  if (remote === undefined) return { repository: repository.identity, refsIn: 'repository', branch };
  const url = await git.remotes.url(repository, remote, terminal.interrupted);
  if (url === undefined)
    throw new CommandFailure(EXIT.usage, 'queue.no-remote', `${repository.identity} has no remote "${remote}"; look at \`git remote -v\``);
  return { repository: git.remotes.identity(url), refsIn: 'remote', remote: { name: remote, checkout: folder }, branch };
}

/** The candidate: the revision as this repository has it; for a URL, the commit itself. */
async function candidateOf(invocation: Invocation, revision: string): Promise<string> {
  const { args, terminal } = invocation;
  const [repo = ''] = args;
  if (isUrl(repo)) {
    if (/^[0-9a-f]{40}([0-9a-f]{24})?$/.test(revision)) return revision;
    throw usage('a candidate for a URL is a whole commit id');
  }
  const git = gitOf(invocation);
  const repository = await git.repositories.open(resolve(repo), terminal.interrupted);
  return await git.repositories.resolve(repository, revision, terminal.interrupted);
}
