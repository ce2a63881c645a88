import { didYouMean } from '../../compiler/diagnostics/suggest';
import type { AdapterSpec, ToolServerSpec } from '../../plan/agents/adapter';
import type { AdapterChoice } from '../../plan/agents/adapter-choice';
import { serverEntry } from '../../plan/agents/tool-names';
import { adapterNames, adapterSpecs } from '../../worker/adapter-specs';
import { CommandFailure, EXIT } from '../exit';
import { chooseAdapterHere } from '../pipelines/run-by';
import type { Configuration } from '../settings/configuration';
import { adapterLacks, type MissingRequirement, toolServerLacks } from './agent-requirements';
import type { AskedAgent } from './asked-agents';

/** Something without which agents cannot be asked, with those agents: an adapter, its key or its program, a model, a server of tools. */
export interface Unserved extends MissingRequirement {
  agents: string[];
}

export type AgentSettings = Pick<Configuration, 'models' | 'adapters' | 'defaultAdapter' | 'toolServers'>;

/** Finds what an adapter or a server of tools lacks. */
export interface AgentCheck {
  adapter(name: string, spec: AdapterSpec): Promise<MissingRequirement | undefined>;
  toolServer(name: string, spec: ToolServerSpec): Promise<MissingRequirement | undefined>;
}

/** A check in this process. It looks for what a request would need first and contacts nobody, so it costs nothing. */
export function checkHere(env: NodeJS.ProcessEnv): AgentCheck {
  return {
    adapter: (name, spec) => adapterLacks(name, spec, env),
    toolServer: (name, spec) => toolServerLacks(name, spec, env),
  };
}

/** What keeps a worker with these settings from asking agents. @param look @default in this process */
export async function unservedAgents(
  asked: readonly AskedAgent[],
  settings: AgentSettings,
  env: NodeJS.ProcessEnv,
  look = checkHere(env),
): Promise<Unserved[]> {
  const agents = asked.map((one) => ({ ...one, ...chooseAdapterHere(one, settings) }));
  const specs = adapterSpecs(settings.adapters.value);
  const problems: Unserved[] = [];
  for (const name of distinct(agents.map(({ adapter }) => adapter))) {
    const those = agents.filter(({ adapter }) => adapter === name);
    const spec = specs.get(name);
    const lacking = spec ? await look.adapter(name, spec) : unknown(name, settings);
    if (lacking) problems.push({ ...lacking, agents: namesOf(those) });
    const speechless = those.filter((one) => lacksModel(one, spec));
    if (speechless.length > 0) problems.push({ ...noModel(name), agents: namesOf(speechless) });
  }
  const isProgram = ({ adapter }: AdapterChoice) => specs.get(adapter)?.kind === 'cli';
  const services = agents.filter((one) => !isProgram(one));
  return [...problems, ...toolsOfPrograms(agents.filter(isProgram)), ...(await unservedTools(services, settings, look))];
}

/** A program does not support tool servers (activities/tools/mcp/with-mcp-tools.ts). */
function toolsOfPrograms(agents: readonly (AskedAgent & AdapterChoice)[]): Unserved[] {
  const listing = agents.map((one) => ({ ...one, listed: (one.tools ?? []).filter((tool) => serverEntry(tool) !== undefined) }));
  return listing.flatMap(({ agent, adapter, listed }): Unserved[] => {
    if (listed.length === 0) return [];
    const says = `the program of adapter "${adapter}" does not support tool servers: ${listed.join(', ')}; remove these tools, or let a service run the agent`;
    return [{ code: 'tool.failed', says, agents: [agent] }];
  });
}

/** Only an agent itself knows whether it can do without a server that it lists. */
async function unservedTools(agents: readonly AskedAgent[], { toolServers }: AgentSettings, look: AgentCheck): Promise<Unserved[]> {
  const problems: Unserved[] = [];
  const listed = agents.map((one) => ({
    agent: one.agent,
    servers: new Set((one.tools ?? []).flatMap((tool) => serverEntry(tool)?.server ?? [])),
  }));
  for (const server of distinct(listed.flatMap(({ servers }) => [...servers]))) {
    const spec = Object.hasOwn(toolServers.value, server) ? toolServers.value[server] : undefined;
    const lacking = spec ? await look.toolServer(server, spec) : noServer(server);
    if (lacking) problems.push({ ...lacking, agents: namesOf(listed.filter(({ servers }) => servers.has(server))) });
  }
  return problems;
}

/**
 * If this process brings the only worker, no run starts whose agents cannot be asked: all of them are reported, with exit 4. @param
 * otherwise the alternative to fixing it
 */
export function unservedFailure([first, ...rest]: readonly Unserved[], otherwise: string): CommandFailure | undefined {
  if (!first) return undefined;
  const code = rest.every((other) => other.code === first.code) ? first.code : 'adapter.unavailable';
  const agents = [first, ...rest];
  return new CommandFailure(EXIT.unreachable, code, 'some agents cannot run', {
    hint: `fix that, or ${otherwise}`,
    details: { problems: agents.map(describeUnserved), agents },
  });
}

export function describeUnserved({ agents, says }: Unserved): string {
  const more = agents.length - NAMED;
  return `${agents.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}: ${says}`;
}

/** What else can be done before a run. */
export const OR_A_SCRIPT = 'use a script next to the pipeline: --script NAME';
const NAMED = 6;

function unknown(name: string, { adapters }: AgentSettings): MissingRequirement {
  const known = adapterNames(adapters.value);
  const hint = didYouMean(name, known) ?? `there are: ${known.join(', ')}`;
  const says =
    name === 'scripted' ? 'the adapter "scripted" answers from a script, and none is named' : `there is no adapter "${name}"; ${hint}`;
  return { code: 'adapter.unavailable', says };
}

/** A program chooses a model itself. */
function lacksModel({ model }: AdapterChoice, spec: AdapterSpec | undefined): boolean {
  return (spec?.kind === 'anthropic' || spec?.kind === 'openai') && model === undefined;
}

function noModel(name: string): MissingRequirement {
  const says = `no model is named; write \`model:\` in the agent's file, or under adapters.${name} in thermidor.yaml`;
  return { code: 'model.bad-request', says };
}

function noServer(server: string): MissingRequirement {
  return { code: 'tool.failed', says: `there is no tool server "${server}"; set it up under \`mcp:\` in thermidor.yaml` };
}

function namesOf(agents: readonly { agent: string }[]): string[] {
  return distinct(agents.map(({ agent }) => agent)).sort();
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)];
}
