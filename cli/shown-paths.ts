import type { GateView } from '../plan/gate';
import type { RunView } from '../plan/status';
import type { ArtifactStore } from '../records/artifact-store';
import { pathOf } from '../records/open-records';

/** Where a person finds the outputs that a gate lays before them. Of a step in a loop, the one whose output it is. */
export function shownPathsOf(view: RunView, gate: GateView, store: ArtifactStore, stateDir: string): string[] {
  return gate.shown.flatMap(({ step, artifact }) => {
    const named = view.steps.filter(({ id, address }) => id === step || address === step);
    const address = (named.find((one) => one.artifact?.sha256 === artifact.sha256) ?? named[0])?.address ?? step;
    return pathOf(store, stateDir, view.run, address, artifact) ?? [];
  });
}
