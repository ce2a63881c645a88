import { defined } from '../plan/defined';
import { shortBuild } from '../plan/run/deployment';
import { saysKeyMissing } from '../plan/run/open-messages';
import type { RunView } from '../plan/run/status';
import { ClientProblem } from './client-problem';
import { asClosed } from './closed-run';
import type { ThermidorClient } from './connect';
import { describeRun } from './find-run';
import { liveWorkers } from './fleet-versions';
import { attemptId, withLiveProgress } from './live-progress';
import { hasEnded } from './outcome';
import { type PendingActivity, readPendingActivities } from './pending-activities';
import { readOutcome } from './read-outcome';
import { readStatus } from './read-run';
import type { RunSummary } from './run-summary';
import { newerWorkerNeeded } from './task-failure';
import { isAlive, type Poller, readQueue, takersIn } from './task-queue';
import { idleAmong, unservedQueue } from './unserved-queues';
import type { WaitReason } from './wait-reason';
import { endedReason, isRunEnded, reasonsOf } from './wait-reasons';

/** A run's reasons, with those of its child pipelines. `view` is absent if no worker could be asked. */
export interface Why {
  run: string;
  state: RunView['state'];
  reasons: WaitReason[];
  view?: RunView;
}

/** Children of children: nesting of pipelines is bounded by this. */
const DEPTH = 5;
const CHILDREN_ASKED = 20;
/** A query waits for a worker; who asks why wants to know soon. */
const ASK_LIMIT_MS = 5_000;

/** Asks the run, the server, and the child pipelines that it waits for. A run without a worker is described from its memo. */
export async function whyRun(client: ThermidorClient, summary: RunSummary, depth = DEPTH): Promise<Why> {
  // Before the run itself is asked (read-live-run.ts).
  const { summary: fresh, underWay, pinnedTo } = await readPendingActivities(client, summary.run);
  const known = hasEnded(fresh.state) ? fresh : summary;
  const [found, missing] = await Promise.all([viewOrNothing(client, summary.run), missingWorkers(client, pinnedTo)]);
  const seen = found instanceof ClientProblem ? undefined : found;
  if (seen === undefined) {
    const ended = await withoutItsWord(client, known);
    if (ended) return ended;
    const newer = found instanceof ClientProblem ? found.message : await newerWorkerNeeded(client, summary.run);
    return withoutView(known, newer === undefined ? missing : [tooOldReason(newer)]);
  }
  // A run also answers while it tries to open.
  const newer = seen.plan === undefined && !isRunEnded(seen) ? await newerWorkerNeeded(client, summary.run) : undefined;
  if (newer !== undefined) return withoutView(known, [tooOldReason(newer)]);
  const view = await asClosed(client, withLiveProgress(seen, underWay), known);
  if (isRunEnded(view)) return { run: summary.run, state: view.state, reasons: reasonsOf(view, []), view };
  const unserved = missing.length === 0 ? await unservedReasons(client, view, underWay, pinnedTo) : [];
  const reasons = [...missing, ...unserved, ...reasonsOf(view, underWay)];
  if (depth > 0) reasons.push(...(await childReasons(client, view, depth)));
  return { run: summary.run, state: view.state, reasons: withoutFiller(reasons), view };
}

/** Queues on which steps wait, and which no worker polls. */
async function unservedReasons(
  client: ThermidorClient,
  view: RunView,
  underWay: readonly PendingActivity[],
  pinnedTo: string | undefined,
): Promise<WaitReason[]> {
  const waiting = underWay.filter(({ untaken, queue }) => untaken && queue !== undefined);
  const idle = await idleAmong(
    client,
    waiting.map(({ queue }) => queue ?? ''),
    pinnedTo,
  );
  return [...idle].map(([queue, why]) => {
    const { text, who, capability } = unservedQueue(client.taskQueue, queue, why);
    const first = waiting.find((work) => work.queue === queue);
    const step = view.steps.find((one) => attemptId(one) === first?.address);
    const at = step?.address.replace(/#1(?=~|$)/, '').replace(/~1$/, '');
    return { kind: 'no-worker', text, who, ...defined({ step: at, queue: capability }) };
  });
}

/** "Nothing is in progress" is reported only if there is no other reason. */
function withoutFiller(reasons: WaitReason[]): WaitReason[] {
  const telling = reasons.filter(({ kind }) => kind !== 'starting');
  return telling.some(({ kind }) => kind !== 'raised' && kind !== 'skipped') ? telling : reasons;
}

/** Workers poll, and each leaves the run to another, or cannot read it. */
function tooOldReason(text: string): WaitReason {
  const what = saysKeyMissing(text) ? 'put that key back into the settings, and restart them' : 'start one of that version';
  return { kind: 'no-worker', text, who: `the operator of the workers: ${what}` };
}

/** The problem, if a worker has reported that it cannot continue the run. */
async function viewOrNothing(client: ThermidorClient, run: string): Promise<RunView | ClientProblem | undefined> {
  try {
    return await readStatus(client, run, ASK_LIMIT_MS);
  } catch (error) {
    if (error instanceof ClientProblem && (error.code === 'worker.too-old' || saysKeyMissing(error.message))) return error;
    if (error instanceof ClientProblem && (error.code === 'worker.missing' || error.code === 'run.unreadable')) return undefined;
    throw error;
  }
}

/** The reason if nobody polls the task queue who would get the run's work: workers of its version, if the server tells them apart. */
async function missingWorkers(client: ThermidorClient, pinnedTo: string | undefined): Promise<WaitReason[]> {
  const states = await Promise.all((['workflow', 'activity'] as const).map((kind) => readQueue(client, kind, client.taskQueue)));
  const version = pinnedTo ?? states.find(({ current }) => current !== undefined)?.current;
  const live = version === undefined ? undefined : await liveWorkers(client);
  const isThere = (poller: Poller): boolean => isAlive(poller, live);
  if (states.every((state) => takersIn(state, pinnedTo).some(isThere))) return [];
  const operator = 'the operator of the workers';
  if (version === undefined) {
    const text = 'no worker polls the task queue, so the run does not advance';
    return [{ kind: 'no-worker', text, who: `${operator}: thermidor worker, or thermidor up` }];
  }
  const name = shortBuild(version);
  const polling = states.flatMap(({ pollers }) => pollers.filter(isThere).flatMap(({ build }) => build ?? []));
  const others = [...new Set(polling)].filter((one) => one !== version);
  const [other] = others.map(shortBuild);
  const instead =
    pinnedTo !== undefined ? `, or thermidor fleet move ${name}` : other === undefined ? '' : `, or thermidor fleet promote ${other}`;
  const have =
    other === undefined ? 'none polls the task queue' : `those that poll the task queue have ${others.map(shortBuild).join(', ')}`;
  return [{ kind: 'no-worker', text: `needs a worker of version ${name}; ${have}`, who: `${operator}: start one${instead}` }];
}

/** It has ended, and no worker can be asked: the server knows how. */
async function withoutItsWord(client: ThermidorClient, { run, state, endedAt }: RunSummary): Promise<Why | undefined> {
  if (!hasEnded(state)) return undefined;
  const outcome = (await readOutcome(client, run)) ?? { state };
  const ended = { ...outcome, ...defined({ endedAt }) };
  return { run, state: outcome.state, reasons: [endedReason(ended)] };
}

/** What lists know: open gates, and the last reported state. */
function withoutView({ run, state, gates, startedAt }: RunSummary, missing: WaitReason[]): Why {
  const asked = gates.map(
    (gate): WaitReason => ({
      kind: gate.kind === 'budget' ? 'budget' : 'gate',
      step: gate.step,
      text: gate.question,
      since: gate.openedAt,
      who: gate.approvers?.join(' or ') ?? 'anyone',
      gate,
      ...defined({ item: gate.item, note: gate.note, said: gate.said, until: gate.deadline }),
    }),
  );
  const silent: WaitReason[] =
    missing.length > 0
      ? missing
      : [{ kind: 'opening', text: 'the run does not answer: it is just starting, or its worker is busy', since: startedAt }];
  return { run, state, reasons: [...silent, ...asked] };
}

/** Gates and held steps of a child are its parent's too; the rest only the child knows. */
async function childReasons(client: ThermidorClient, view: RunView, depth: number): Promise<WaitReason[]> {
  const going = view.steps.filter((step) => step.child !== undefined && (step.state === 'running' || step.state === 'waiting'));
  const asked = await Promise.all(
    going.slice(0, CHILDREN_ASKED).map(async (step): Promise<WaitReason[]> => {
      const run = step.child ?? '';
      const at = step.address.replace(/#1(?=~|$)/, '').replace(/~1$/, '');
      const summary = await describeRun(client, run);
      if (summary === undefined) return [{ kind: 'child', step: at, text: `child pipeline ${run} no longer exists` }];
      const { reasons } = await whyRun(client, summary, depth - 1);
      const own = reasons.filter(({ kind }) => kind !== 'gate' && kind !== 'held' && kind !== 'budget' && kind !== 'no-worker');
      return own.map((reason) => ({ ...reason, step: reason.step === undefined ? at : `${at}/${reason.step}` }));
    }),
  );
  const left = going.length - CHILDREN_ASKED;
  return [...asked.flat(), ...(left > 0 ? [{ kind: 'child' as const, text: `${left} more child pipelines are running` }] : [])];
}
