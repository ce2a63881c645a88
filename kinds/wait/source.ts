import type { Syntax } from '../../compiler/expression/syntax';

/** Exactly one of the three, if it could be read. */
export interface WaitSource {
  forMs?: number;
  until?: Syntax;
  signal?: string;
}
