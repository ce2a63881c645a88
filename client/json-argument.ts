import { encodingKeys, METADATA_ENCODING_KEY, RawValue } from '@temporalio/common';
import { jsonText } from '../plan/text/json-text';

/** JSON for a workflow, numbers as they were written; the SDK's own converter writes `1.10` as `1.1`. */
export function jsonArgument<T>(value: T): RawValue<T> {
  const data = new TextEncoder().encode(jsonText(value, { long: 'quoted' }));
  return RawValue.fromPayload({ metadata: { [METADATA_ENCODING_KEY]: encodingKeys.METADATA_ENCODING_JSON }, data });
}
