import type { Located, SourceSpan } from '../../compiler/diagnostics/diagnostic';
import type { TemplateSyntax } from '../../compiler/expression/syntax';
import type { ActionSource } from '../../compiler/shape/action';
import type { OutputSource } from '../../compiler/shape/source-parts';
import type { Ahead } from './model';

export interface TracksSource {
  kind: 'tracks';
  a?: TrackSource;
  b?: TrackSource;
  sync: SyncSource[];
  ahead?: Ahead;
  integration?: TemplateSyntax;
  onBlocked?: ActionSource[];
  /** Absent: b follows a. */
  onMisaligned?: ActionSource[];
}

export interface TrackSource {
  agent?: Located<string>;
  phases: PhaseSource[];
}

export interface PhaseSource extends OutputSource {
  id: Located<string>;
  prompt?: TemplateSyntax;
  timeoutMs?: number;
}

export interface SyncSource {
  id: Located<string>;
  title?: string;
  /** Two, if it could be read. */
  after: Located<string>[];
  /** Who checks, and what. */
  agent?: Located<string>;
  prompt?: TemplateSyntax;
  rounds?: number;
  waitMs?: number;
  at: SourceSpan;
}
