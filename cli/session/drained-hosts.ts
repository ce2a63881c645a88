import { ClientProblem } from '../../client/client-problem';
import { drainedFleet, nobodyWorks } from '../../client/drained-fleet';
import { ThermidorFailure } from '../../plan/run/failure';
import { recordsOf } from '../settings/records';
import type { Session } from './session';

/** What a command fails with: that no worker answered, or that none may, because hosts are drained. */
export async function behindDrain(error: unknown, { client, configuration, embedded }: Session): Promise<unknown> {
  if (embedded !== undefined || !(error instanceof ClientProblem) || error.code !== 'worker.missing') return error;
  try {
    const fleet = await drainedFleet(client, recordsOf(configuration));
    if (fleet === undefined || fleet.othersWork) return error;
    const hint = `\`thermidor fleet undrain ${fleet.hosts[0]}\` has a host take work again`;
    return new ClientProblem('worker.missing', nobodyWorks(fleet).text, { hint, cause: error });
  } catch (problem) {
    // What is unknown explains nothing.
    if (problem instanceof ThermidorFailure && problem.code === 'store.unavailable') return error;
    throw problem;
  }
}
