import type { ThermidorClient } from '../../client/connect';
import { SEARCH_ATTRIBUTES } from '../../plan/run/search-attributes';
import { type Check, errorMessageOf } from './check';

const NAME = 'search attributes';

/** Checks the search attributes. Only filtering by them needs them; an account that may not list them is no failure. */
export async function checkAttributes(client: ThermidorClient): Promise<Check> {
  try {
    return (await missingAttributes(client)) ?? { name: NAME, state: 'ok', says: SEARCH_ATTRIBUTES.join(', ') };
  } catch (error) {
    return { name: NAME, state: 'warning', says: `cannot be listed: ${errorMessageOf(error)}` };
  }
}

/** Undefined if all are registered. Fails as the client does. */
export async function missingAttributes(client: ThermidorClient): Promise<Check | undefined> {
  const { customAttributes } = await client.call(() =>
    client.connection.operatorService.listSearchAttributes({ namespace: client.namespace }),
  );
  const missing = SEARCH_ATTRIBUTES.filter((attribute) => customAttributes?.[attribute] === undefined);
  if (missing.length === 0) return undefined;
  const flags = missing.map((attribute) => `--name ${attribute} --type Keyword`).join(' ');
  return {
    name: NAME,
    state: 'warning',
    says: `not registered: ${missing.join(', ')}; runs work, lists and Temporal’s own UI cannot filter by them`,
    hint: `temporal operator search-attribute create ${flags} --address ${client.address} --namespace ${client.namespace}`,
  };
}
