import { ThermidorFailure } from '../../plan/failure';
import type { Interpreter } from './interpreter';
import { NOTIFY_FOR_MS, QUICK_MS } from './policies';
import type { Run } from './run';
import type { OutboxItem } from './state';

/**
 * Messages to channels that nothing waits for: a channel that is down delays nothing but itself. Each stands in the outbox
 * until it is delivered or given up, so continue-as-new takes it along; its address keeps it from being sent twice.
 */
export function notifyChannel(it: Interpreter, notice: { path?: string; channel: string; message: string }): void {
  const { run } = it;
  const stem = notice.path === undefined ? 'run' : run.address(notice.path);
  const same = (n: number) => run.state.outbox.some((item) => item.address === `${stem}/notify-${n}`);
  // The journal's number is unique in the run, also for what has been delivered since.
  let n = run.state.journal.nextSeq;
  while (same(n)) n += 1;
  const item: OutboxItem = {
    address: `${stem}/notify-${n}`,
    channel: notice.channel,
    message: notice.message,
    ...(notice.path === undefined ? {} : { step: run.name(notice.path) }),
  };
  run.state.outbox.push(item);
  run.background(() => deliver(run, item));
}

/** Takes up what an earlier execution had not delivered. */
export function resumeOutbox(it: Interpreter): void {
  for (const item of it.run.state.outbox) it.run.background(() => deliver(it.run, item));
}

async function deliver(run: Run, item: OutboxItem): Promise<void> {
  try {
    await sendNotice(run, item, NOTIFY_FOR_MS);
  } finally {
    run.state.outbox = run.state.outbox.filter((other) => other !== item);
  }
}

/** Sends one message and writes into the journal what became of it. */
export async function sendNotice(run: Run, item: OutboxItem, forMs: number): Promise<void> {
  const { address, channel, message } = item;
  const about = item.step === undefined ? {} : { step: item.step };
  try {
    await run.ctx.activity(
      'notify',
      { run: run.ctx.info.firstRunId, channel, message },
      { address, kept: true, startToCloseMs: QUICK_MS, scheduleToCloseMs: forMs, summary: `notify ${channel}` },
    );
    run.journal.add({ kind: 'notification', ...about, channel, delivered: true, message });
  } catch (error) {
    if (!(error instanceof ThermidorFailure)) throw error;
    run.journal.add({
      kind: 'notification',
      ...about,
      channel,
      delivered: false,
      message,
      error: { code: error.code, message: error.message },
    });
  }
}
