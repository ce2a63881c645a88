import { contextProblem } from '../../plan/agents/agent-context';
import { defined, unlessEmpty } from '../../plan/defined';
import { ARG_TYPES, type ArgSpec, type Plan } from '../../plan/plan';
import { isOfType } from '../../plan/run/args';
import type { Json } from '../../plan/text/json';
import type { Report } from '../diagnostics/diagnostic';
import type { Installation } from '../installation';
import type { LoadedAgent } from '../names/agent-definition';
import type { PipelineShape } from '../shape/source';

/**
 * The context of all agents of a run: the owner's own, overridden by that of the settings. Each name is an arg as well, so that one run can
 * be about something else; an arg that the file declares keeps its declaration.
 */
export function lowerRunContext(
  { args }: Pick<PipelineShape, 'args'>,
  owner: LoadedAgent | undefined,
  { context: ofPlace }: Pick<Installation, 'context'>,
  report: Report,
): Pick<Plan, 'args' | 'context'> {
  const specs = Object.fromEntries([...args].map(([name, { spec }]) => [name, spec]));
  const own: [string, Json][] = Object.entries(owner?.context ?? {}).map(([name, { value, at }]) => {
    checkType(name, value, specs[name], (message) => report('args.bad-default', at, message, 'fix the value or the type'));
    return [name, value];
  });
  const context = { ...Object.fromEntries(own), ...ofPlace };
  const tooLong = contextProblem(context);
  const [first] = Object.values(owner?.context ?? {});
  if (tooLong !== undefined && first)
    report('shape.out-of-range', first.at, `the context of this file and of the settings together ${tooLong}`, 'shorten one of them');
  const all = { ...Object.fromEntries(Object.entries(context).map(([name, value]) => [name, implicit(value)])), ...specs };
  return {
    ...defined({ args: unlessEmpty(all), context: unlessEmpty(context) }),
  };
}

function checkType(name: string, value: Json, spec: ArgSpec | undefined, refuse: (message: string) => void): void {
  if (spec?.secret) refuse(`"${name}" of the context is a secret arg of the pipeline: agents see their context unmasked`);
  else if (spec?.type && !isOfType(value, spec.type))
    refuse(`"${name}" of the context is not of type ${spec.type}, as the arg of that name is`);
}

/** The arg for a name that no arg declares: its type is that of its value. */
function implicit(value: Json): ArgSpec {
  const type = ARG_TYPES.find((one) => one !== 'integer' && isOfType(value, one));
  return { ...(type ? { type } : {}), default: value };
}
