import type { Located, SourceSpan } from '../../compiler/diagnostics/diagnostic';
import type { LevelTimeout } from './rules/issue';

export type LevelSource = { at: SourceSpan; attempts?: number } & (
  | { kind: 'agent'; agent: Located<string> }
  /** A person or a group, else anybody in a channel, else anybody. */
  | { kind: 'person'; name?: Located<string>; channel?: Located<string>; timeoutMs?: number; onTimeout?: LevelTimeout }
);
