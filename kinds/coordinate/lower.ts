import { OPEN } from '../../compiler/expression/output-shape';
import { fieldsOfBlock } from '../../compiler/lower/block-shape';
import type { KindLowering } from '../../compiler/lower/kind-lowering';
import type { CoordinateSource } from '../../compiler/shape/source';

export const COORDINATE_LOWERING: KindLowering<CoordinateSource> = {
  lower: ({ selected, written }, { base, place, inner }) =>
    place.inner && { step: { ...base, kind: 'coordinate', selected, written, block: inner(place.inner) } },
  output: (_work, { inner }, { of }) => ({ kind: 'fields', fields: new Map([['patterns', OPEN], ...fieldsOfBlock(inner, of)]) }),
};
