import type { OutputShape } from '../../compiler/expression/output-shape';
import { producersBefore } from '../../compiler/lower/agents/agent-producers';
import { agentWork, namedAgent } from '../../compiler/lower/agents/agent-work';
import { upstreamStep } from '../../compiler/lower/context';
import type { KindLowering, Shapes } from '../../compiler/lower/kind-lowering';
import { schemaOfAgent, shapeOfSchema } from '../../compiler/lower/output-schema';
import type { StepContext } from '../../compiler/lower/step-context';
import type { WorkOf } from '../../compiler/shape/source';
import type { StepPosition } from '../../compiler/step-positions';
import { defined } from '../../plan/defined';
import { VERDICTS } from '../../plan/steps/verdict';
import { field, isJsonObject } from '../../plan/text/json';
import { DEFAULT_STALL_ROUNDS, type ReviewStep } from './model';

type ReviewSource = WorkOf<'review'>;

export const REVIEW_LOWERING: KindLowering<ReviewSource> = {
  lower(work, here) {
    const { context, actions } = here;
    const { fields, inputs } = agentWork(work, here);
    const of = subjectOf(work, here);
    const [, another] = work.onRevise ?? [];
    if (another) context.report('action.not-here', another.at, '"on_revise" takes one action', 'keep the retry');
    const critic = work.critic && namedAgent(work.critic, here);
    const step: ReviewStep = {
      ...{ ...fields, kind: 'review', of: of ?? '' },
      ...defined({
        onRevise: actions(work.onRevise, 'on_revise'),
        onBlock: actions(work.onBlock, 'on_block'),
        critic: critic?.id,
        stallRounds: work.stallRounds ?? (work.onStall ? DEFAULT_STALL_ROUNDS : undefined),
        onStall: actions(work.onStall, 'on_stall'),
        onUnfixable: actions(work.onUnfixable, 'on_unfixable'),
      }),
    };
    return of === undefined || step.agent === '' ? undefined : { step, inputs: [...inputs, of] };
  },
  output: shapeOfReport,
  schema: schemaOfAgent,
};

/** The shape in its schema, except that expressions read the verdict in our words, whatever the reviewer's are. */
function shapeOfReport(work: ReviewSource, place: StepPosition, shapes: Shapes): OutputShape {
  const known = shapeOfSchema(work, place, shapes);
  const schema = known.kind === 'schema' && isJsonObject(known.root) ? known.root : {};
  const listed = field(schema, 'properties');
  const properties = { ...(isJsonObject(listed) ? listed : {}), verdict: { enum: [...VERDICTS] } };
  // A schema that lists no fields takes any.
  return { kind: 'schema', root: { ...(listed ? {} : { additionalProperties: true }), ...schema, properties }, within: [] };
}

/** What a review judges: `of`, or its one dependency. */
function subjectOf(work: ReviewSource, { place, context }: StepContext): string | undefined {
  if (work.of) return upstreamStep(work.of, place, 'of', context, { output: true }) ? work.of.value : undefined;
  const candidates = producersBefore(place, context);
  const [only, another] = candidates;
  if (only !== undefined && another === undefined) return only;
  const problem = only === undefined ? 'has nothing before it to judge' : `could judge ${candidates.map((id) => `"${id}"`).join(' or ')}`;
  context.report('step.no-subject', place.step.at, `review "${place.step.id}" ${problem}`, 'add `of:` with the step it judges');
  return undefined;
}
