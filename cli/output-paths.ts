import type { GateView } from '../plan/people/gate';
import type { RunView } from '../plan/run/status';
import { locateOutput } from '../records/read-content';
import type { Records } from '../records/records';

/** Where a person finds the outputs that a gate shows. For a step in a loop, the path of the iteration's own output. */
export async function outputPathsOf(records: Pick<Records, 'artifacts' | 'outputs'>, view: RunView, gate: GateView): Promise<string[]> {
  const found = await Promise.all(
    gate.shown.map(({ step, artifact }) => {
      const named = view.steps.filter(({ id, address }) => id === step || address === step);
      const address = (named.find((one) => one.artifact?.sha256 === artifact.sha256) ?? named[0])?.address ?? step;
      return locateOutput(records, view.run, address, artifact);
    }),
  );
  return found.flatMap((path) => path ?? []);
}
