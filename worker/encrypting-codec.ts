import type { Payload, PayloadCodec } from '@temporalio/common';
import { ThermidorFailure } from '../plan/run/failure';
import type { KeyRing } from '../records/sealing/key-ring';
import { payloadCodec } from '../records/sealing/payload-codec';

/** The codec of a worker. The SDK takes the name of an error for the type of the failure that an activity ends with. */
export function encryptingCodec(keys: KeyRing): PayloadCodec {
  const { encode, decode } = payloadCodec<Payload>(keys);
  return {
    encode,
    decode: async (payloads) => {
      try {
        return await decode(payloads);
      } catch (error) {
        if (!(error instanceof ThermidorFailure)) throw error;
        throw Object.assign(new Error(error.message, { cause: error }), { name: error.code });
      }
    },
  };
}
