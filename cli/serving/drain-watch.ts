import type { Log } from '../../activities/log';
import type { DrainedHosts } from '../../records/drained-hosts';

/** Follows in the store whether a host is drained. */
export interface DrainWatch {
  /** Settles once the host is drained, or is not. */
  until(isDrained: boolean): Promise<void>;
  close(): void;
}

const EVERY_MS = 2_000;

/** Asks at once, then at intervals. While the store does not answer, what it said last holds; at first that is nothing. */
export function watchDrain(drained: Pick<DrainedHosts, 'list'>, host: string, log: Log, everyMs = EVERY_MS): DrainWatch {
  const waiting = new Set<{ isDrained: boolean; settle: () => void }>();
  let now: boolean | undefined;
  let silent = false;
  const told = (isDrained: boolean): void => {
    now = isDrained;
    for (const one of waiting) if (one.isDrained === isDrained && waiting.delete(one)) one.settle();
  };
  const look = async (): Promise<void> => {
    try {
      const hosts = await drained.list();
      silent = false;
      told(hosts.some((one) => one.host === host));
    } catch (error) {
      if (!silent) log('warn', 'the store does not say whether this host is drained', { host, problem: String(error) });
      silent = true;
    }
  };
  let looking = look();
  let busy = false;
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    looking = looking.then(look).finally(() => {
      busy = false;
    });
  }, everyMs).unref();
  return {
    until: (isDrained) => (now === isDrained ? Promise.resolve() : new Promise((settle) => waiting.add({ isDrained, settle }))),
    close: () => clearInterval(timer),
  };
}
