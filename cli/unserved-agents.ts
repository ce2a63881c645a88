import { adapterNames } from '../worker/adapters';
import { agentsOf } from './child-plans';
import type { Configuration } from './configuration';
import { CommandFailure, EXIT } from './exit';
import type { Compiled } from './pipelines';

/** On the embedded server this program is the only worker: an agent whose adapter it lacks is told before anything runs. */
export function unservedAgents({ plan, blobs }: Compiled, configuration: Configuration): CommandFailure | undefined {
  const fallback = configuration.defaultAdapter.value;
  const wanted = agentsOf(plan, (digest) => blobs.get(digest)?.content).map((asked) => ({ ...asked, adapter: asked.adapter ?? fallback }));
  const served = adapterNames();
  const unserved = new Map(wanted.filter(({ adapter }) => !served.includes(adapter)).map(({ agent, adapter }) => [agent, adapter]));
  if (unserved.size === 0) return undefined;
  const list = [...unserved].map(([agent, adapter]) => `${agent} (${adapter})`).join(', ');
  return new CommandFailure(
    EXIT.unreachable,
    'adapter.unavailable',
    `this version has no adapter for ${list}: it cannot ask real models yet`,
    {
      hint: 'let a script beside the pipeline stand in for the agents: --script NAME',
    },
  );
}
