import { ThermidorFailure } from '../../plan/run/failure';

/**
 * Reads what may be left out while the store is away: that is when people ask why a run waits, and who works. `problems` has a sentence for
 * each reason.
 */
export function patientReader() {
  const problems = new Set<string>();
  const stored = async <T>(read: () => Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof ThermidorFailure) || error.code !== 'store.unavailable') throw error;
      problems.add(error.message);
      return otherwise;
    }
  };
  return { stored, problems };
}
