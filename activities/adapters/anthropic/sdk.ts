import type Anthropic from '@anthropic-ai/sdk';
import type { ClientOptions } from '@anthropic-ai/sdk';
import type { Endpoint } from '../model/endpoint';

/**
 * The official client, loaded with the first request: commands that need no model do not pay for it.
 *
 * Invariants: 1. it retries nothing: Temporal does; 2. it takes nothing from the environment or from files of its own, but what the
 * endpoint says; 3. it logs nothing, for it would log what a service sent.
 */
export type Sdk = typeof import('@anthropic-ai/sdk');

export function loadSdk(): Sdk {
  return require('@anthropic-ai/sdk') as Sdk;
}

export type SdkFetch = NonNullable<ClientOptions['fetch']>;

/** @param answerMs until the head of the answer is there */
export function clientFor(sdk: Sdk, { baseUrl, key, headers }: Endpoint, answerMs: number, fetch: SdkFetch): Anthropic {
  return new sdk.Anthropic({
    // Without one it would look for credentials in places of its own.
    apiKey: key ?? 'none',
    baseURL: baseUrl,
    // The documented way for keys; the bearer that the client would send does not pass `watched-fetch.ts`.
    defaultHeaders: { ...(key === undefined ? {} : { 'x-api-key': key }), ...headers },
    maxRetries: 0,
    timeout: answerMs,
    logLevel: 'off',
    openTelemetry: false,
    // A key must not follow to another address.
    fetchOptions: { redirect: 'manual' },
    fetch,
  });
}
