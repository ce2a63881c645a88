import type { Payload, PayloadCodec, SerializationContext } from '@temporalio/common';
import type { CallSeals } from '../activities/ports';
import { CALL_MARK, CALL_SEAL, readCallMark } from '../plan/run/call-seal';

/**
 * Seals the calls that workflow code has marked, on their way from its isolate to the server. Everything else passes unchanged.
 *
 * Invariant: only workflow code can mark. Results of activities, and data from outside, are JSON, and carry no mark.
 */
export function sealingCodec(seals: CallSeals): PayloadCodec {
  return {
    encode: async (payloads, context) =>
      payloads.some(isMarked) ? await Promise.all(payloads.map((payload) => sealed(seals, payload, context))) : payloads,
    decode: async (payloads) => payloads,
  };
}

function isMarked({ metadata }: Payload): boolean {
  return metadata?.[CALL_MARK] !== undefined;
}

async function sealed(seals: CallSeals, payload: Payload, context: SerializationContext | undefined): Promise<Payload> {
  const { [CALL_MARK]: bytes, ...metadata } = payload.metadata ?? {};
  const mark = bytes && readCallMark(Buffer.from(bytes).toString('utf8'));
  const { namespace, workflowId, activityId } = context?.type === 'activity' ? context : {};
  if (!mark || namespace === undefined || workflowId === undefined || activityId === undefined) return payload;
  const input = Buffer.from(payload.data ?? []).toString('utf8');
  const seal = await seals.seal({ namespace, workflowId, activityId, ...mark }, input);
  // Most steps of a sequence have no input, and each byte of theirs is in history: the seal alone, as bytes.
  if (input === '{}') return { metadata: { encoding: BYTES }, data: Buffer.from(seal, 'base64url') };
  return { ...payload, metadata, data: Buffer.from(withLastKey(input, CALL_SEAL, seal)) };
}

const BYTES = Buffer.from('binary/plain');

/** @param json an object */
function withLastKey(json: string, key: string, value: string): string {
  const before = json.slice(0, -1);
  return `${before}${before === '{' ? '' : ','}${JSON.stringify(key)}:${JSON.stringify(value)}}`;
}
