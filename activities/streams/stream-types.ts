import type { EmitSpec, RecordedItem } from '../../plan/steps/stream';
import type { Json } from '../../plan/text/json';
import type { RunKey } from '../../records/ledger';

/** A producer's stream, for whoever adds to it. */
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

/** The stream that an agent's step emits to, and what an item of it has to be. */
export interface AgentItems {
  stream: OpenStream;
  schema: Json;
  /** Id of the activity. */
  call: string;
}
