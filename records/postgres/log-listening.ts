import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunKey } from '../ledger';
import type { LogWatch } from '../step-logs';
import type { Database } from './database';
import { keyDigest } from './key-digest';

/** One for all stores of a database: a watch knows its run by a digest. */
export const LOG_CHANNEL = 'thermidor_step_log';

/** How long a follower that hears relies on that. */
const HEARD_MS = 2000;
/** The pause before a lost connection is replaced. */
const AGAIN_MS = 1000;

/** What is notified with lines of a run's logs. */
export function logTopic({ workflowId, run }: RunKey): string {
  return keyDigest(workflowId, run).toString('hex');
}

interface Follower {
  topic: string;
  wake(): void;
}

interface Session {
  stop: AbortController;
  over: Promise<void>;
  isHeard: boolean;
}

/**
 * What a process hears of lines that other processes add: over one connection, from its first follower to its last.
 *
 * A notification may be lost, and behind a pooler that lends connections for a transaction none ever comes. So the connection counts only
 * while the process hears itself on it; as long as it does not, every look is due, and now and then one is due in any case.
 */
export class LogListening {
  private readonly followers = new Set<Follower>();
  private session: Session | undefined;

  constructor(private readonly database: Pick<Database, 'listen' | 'query'>) {}

  watch(run: RunKey): LogWatch {
    let [isNews, lookedMs] = [true, 0];
    let waking = new AbortController();
    const follower: Follower = {
      topic: logTopic(run),
      wake() {
        isNews = true;
        waking.abort();
      },
    };
    this.followers.add(follower);
    this.session ??= this.begin();
    return {
      takeNews: () => {
        const isDue = isNews || !this.session?.isHeard || performance.now() - lookedMs >= HEARD_MS;
        if (isDue) [isNews, lookedMs, waking] = [false, performance.now(), new AbortController()];
        return isDue;
      },
      async wait(ms, signal) {
        await sleep(ms, undefined, { signal: AbortSignal.any([signal, waking.signal]) }).catch(() => undefined);
      },
      close: async () => {
        this.followers.delete(follower);
        if (this.followers.size > 0 || !this.session) return;
        const { stop, over } = this.session;
        this.session = undefined;
        stop.abort();
        await over;
      },
    };
  }

  private begin(): Session {
    const session: Session = { stop: new AbortController(), over: Promise.resolve(), isHeard: false };
    session.over = this.listen(session);
    return session;
  }

  private async listen(session: Session): Promise<void> {
    const { signal } = session.stop;
    while (!signal.aborted) {
      // Looks carry on without it.
      await this.listenOnce(session).catch(() => undefined);
      session.isHeard = false;
      for (const { wake } of this.followers) wake();
      await sleep(AGAIN_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Until the connection is lost, or the session ends. */
  private async listenOnce(session: Session): Promise<void> {
    const [lost, own] = [new AbortController(), randomUUID()];
    const heard = (text: string): void => {
      if (text === own) session.isHeard = true;
      for (const { topic, wake } of this.followers) if (topic === text) wake();
    };
    const end = await this.database.listen(LOG_CHANNEL, heard, () => lost.abort());
    try {
      await this.database.query(NOTIFY, [LOG_CHANNEL, own]);
      await aborted(AbortSignal.any([lost.signal, session.stop.signal]));
    } finally {
      end();
    }
  }
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

const NOTIFY = 'select pg_notify($1, $2)';
