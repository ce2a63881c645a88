import { didYouMean } from '../compiler/diagnostics/suggest';
import type { AdapterSpec } from '../plan/adapter';
import type { RunBy } from '../plan/run-by';
import { serverEntry } from '../plan/tool-names';
import { adapterNames, adapterSpecs } from '../worker/adapter-specs';
import { adapterLacks, type Lacking, toolServerLacks } from './agent-access';
import type { AskedAgent } from './asked-agents';
import type { Configuration } from './configuration';
import { CommandFailure, EXIT } from './exit';
import { runByHere } from './run-by';

/** Something without which agents cannot be asked, with those agents: an adapter, its key or its program, a model, a server of tools. */
export interface Unserved extends Lacking {
  agents: string[];
}

export type AgentSettings = Pick<Configuration, 'models' | 'adapters' | 'defaultAdapter' | 'toolServers'>;

/**
 * What keeps agents from being asked by a worker of this process. What is looked for is what a request would need first; nothing is asked of
 * anybody, so it costs nothing.
 */
export async function unservedAgents(asked: readonly AskedAgent[], settings: AgentSettings, env: NodeJS.ProcessEnv): Promise<Unserved[]> {
  const agents = asked.map((one) => ({ ...one, ...runByHere(one, settings) }));
  const specs = adapterSpecs(settings.adapters.value);
  const problems: Unserved[] = [];
  for (const name of distinct(agents.map(({ adapter }) => adapter))) {
    const those = agents.filter(({ adapter }) => adapter === name);
    const spec = specs.get(name);
    const lacking = spec ? await adapterLacks(name, spec, env) : unknown(name, settings);
    if (lacking) problems.push({ ...lacking, agents: namesOf(those) });
    const speechless = those.filter((one) => lacksModel(one, spec));
    if (speechless.length > 0) problems.push({ ...noModel(name), agents: namesOf(speechless) });
  }
  const isProgram = ({ adapter }: RunBy) => specs.get(adapter)?.kind === 'cli';
  const services = agents.filter((one) => !isProgram(one));
  return [...problems, ...toolsOfPrograms(agents.filter(isProgram)), ...(await unservedTools(services, settings, env))];
}

/** A program is given no servers of tools (activities/tools/at-servers.ts). */
function toolsOfPrograms(agents: readonly (AskedAgent & RunBy)[]): Unserved[] {
  const listing = agents.map((one) => ({ ...one, listed: (one.tools ?? []).filter((tool) => serverEntry(tool) !== undefined) }));
  return listing.flatMap(({ agent, adapter, listed }): Unserved[] => {
    if (listed.length === 0) return [];
    const says = `the program of adapter "${adapter}" is given no servers of tools: ${listed.join(', ')}; take them out, or let a service run it`;
    return [{ code: 'tool.failed', says, agents: [agent] }];
  });
}

/** Of one who has no server that it lists, only itself knows what it can do without. */
async function unservedTools(agents: readonly AskedAgent[], { toolServers }: AgentSettings, env: NodeJS.ProcessEnv): Promise<Unserved[]> {
  const problems: Unserved[] = [];
  const listed = agents.map((one) => ({
    agent: one.agent,
    servers: new Set((one.tools ?? []).flatMap((tool) => serverEntry(tool)?.server ?? [])),
  }));
  for (const server of distinct(listed.flatMap(({ servers }) => [...servers]))) {
    const spec = Object.hasOwn(toolServers.value, server) ? toolServers.value[server] : undefined;
    const lacking = spec ? await toolServerLacks(server, spec, env) : noServer(server);
    if (lacking) problems.push({ ...lacking, agents: namesOf(listed.filter(({ servers }) => servers.has(server))) });
  }
  return problems;
}

/** Where this process brings the only worker, nothing that cannot be asked is begun: all of it is told, with exit 4. */
export function refusal([first, ...rest]: readonly Unserved[], hint: string): CommandFailure | undefined {
  if (!first) return undefined;
  const code = rest.every((other) => other.code === first.code) ? first.code : 'adapter.unavailable';
  const agents = [first, ...rest];
  return new CommandFailure(EXIT.unreachable, code, 'not every agent can be asked', {
    hint,
    details: { problems: agents.map(inWords), agents },
  });
}

export function inWords({ agents, says }: Unserved): string {
  const more = agents.length - NAMED;
  return `${agents.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}: ${says}`;
}

/** What to do about it before a run. */
export const OR_A_SCRIPT = 'or let a script beside the pipeline stand in for the agents: --script NAME';
const NAMED = 6;

function unknown(name: string, { adapters }: AgentSettings): Lacking {
  const known = adapterNames(adapters.value);
  const hint = didYouMean(name, known) ?? `there are: ${known.join(', ')}`;
  const says =
    name === 'scripted' ? 'the adapter "scripted" answers from a script, and none is named' : `there is no adapter "${name}"; ${hint}`;
  return { code: 'adapter.unavailable', says };
}

/** A program chooses a model itself. */
function lacksModel({ model }: RunBy, spec: AdapterSpec | undefined): boolean {
  return (spec?.kind === 'anthropic' || spec?.kind === 'openai') && model === undefined;
}

function noModel(name: string): Lacking {
  const says = `no model is named; write \`model:\` in the agent's file, or under adapters.${name} in thermidor.yaml`;
  return { code: 'model.bad-request', says };
}

function noServer(server: string): Lacking {
  return { code: 'tool.failed', says: `there is no tool server "${server}"; set it up under \`mcp:\` in thermidor.yaml` };
}

function namesOf(agents: readonly { agent: string }[]): string[] {
  return distinct(agents.map(({ agent }) => agent)).sort();
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)];
}
