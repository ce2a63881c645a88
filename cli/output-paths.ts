import type { GateView } from '../plan/people/gate';
import type { RunView } from '../plan/run/status';
import { shellWord } from '../plan/text/shell-word';
import { locateOutput } from '../records/read-content';
import type { Records } from '../records/records';

/**
 * Where a person finds the outputs that a gate shows: a path, or the command that prints one if the store has no place that can be opened.
 * For a step in a loop, it is the iteration's own output.
 */
export async function outputPathsOf(records: Pick<Records, 'artifacts' | 'outputs'>, view: RunView, gate: GateView): Promise<string[]> {
  return await Promise.all(
    gate.shown.map(async ({ step, artifact }) => {
      const named = view.steps.filter(({ id, address }) => id === step || address === step);
      const address = (named.find((one) => one.artifact?.sha256 === artifact.sha256) ?? named[0])?.address ?? step;
      const path = await locateOutput(records, view.run, address, artifact);
      return path ?? `thermidor show ${shellWord(view.run)} ${shellWord(address)}`;
    }),
  );
}
