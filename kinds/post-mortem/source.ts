import type { Located } from '../../compiler/diagnostics/diagnostic';
import type { Occasion } from './rules/spec';

export interface PostMortemSource {
  kind: 'post_mortem';
  occasion?: Occasion;
  /** Absent: everybody who had work. */
  by?: Located<string>[];
  write?: Located<string>;
  memory?: Located<string>;
  guidelines?: Located<string>;
}
