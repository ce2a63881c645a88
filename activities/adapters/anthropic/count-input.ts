import { isCount } from '../../../plan/budgets/reported-usage';
import { field } from '../../../plan/text/json';
import type { Endpoint } from '../model/endpoint';
import type { CountRequest } from '../model/service';
import { clientFetch } from './client-fetch';
import { requestBody } from './request';
import type { MessagesFeatures } from './request-features';
import { clientFor, loadSdk, messagesPath } from './sdk';

/** The time limit of a count. */
const COUNT_MS = 30_000;

/**
 * How many tokens a request has, as the service counts them. Undefined if it has no counter, refuses or does not answer in time: then the
 * byte length is the bound. Fails only with the signal's reason.
 */
export async function countInput(
  endpoint: Endpoint,
  request: CountRequest,
  dialect: MessagesFeatures,
  signal: AbortSignal,
): Promise<number | undefined> {
  signal.throwIfAborted();
  const { max_tokens: _reply, stream: _form, ...body } = requestBody({ ...request, idempotencyKey: '', alive: () => undefined }, dialect);
  const sdk = await loadSdk();
  const within = AbortSignal.any([signal, AbortSignal.timeout(COUNT_MS)]);
  try {
    const client = clientFor(sdk, endpoint, clientFetch(endpoint, within));
    const answer: unknown = await client.post(`${messagesPath(endpoint)}/count_tokens`, { body });
    const count = typeof answer === 'object' && answer !== null ? field(answer as Parameters<typeof field>[0], 'input_tokens') : undefined;
    return isCount(count) && count > 0 ? count : undefined;
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}
