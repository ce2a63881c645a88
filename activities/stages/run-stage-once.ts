import type { ArtifactRef } from '../../plan/run/artifact';
import type { Json } from '../../plan/text/json';
import { jsonText } from '../../plan/text/json-text';
import { asJson, getJson } from '../../records/stored-json';
import type { ActivityCall } from '../activity-call';
import { once } from '../once';
import { noteProduced } from '../store-output';
import type { Toolbox } from '../toolbox';

/** Up to this length a result is in the ledger's record itself; a longer one is an artifact. */
const IN_RECORD_LENGTH = 16 * 1024;

/** Like `once`, for results of any size. */
export async function runStageOnce<T>(toolbox: Toolbox, call: ActivityCall, work: () => Promise<T>): Promise<T> {
  const record = await once<{ value: Json } | { artifact: ArtifactRef }>(toolbox, call, () =>
    noteProduced(toolbox, call, work, async (result) => {
      const text = jsonText(result);
      if (text.length <= IN_RECORD_LENGTH) return { value: asJson(result) };
      return { artifact: await toolbox.artifacts.put(text, { mediaType: 'application/json' }) };
    }),
  );
  if ('artifact' in record) return await getJson<T>(toolbox.artifacts, record.artifact, `what stage "${call.id}" gave`);
  const value: unknown = record.value;
  return value as T;
}
