import { ThermidorFailure } from '../plan/failure';
import type { AgentAdapter } from './agent-port';
import type { LoadedRun } from './run-record';
import { SCRIPTED, type Toolbox } from './toolbox';

/** The adapter of an agent: the script's where the run has one, else its own, else the worker's default. Fails with `adapter.unavailable`. */
export function adapterFor(toolbox: Toolbox, run: Pick<LoadedRun, 'plan' | 'script'>, agent: string): AgentAdapter {
  const name = run.script ? SCRIPTED : (run.plan.agents?.[agent]?.adapter ?? toolbox.defaultAdapter);
  const adapter = toolbox.adapters.get(name);
  if (adapter) return adapter;
  const known = [...toolbox.adapters.keys()].sort();
  throw new ThermidorFailure(
    'adapter.unavailable',
    `agent "${agent}" wants adapter "${name}", which this worker does not have; it has: ${known.join(', ')}. A script can stand in`,
    { agent, adapter: name, known },
  );
}
