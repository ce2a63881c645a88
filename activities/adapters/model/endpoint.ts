import { type EndpointSpec, isSecretHeader, isServiceAddress } from '../../../plan/agents/adapter';
import { defined } from '../../../plan/defined';
import { ThermidorFailure } from '../../../plan/run/failure';
import { masker, withoutScheme } from '../../../plan/text/masker';
import type { Secrets } from '../../ports';
import { proxyFor, type ServiceProxy } from '../http/proxy';

/**
 * The address of a service and its credentials, looked up at each request: keys may change while a worker runs.
 *
 * Invariants: 1. a key of the worker's environment goes to the family's own address, to the address configured next to it in the
 * environment, and to an adapter with the family's name; an address of any other adapter gets the key that is set up for it, or none.
 * 2. results are valid headers: fetch would quote invalid ones in its error. 3. `hide` removes every secret from a text.
 */
export interface Endpoint {
  /** The adapter's name. */
  name: string;
  /** The URL without a slash at the end. */
  baseUrl: string;
  key?: string;
  /** Headers in addition to the key's. */
  headers: Readonly<Record<string, string>>;
  /** The proxy for it, as the environment says. Absent: direct. */
  proxy?: ServiceProxy;
  hide(text: string): string;
}

/** The common facts of services of one kind. */
export interface EndpointFamily {
  kind: EndpointSpec['kind'];
  keyVariable: string;
  baseUrlVariable: string;
  baseUrl: string;
}

const ANTHROPIC: EndpointFamily = {
  kind: 'anthropic',
  keyVariable: 'ANTHROPIC_API_KEY',
  baseUrlVariable: 'ANTHROPIC_BASE_URL',
  baseUrl: 'https://api.anthropic.com',
};

const OPENAI: EndpointFamily = {
  kind: 'openai',
  keyVariable: 'OPENAI_API_KEY',
  baseUrlVariable: 'OPENAI_BASE_URL',
  baseUrl: 'https://api.openai.com/v1',
};

export const FAMILIES: Readonly<Record<EndpointSpec['kind'], EndpointFamily>> = { anthropic: ANTHROPIC, openai: OPENAI };

export interface EndpointOf {
  name: string;
  spec: EndpointSpec;
  secrets: Secrets;
  /** @default the worker's */
  env?: NodeJS.ProcessEnv;
}

/**
 * Fails with `secret.missing`, which names the variable or the reference, and `model.bad-request` for an invalid address of the service or
 * a proxy.
 */
export async function resolveEndpoint({ name, spec, secrets, env = process.env }: EndpointOf): Promise<Endpoint> {
  const baseUrl = baseUrlOf(name, spec, env);
  const proxy = proxyFor(baseUrl, env, 'model.bad-request');
  const key = await keyOf(name, spec, secrets, env);
  const headers: Record<string, string> = {};
  const hidden = [key ?? [], proxy?.authorization ?? []].flat();
  for (const [header, value] of Object.entries(spec.headers ?? {})) {
    const resolved = asHeader(await secrets.resolve(value), `header "${header}" of adapter "${name}"`);
    headers[header.toLowerCase()] = resolved;
    // A value written plainly in the settings is still a secret.
    if (value.startsWith('secret://') || isSecretHeader(header)) hidden.push(resolved);
  }
  const hide = (text: string) => masker(hidden.flatMap(withoutScheme))(text);
  return { name, baseUrl, headers, hide, ...defined({ key, proxy }) };
}

/** The address from the settings or the environment, else the family's. */
export function endpointUrl(spec: EndpointSpec, env: NodeJS.ProcessEnv): string {
  const { baseUrlVariable, baseUrl } = FAMILIES[spec.kind];
  return spec.baseUrl ?? (env[baseUrlVariable]?.trim() || baseUrl);
}

function baseUrlOf(name: string, spec: EndpointSpec, env: NodeJS.ProcessEnv): string {
  const address = endpointUrl(spec, env).replace(/\/+$/, '');
  if (isServiceAddress(address)) return address;
  const where = spec.baseUrl === undefined ? FAMILIES[spec.kind].baseUrlVariable : `base_url of adapter "${name}"`;
  const problem = `${where} is not an http or https address, or has a user, a password or a "?" in it`;
  throw new ThermidorFailure('model.bad-request', problem, { adapter: name });
}

async function keyOf(name: string, spec: EndpointSpec, secrets: Secrets, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const what = `the key of adapter "${name}"`;
  if (spec.key !== undefined) return asHeader(await secrets.resolve(spec.key), what);
  const { kind, keyVariable } = FAMILIES[spec.kind];
  const own = spec.baseUrl === undefined || name === kind ? env[keyVariable]?.trim() : undefined;
  if (own) return asHeader(own, `${what}, ${keyVariable},`);
  // A service of one's own may need none.
  if (endpointUrl(spec, env) !== FAMILIES[kind].baseUrl) return undefined;
  throw new ThermidorFailure(
    'secret.missing',
    `adapter "${name}" has no key: the worker's environment has no ${keyVariable}. Set it, or name another under adapters.${name}.key in thermidor.yaml`,
    { adapter: name, variable: keyVariable },
  );
}

function asHeader(value: string, what: string): string {
  const trimmed = value.trim();
  if (trimmed !== '' && /^[\t\x20-\x7e\x80-\xff]+$/.test(trimmed)) return trimmed;
  throw new ThermidorFailure(
    'secret.missing',
    `${what} is ${trimmed === '' ? 'empty' : 'not a valid header value: look for line breaks in it'}`,
  );
}
