import { didYouMean } from '../compiler/diagnostics/suggest';
import type { AdapterSpec } from '../plan/adapter';
import { adapterNames, adapterSpecs } from '../worker/adapter-specs';
import { endpointLacks, type Lacking, programLacks } from './agent-access';
import { type AskedAgent, agentsOf } from './child-plans';
import type { Configuration } from './configuration';
import { CommandFailure, EXIT } from './exit';
import type { Compiled } from './pipelines';

const HINT = 'or let a script beside the pipeline stand in for the agents: --script NAME';
const NAMED = 6;

/** An agent as this installation would ask it. */
interface Wanted {
  agent: string;
  adapter: string;
  model?: string;
}

/**
 * On the embedded server this program is the only worker: an agent that it could not ask is told before anything runs, with all the others.
 * What is looked for is what a request would need first: the adapter, its key or its program, a model.
 */
export async function unservedAgents(
  { plan, blobs }: Compiled,
  configuration: Configuration,
  env: NodeJS.ProcessEnv,
): Promise<CommandFailure | undefined> {
  const agents = agentsOf(plan, (digest) => blobs.get(digest)?.content).map((asked) => wanted(asked, configuration));
  const specs = adapterSpecs(configuration.adapters.value);
  const problems: (Lacking & { agents: string[] })[] = [];
  for (const name of [...new Set(agents.map(({ adapter }) => adapter))]) {
    const those = agents.filter(({ adapter }) => adapter === name);
    const spec = specs.get(name);
    const lacking = spec ? await lacks(name, spec, env) : unknown(name, configuration);
    if (lacking) problems.push({ ...lacking, agents: namesOf(those) });
    const speechless =
      spec === undefined || spec.kind === 'cli' || spec.model !== undefined ? [] : those.filter(({ model }) => model === undefined);
    if (speechless.length > 0) problems.push({ ...noModel(name), agents: namesOf(speechless) });
  }
  const [first, ...rest] = problems;
  if (!first) return undefined;
  const code = rest.every((other) => other.code === first.code) ? first.code : 'adapter.unavailable';
  const message = problems.map(({ agents: asked, says }) => `${listed(asked)}: ${says}`).join('\n');
  return new CommandFailure(EXIT.unreachable, code, `not every agent can be asked\n${message}`, { hint: HINT, details: { problems } });
}

function wanted({ agent, adapter, model }: AskedAgent, { defaultAdapter, models }: Configuration): Wanted {
  const alias = model !== undefined && Object.hasOwn(models.value, model) ? models.value[model] : undefined;
  return {
    agent,
    adapter: alias?.adapter ?? adapter ?? defaultAdapter.value,
    ...(model === undefined ? {} : { model: alias?.model ?? model }),
  };
}

async function lacks(name: string, spec: AdapterSpec, env: NodeJS.ProcessEnv): Promise<Lacking | undefined> {
  return spec.kind === 'cli' ? programLacks(name, spec, env) : await endpointLacks(name, spec, env);
}

function unknown(name: string, { adapters }: Configuration): Lacking {
  const known = adapterNames(adapters.value);
  const hint = didYouMean(name, known) ?? `there are: ${known.join(', ')}`;
  const says =
    name === 'scripted' ? 'the adapter "scripted" answers from a script, and none is named' : `there is no adapter "${name}"; ${hint}`;
  return { code: 'adapter.unavailable', says };
}

function noModel(name: string): Lacking {
  const says = `no model is named; write \`model:\` in the agent's file, or under adapters.${name} in thermidor.yaml`;
  return { code: 'model.bad-request', says };
}

function namesOf(agents: readonly Wanted[]): string[] {
  return [...new Set(agents.map(({ agent }) => agent))].sort();
}

function listed(names: readonly string[]): string {
  const more = names.length - NAMED;
  return `${names.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
