import { SHUTDOWN_FORCE_MS, SHUTDOWN_GRACE_MS } from '../../worker/shutdown-times';
import { CommandFailure, EXIT } from '../exit';
import type { Configuration } from '../settings/configuration';
import type { Terminal } from '../terminal';

/** Below the ten seconds that the process may take after the grace time. */
const REST_MS = SHUTDOWN_FORCE_MS + 3_000;

/** Does a worker's work, and gives up on its end if that has not come within the grace time and eight seconds after Ctrl-C or SIGTERM. */
export async function endsInTime<T>(
  { interrupted }: Pick<Terminal, 'interrupted'>,
  { shutdownGraceMs }: Pick<Configuration, 'shutdownGraceMs'>,
  work: () => Promise<T>,
): Promise<T> {
  const limitMs = (shutdownGraceMs.value ?? SHUTDOWN_GRACE_MS) + REST_MS;
  let timer: NodeJS.Timeout | undefined;
  let begin = (): void => undefined;
  const late = new Promise<never>((_, reject) => {
    begin = () => {
      timer = setTimeout(() => reject(tooLate(limitMs)), limitMs);
    };
  });
  if (interrupted.aborted) begin();
  else interrupted.addEventListener('abort', begin, { once: true });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
    interrupted.removeEventListener('abort', begin);
  }
}

function tooLate(limitMs: number): CommandFailure {
  return new CommandFailure(EXIT.failed, 'worker.stuck', `the worker has not ended within ${limitMs / 1000} s, and is cut off`, {
    hint: 'another worker begins its work again once the heartbeats are missed',
  });
}
