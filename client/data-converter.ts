import {
  defaultFailureConverter,
  defaultPayloadConverter,
  type LoadedDataConverter,
  type Payload,
  type PayloadConverter,
} from '@temporalio/common';
import { isJsonPayload, readJsonPayload, withNumbers } from '../plan/run/json-payload';

const payloadConverter: PayloadConverter = {
  toPayload: (value, context, hint) => withNumbers(defaultPayloadConverter.toPayload(value, context, hint), value),
  fromPayload: <T>(payload: Payload, context?: Parameters<PayloadConverter['fromPayload']>[1]): T =>
    isJsonPayload(payload) ? (readJsonPayload(payload) as T) : defaultPayloadConverter.fromPayload<T>(payload, context),
};

/** The SDK's own, but numbers stay as they were written: its own writes `1.10` as `1.1`. */
export const dataConverter: LoadedDataConverter = { payloadConverter, failureConverter: defaultFailureConverter, payloadCodecs: [] };
