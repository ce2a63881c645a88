import type { ProtoFailure } from '@temporalio/client';
import type { Payload } from '@temporalio/common';
import { decode, decodeOptionalFailureToOptionalError } from '@temporalio/common/lib/internal-non-workflow';
import { isSealedPayload } from '../records/sealing/payload-codec';
import type { ThermidorClient } from './connect';

/** Payloads that the server has sent, as they were before the client's codecs. Fails with `encryption.key-missing`. */
export async function openedPayloads(client: Pick<ThermidorClient, 'temporal'>, payloads: Payload[]): Promise<Payload[]> {
  return payloads.some(isSealedPayload) ? await decode(client.temporal.options.loadedDataConverter.payloadCodecs, payloads) : payloads;
}

/** What a failure says; undefined if there is none. Fails with `encryption.key-missing`. */
export async function messageOf(
  client: Pick<ThermidorClient, 'temporal'>,
  failure: ProtoFailure | null | undefined,
): Promise<string | undefined> {
  if (!failure?.encodedAttributes) return failure?.message || undefined;
  const error = await decodeOptionalFailureToOptionalError(client.temporal.options.loadedDataConverter, failure);
  return error?.message || undefined;
}
