import { defined, ifDefined } from '../../../plan/defined';
import { ThermidorFailure } from '../../../plan/run/failure';
import type { UndeliveredView } from '../../../plan/run/status';
import type { Interpreter } from '../interpreter';
import type { Run } from '../run';
import { runEnd } from '../run-end';
import type { OutboxItem } from '../state/state';
import { ERRORS_CHANNEL, NOTIFY_RETRY_MS, SHORT_ACTIVITY_MS } from '../steps/activity-timeouts';
import { BEGUN_AGAIN } from '../steps/work-times';
import { sendNotification } from './envelopes';
import { messageAuthor, visibleAuthor } from './owner-superior';

/** A message to a channel that nothing waits for. */
export interface OutboxNotice extends Pick<OutboxItem, 'channel' | 'message' | 'from' | 'kind' | 'gate'> {
  path?: string;
}

/** Messages given up that people can see: the last so many. */
const UNDELIVERED_KEPT = 20;

/**
 * Messages to channels that nothing waits for: a channel that is down delays nothing but itself. Each is in the outbox
 * until it is delivered or given up, so continue-as-new takes it along; its address keeps it from being sent twice.
 */
export function notifyChannel({ run }: Pick<Interpreter, 'run'>, notice: OutboxNotice): void {
  const { path, channel, message, from, kind, gate } = notice;
  const stem = path === undefined ? 'run' : run.address(path);
  const same = (n: number) => run.state.outbox.some((item) => item.address === `${stem}/notify-${n}`);
  let n = nextNotice(run);
  while (same(n)) n += 1;
  const end = runEnd(run.state.closing);
  const item: OutboxItem = {
    address: `${stem}/notify-${n}`,
    channel,
    message,
    sinceMs: run.ctx.now(),
    ...defined({ step: ifDefined(path, run.name), from, kind, gate, end }),
  };
  run.state.outbox.push(item);
  run.background(() => deliver(run, item));
}

/** Unique in the run, also among those that have been delivered. */
function nextNotice(run: Run): number {
  const { state } = run;
  state.notices = (state.notices ?? 0) + 1;
  return state.notices;
}

/** Takes up messages that an earlier execution had not delivered. */
export function resumeOutbox(it: Interpreter, undelivered: readonly OutboxItem[]): void {
  for (const item of undelivered) it.run.background(() => deliver(it.run, item));
}

async function deliver(run: Run, item: OutboxItem): Promise<void> {
  try {
    await sendNotice(run, item, leftFor(run, item));
  } finally {
    run.state.outbox = run.state.outbox.filter((other) => other !== item);
  }
}

/** Its time began when it was written, whichever execution delivers it; an overdue one is still tried once more. */
function leftFor({ ctx }: Run, { sinceMs = ctx.now() }: OutboxItem): number {
  return Math.max(SHORT_ACTIVITY_MS, sinceMs + NOTIFY_RETRY_MS - ctx.now());
}

/** Sends one message and journals the outcome. */
export async function sendNotice(run: Run, item: OutboxItem, forMs: number): Promise<void> {
  const { address, channel, message, from, gate, end, kind = channel === ERRORS_CHANNEL ? 'error' : 'message' } = item;
  const about = item.step === undefined ? {} : { step: item.step };
  const speaker = from === undefined ? visibleAuthor(run) : { from, unmentioned: true as const };
  try {
    const { begun } = await run.ctx.activity(
      'notify',
      { run: run.ctx.info.firstRunId, channel, message, kind, ...speaker, ...defined({ gate, end }) },
      { address, kept: true, startToCloseMs: SHORT_ACTIVITY_MS, scheduleToCloseMs: forMs, summary: `notify ${channel}` },
    );
    const [task] = address.split('/notify-');
    const where = item.step === undefined || task === undefined ? about : { ...about, address: task };
    sendNotification(run, where, { from: from ?? messageAuthor(run), channel, message });
    run.journal.add({ kind: 'notification', ...about, channel, delivered: true, message, ...defined({ reason: begun && BEGUN_AGAIN }) });
    forget(run, channel);
  } catch (error) {
    if (!(error instanceof ThermidorFailure)) throw error;
    const { code, message: problem, work } = error;
    const again = work?.begun ? { reason: BEGUN_AGAIN } : {};
    run.journal.add({ kind: 'notification', ...about, channel, delivered: false, message, ...again, error: { code, message: problem } });
    const since = new Date(item.sinceMs ?? run.ctx.now()).toISOString();
    const given: UndeliveredView = { channel, message, since, error: { code, message: problem } };
    run.state.undelivered = [...(run.state.undelivered ?? []), given].slice(-UNDELIVERED_KEPT);
  }
}

/** A channel that takes messages again is no matter any more. */
function forget(run: Run, channel: string): void {
  const left = run.state.undelivered?.filter((notice) => notice.channel !== channel);
  if (left && left.length > 0) run.state.undelivered = left;
  else delete run.state.undelivered;
}

/** Messages on their way, and those that were given up. */
export function undeliveredOf(run: Run): UndeliveredView[] {
  const onTheirWay = run.state.outbox.map(({ channel, message, sinceMs }): UndeliveredView => {
    return { channel, message, since: new Date(sinceMs ?? run.startedAtMs).toISOString() };
  });
  return [...(run.state.undelivered ?? []), ...onTheirWay];
}
