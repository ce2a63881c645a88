import { OPEN } from '../../compiler/expression/output-shape';
import { namedAgent } from '../../compiler/lower/agents/agent-work';
import { fieldsOfBlock } from '../../compiler/lower/block-shape';
import type { KindLowering } from '../../compiler/lower/kind-lowering';
import type { WorkOf } from '../../compiler/shape/source';
import { defined } from '../../plan/defined';

export const COORDINATE_LOWERING: KindLowering<WorkOf<'coordinate'>> = {
  lower: ({ coordinator: named, selected, written }, here) => {
    const { base, place, inner } = here;
    const coordinator = named && namedAgent(named, here)?.id;
    return (
      place.inner && { step: { ...base, kind: 'coordinate', ...defined({ coordinator }), selected, written, block: inner(place.inner) } }
    );
  },
  output: (_work, { inner }, { of }) => ({
    kind: 'fields',
    fields: new Map([['patterns', OPEN], ['unrouted', OPEN], ...fieldsOfBlock(inner, of)]),
  }),
};
