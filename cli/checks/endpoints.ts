import { endpointUrl, FAMILIES, resolveEndpoint } from '../../activities/adapters/model/endpoint';
import type { AdapterSpec, EndpointSpec } from '../../plan/agents/adapter';
import { adapterLacks, secretsOf } from '../serving/agent-requirements';
import type { Check } from './check';
import type { Interest } from './interest';

/**
 * Each service of models that is set up or used: where it is, by way of which proxy, and where its key comes from. Neither key nor service is asked: whether the key
 * is right only a request could show, and that might cost something.
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
  // Without a key everything works that a script plays: only who has said that they want it is failed for it.
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
  // Where the key comes from; nothing of the key.
  const proof = key === undefined ? 'no key' : `key from ${spec.key?.replace(/^secret:\/\/env\//, '') ?? keyVariable}`;
  const model = spec.model === undefined ? 'agents must name a model' : `${spec.model} where an agent names no model`;
  return { name, state: 'ok', says: `${endpointUrl(spec, env)}${fromVariable}${way}, ${proof}, ${model}` };
}
