import type { EmitSpec, RecordedItem } from '../../plan/steps/stream';
import type { Json } from '../../plan/text/json';
import type { RunKey } from '../../records/ledger';

/** A producer's stream, for adding items. */
export interface OpenStream {
  key: RunKey;
  /** `plan/steps/stream.ts`. */
  name: string;
  /** Id of the step. */
  step: string;
  spec: EmitSpec;
}

/** An item as it was emitted. */
export interface SaidItem extends Pick<RecordedItem, 'id' | 'from'> {
  value: Json;
}

/** The stream to which an agent's step emits, and the form of its items. */
export interface AgentItems {
  stream: OpenStream;
  schema: Json;
  /** Id of the activity. */
  call: string;
}
