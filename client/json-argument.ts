import { encodingKeys, METADATA_ENCODING_KEY, RawValue } from '@temporalio/common';
import { payloadText, remembersNumbers } from '../plan/text/json-text';

/** JSON for a workflow. Where a number in it is written otherwise than a double writes itself, its text: the SDK's own converter writes `1.10` as `1.1`. */
export function jsonArgument<T>(value: T): T | RawValue<T> {
  if (!remembersNumbers(value)) return value;
  const data = new TextEncoder().encode(payloadText(value));
  return RawValue.fromPayload({ metadata: { [METADATA_ENCODING_KEY]: encodingKeys.METADATA_ENCODING_JSON }, data });
}
