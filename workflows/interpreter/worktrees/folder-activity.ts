import type { ActivityName } from '../../../plan/run/contract';
import { ThermidorFailure } from '../../../plan/run/failure';
import { field } from '../../../plan/text/json';
import { type ActivityArgument, type ActivityOptions, type ActivityResult, NotStarted } from '../../run-context';
import type { Interpreter } from '../interpreter';
import type { Place } from '../scheduling/place';

/** A call of an activity for a step. */
export interface Call<N extends ActivityName> {
  name: N;
  input: ActivityArgument<N>;
  options: ActivityOptions;
}

/** The factor by which the wait for a living host that does not take up work grows each time. */
export const MORE_PATIENCE = 2;
export const MOST_PATIENCE = 16;

/** Whatever a worker says, the wait for a host has bounds. */
const LEAST_SILENCE_MS = 1000;
const MOST_SILENCE_MS = 3_600_000;

/**
 * An agent's work in a folder of its step's own, which only one host has: how it continues after this failure of the call. Undefined if the
 * failure is of another kind. A promise of its own around every call would change the order of what calls that succeed lead to.
 *
 * Invariants: 1. any worker may take the call; one that finds that the files are on another host that lives refuses it, and only then is
 * the
 * call given to that host; 2. if that host does not take it up, any worker may take it again, which finds out whether the host still lives.
 */
export function atItsFiles<N extends ActivityName>(
  { run }: Interpreter,
  place: Place,
  { name, input, options }: Call<N>,
  refusal: unknown,
): Promise<ActivityResult<N>> | undefined {
  const first = filesAt(refusal);
  return first && continued(first);

  async function continued(begin: FilesAt): Promise<ActivityResult<N>> {
    let at: FilesAt | undefined = begin;
    let patience = 1;
    const { queue: _any, ...rest } = options;
    for (;;) {
      run.drainIfDue();
      const bound: ActivityOptions = at ? { ...rest, host: at.host, scheduleToStartMs: at.silentMs * patience } : options;
      try {
        return await run.activity(place, name, input, bound);
      } catch (error) {
        const isAway: boolean = at !== undefined && error instanceof NotStarted;
        at = filesAt(error);
        if (isAway) patience = Math.min(patience * MORE_PATIENCE, MOST_PATIENCE);
        else if (!at) throw error;
      }
    }
  }
}

interface FilesAt {
  host: string;
  silentMs: number;
}

/** The living host that has the files, if that is why a worker has refused the call. */
function filesAt(error: unknown): FilesAt | undefined {
  if (!(error instanceof ThermidorFailure) || error.code !== 'folder.elsewhere') return undefined;
  const [host, silentMs] = [field(error.details, 'host'), field(error.details, 'silentMs')];
  if (typeof host !== 'string' || typeof silentMs !== 'number') return undefined;
  return { host, silentMs: Math.min(Math.max(silentMs, LEAST_SILENCE_MS), MOST_SILENCE_MS) };
}
