import { defaultPayloadConverter, type Payload, type PayloadConverter } from '@temporalio/common';
import type { Undecodable } from '../../plan/signal';

/**
 * The default converter, but one that never throws on what it cannot read: a signal with a rubbish payload would otherwise
 * fail the run's workflow tasks for ever. What cannot be read becomes an `Undecodable`, and the handler journals it.
 */
export const payloadConverter: PayloadConverter = {
  toPayload: (value, context, hint) => defaultPayloadConverter.toPayload(value, context, hint),
  fromPayload: <T>(payload: Payload, context?: Parameters<PayloadConverter['fromPayload']>[1]): T => {
    try {
      return defaultPayloadConverter.fromPayload<T>(payload, context);
    } catch {
      return undecodable(payload) as T;
    }
  },
};

function undecodable(payload: Payload): Undecodable {
  const encoding = payload.metadata?.['encoding'];
  return {
    undecodable: true,
    encoding: encoding ? new TextDecoder().decode(encoding) : 'unknown',
    sizeBytes: payload.data?.length ?? 0,
  };
}
