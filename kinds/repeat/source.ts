import type { SourceOf } from '../../compiler/shape/source-of';
import type { REPEAT_KIND } from './keys';

/** The keys of `repeat`. Its time-out is the step's. */
export type RepeatSourceOf<S> = Omit<SourceOf<(typeof REPEAT_KIND)['body'], S>, 'node' | 'timeoutMs'>;
