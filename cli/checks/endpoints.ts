import type { AdapterSpec, EndpointSpec } from '../../plan/adapter';
import { adapterLacks, secretsOf } from '../agent-access';
import type { Check } from './check';

/** Which adapters are of interest, by name. */
export interface Interest {
  /** Set up in `thermidor.yaml`, or the default: what they lack is a shortcoming. */
  setUp: ReadonlySet<string>;
  /** Agents of the folder's pipelines are run by them. */
  used: ReadonlySet<string>;
}

/**
 * Each service of models that is set up or used: where it is, and where its key comes from. Neither key nor service is asked: whether the key
 * is a right one only a request could tell, and that might cost something.
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
  const { addressOf, FAMILIES } =
    require('../../activities/adapters/model/endpoint') as typeof import('../../activities/adapters/model/endpoint');
  const name = `endpoint ${adapter}`;
  const lacking = await adapterLacks(adapter, spec, env);
  // Without a key everything works that a script plays: only who has said that they want it is failed for it.
  if (lacking)
    return {
      name,
      state: isSetUp ? 'failed' : 'warning',
      says: lacking.says,
      hint: 'until then only a script can stand in: --script NAME',
    };
  const { baseUrlVariable } = FAMILIES[spec.kind];
  const fromVariable = spec.baseUrl === undefined && env[baseUrlVariable]?.trim() ? ` (${baseUrlVariable})` : '';
  const model = spec.model === undefined ? 'agents must name a model' : `${spec.model} where an agent names no model`;
  return { name, state: 'ok', says: `${addressOf(spec, env)}${fromVariable}, ${await keyWords(adapter, spec, env)}, ${model}` };
}

/** Where the key comes from; nothing of the key. */
async function keyWords(name: string, spec: EndpointSpec, env: NodeJS.ProcessEnv): Promise<string> {
  const { FAMILIES, resolveEndpoint } =
    require('../../activities/adapters/model/endpoint') as typeof import('../../activities/adapters/model/endpoint');
  const { key } = await resolveEndpoint({ name, spec, secrets: secretsOf(env), env });
  if (key === undefined) return 'no key';
  return `key from ${spec.key?.replace(/^secret:\/\/env\//, '') ?? FAMILIES[spec.kind].keyVariable}`;
}
