import { defined } from '../../../plan/defined';
import type { Endpoint } from '../model/endpoint';

/**
 * The official client, loaded with the first request: commands that need no model do not pay for it.
 *
 * Invariants: 1. it retries nothing: Temporal does; 2. it reads nothing from the environment or from files of its own, only the endpoint;
 * 3. it logs nothing, because it would log the service's data.
 */
export type Sdk = Awaited<ReturnType<typeof loadSdk>>;

/** Not by `require`: the worker would stall until all of its thousand files are read. */
export function loadSdk() {
  return import('@anthropic-ai/sdk');
}

// Its types also come through the dynamic import: a static one names those of the other module format.
type Client = InstanceType<Sdk['Anthropic']>;
type ClientOptions = NonNullable<ConstructorParameters<Sdk['Anthropic']>[0]>;
export type SdkFetch = NonNullable<ClientOptions['fetch']>;

/** The longest possible timer: limits of time are not the client's decision. */
const NO_LIMIT_MS = 2 ** 31 - 1;

export function clientFor(sdk: Sdk, { baseUrl, key, headers }: Endpoint, fetch: SdkFetch): Client {
  return new sdk.Anthropic({
    // Without one it would look for credentials in places of its own.
    apiKey: key ?? 'none',
    baseURL: baseUrl,
    // The documented way for keys; the bearer that the client would send does not pass `client-fetch.ts`.
    defaultHeaders: { ...defined({ 'x-api-key': key }), ...headers },
    maxRetries: 0,
    timeout: NO_LIMIT_MS,
    logLevel: 'off',
    openTelemetry: false,
    fetch,
  });
}

/** The path if the base URL already contains the version, as other clients want it. */
export function messagesPath({ baseUrl }: Pick<Endpoint, 'baseUrl'>): string {
  return baseUrl.endsWith('/v1') ? '/messages' : '/v1/messages';
}
