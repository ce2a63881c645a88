import type { Seals } from '../../activities/ports';
import type { Proof } from '../../plan/people/proof';

/**
 * The mark of a proof. On the bench a name is proven if the test says `proven: true`. Nothing is sealed: the pipeline is tested, not the
 * tokens of people.
 */
const MARK = 'proven in the test, ';

/** Makes a different proof each time, as seals are: a run takes each once. */
export function proofs(): (atMs: number) => Proof {
  let made = 0;
  return (atMs) => ({ channel: 'console', at: new Date(atMs).toISOString(), mac: `${MARK}${++made}` });
}

export const BENCH_SEALS: Seals = {
  check: async (_, { mac }) => (mac.startsWith(MARK) ? undefined : 'a test seals nothing: write `proven: true`'),
};
