import { defined } from '../../plan/defined';
import type { ChannelSpec } from '../../plan/plan';
import { isSecretReference } from '../../plan/run/args';
import type { Report } from '../diagnostics/diagnostic';
import type { CHANNEL_ROWS } from '../language/mappings/file';
import type { SourceOf } from './source-of';
import { withoutPlaces } from './without-places';

/** A channel as the plan has it. Plans are stored, so the key that signs requests may only be referred to. */
export function channelSpec({ webhookSecret: key, ...source }: SourceOf<typeof CHANNEL_ROWS>, report: Report): ChannelSpec {
  const hint = 'write a reference such as secret://env/NAME or secret://file/PATH';
  if (key && !isSecretReference(key.value)) report('shape.wrong-type', key.at, '"webhook_secret" must be a reference to the key', hint);
  return { ...withoutPlaces(source), ...defined({ webhookSecret: key?.value }) };
}
