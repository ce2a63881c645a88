import { defaultPayloadConverter, type Payload, type PayloadConverter } from '@temporalio/common';
import { CALL_MARK, type CallMark, callMark } from '../../plan/run/call-seal';
import { isJsonPayload, readJsonPayload, withNumbers } from '../../plan/run/json-payload';
import type { Undecodable } from '../../plan/run/signal';
import type { Json } from '../../plan/text/json';
import { isTooDeep } from '../../plan/text/json-depth';

/** The input of an activity that the worker seals on its way out. No JSON can pass for one. */
export class MarkedInput {
  constructor(
    readonly mark: CallMark,
    readonly input: object,
  ) {}
}

/**
 * The default converter, except that it never throws on unreadable data: a signal with a rubbish payload would otherwise fail the run's
 * workflow tasks forever. Unreadable data becomes an `Undecodable`, and the handler journals it. So does data nested too deep to go
 * through. Numbers keep their spelling.
 */
export const payloadConverter: PayloadConverter = {
  toPayload: (value, context, hint) => (value instanceof MarkedInput ? marked(value) : written(value, context, hint)),
  fromPayload: <T>(payload: Payload, context?: Parameters<PayloadConverter['fromPayload']>[1]): T => {
    try {
      const value = isJsonPayload(payload) ? (readJsonPayload(payload) as T) : defaultPayloadConverter.fromPayload<T>(payload, context);
      return isBottomless(payload, value) ? (undecodable(payload) as T) : value;
    } catch {
      return undecodable(payload) as T;
    }
  },
};

type ToPayload = PayloadConverter['toPayload'];

const written: ToPayload = (value, context, hint) => withNumbers(defaultPayloadConverter.toPayload(value, context, hint), value);

function marked({ mark, input }: MarkedInput): Payload {
  const { metadata, data } = written(input);
  return { metadata: { ...metadata, [CALL_MARK]: new TextEncoder().encode(callMark(mark)) }, ...(data ? { data } : {}) };
}

/** Deeper than anything a run itself passes on, and shallow enough for code that goes through a value level by level. */
const MOST_LEVELS = 500;

/** A small payload cannot be: each level takes two characters. */
function isBottomless(payload: Payload, value: unknown): boolean {
  return (payload.data?.length ?? 0) > 2 * MOST_LEVELS && !ArrayBuffer.isView(value) && isTooDeep(value as Json, MOST_LEVELS);
}

function undecodable(payload: Payload): Undecodable {
  const encoding = payload.metadata?.['encoding'];
  return {
    undecodable: true,
    encoding: encoding ? new TextDecoder().decode(encoding) : 'unknown',
    sizeBytes: payload.data?.length ?? 0,
  };
}
