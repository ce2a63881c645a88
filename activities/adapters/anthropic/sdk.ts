import { defined } from '../../../plan/defined';
import type { Endpoint } from '../model/endpoint';

/**
 * The official client, loaded with the first request: commands that need no model do not pay for it.
 *
 * Invariants: 1. it retries nothing: Temporal does; 2. it takes nothing from the environment or from files of its own, but what the
 * endpoint says; 3. it logs nothing, for it would log what a service sent.
 */
export type Sdk = Awaited<ReturnType<typeof loadSdk>>;

/** Not by `require`: the worker would stand still until all of its thousand files are read. */
export function loadSdk() {
  return import('@anthropic-ai/sdk');
}

// Its types too come by way of the dynamic import: a static one names those of the other kind of module.
type Client = InstanceType<Sdk['Anthropic']>;
type ClientOptions = NonNullable<ConstructorParameters<Sdk['Anthropic']>[0]>;
export type SdkFetch = NonNullable<ClientOptions['fetch']>;

/** As long as a timer can be: how long is too long is not the client's to say. */
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

/** Where the base URL has the version already, as other clients want it. */
export function messagesPath({ baseUrl }: Pick<Endpoint, 'baseUrl'>): string {
  return baseUrl.endsWith('/v1') ? '/messages' : '/v1/messages';
}
