import { endpointUrl, FAMILIES, resolveEndpoint } from '../../activities/adapters/model/endpoint';
import type { AdapterSpec, EndpointSpec } from '../../plan/agents/adapter';
import { adapterLacks, secretsOf } from '../serving/agent-requirements';
import type { Check } from './check';
import type { Interest } from './interest';

/**
 * Checks each model service that is set up or used: its address, its proxy, and where its key comes from. Neither key nor service is tried:
 * only a request could show whether the key is right, and a request might cost something.
 */
export async function checkEndpoints(
  specs: ReadonlyMap<string, AdapterSpec>,
  { setUp, used }: Interest,
  env: NodeJS.ProcessEnv,
): Promise<Check[]> {
  const shown = [...specs].flatMap(([name, spec]): [string, EndpointSpec][] =>
    (spec.kind === 'anthropic' || spec.kind === 'openai') && (setUp.has(name) || used.has(name)) ? [[name, spec]] : [],
  );
  return await Promise.all(shown.map(async ([name, spec]) => await checkEndpoint(name, spec, setUp.has(name), env)));
}

async function checkEndpoint(adapter: string, spec: EndpointSpec, isSetUp: boolean, env: NodeJS.ProcessEnv): Promise<Check> {
  const name = `endpoint ${adapter}`;
  const lacking = await adapterLacks(adapter, spec, env);
  // Scripts work without a key, so a missing key fails only an adapter that somebody set up.
  if (lacking)
    return {
      name,
      state: isSetUp ? 'failed' : 'warning',
      says: lacking.says,
      hint: 'until then only a script can play the agents: --script NAME',
    };
  const { baseUrlVariable, keyVariable } = FAMILIES[spec.kind];
  const fromVariable = spec.baseUrl === undefined && env[baseUrlVariable]?.trim() ? ` (${baseUrlVariable})` : '';
  const { key, proxy } = await resolveEndpoint({ name: adapter, spec, secrets: secretsOf(env), env });
  const way = proxy === undefined ? '' : ` through the proxy ${proxy.url.host} (${proxy.variable})`;
  // Names the source of the key, and shows no part of the key.
  const proof = key === undefined ? 'no key' : `key from ${spec.key?.replace(/^secret:\/\/env\//, '') ?? keyVariable}`;
  const model = spec.model === undefined ? 'agents must name a model' : `${spec.model} if an agent names no model`;
  return { name, state: 'ok', says: `${endpointUrl(spec, env)}${fromVariable}${way}, ${proof}, ${model}` };
}
