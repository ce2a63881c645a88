import { defined } from '../../plan/defined';
import type { Template } from '../../plan/expressions/expression';
import type { Plan } from '../../plan/plan';
import { checkArgs } from '../../plan/run/args';
import { numberAt, type Spelled, spelledObject } from '../../plan/text/spelled-json';
import { HOOK_VARIABLES, type WebhookTrigger } from '../../plan/web-hook';
import type { Report } from '../diagnostics/diagnostic';
import type { Names } from '../expression/names';
import { OPEN } from '../expression/output-shape';
import { resolve, resolveTemplate } from '../expression/resolve';
import type { HookSource } from '../shape/source';

type Takes = Pick<Plan, 'args' | 'context' | 'dialect'>;

const VARIABLES = new Map(HOOK_VARIABLES.map((name) => [name as string, OPEN]));

/** A delivery is all that there is: no run, no args, and no steps. */
const NAMES: Names = {
  step: () => undefined,
  stepIds: () => [],
  arg: () => undefined,
  argNames: () => [],
  variable: (name) => VARIABLES.get(name),
  variableNames: () => VARIABLES.keys(),
  beforeRun: true,
  afterWork: false,
  inShell: false,
  environment: new Set(),
  standing: () => 'before-all',
  wayTo: () => '',
};

/** Looks up the names in a web hook. Reports args that the plan does not take, and those that a run would lack. */
export function lowerWebHook(source: HookSource, plan: Takes, report: Report): WebhookTrigger {
  const { at: _at, pathAt: _pathAt, when, args: written = new Map(), key, ...rest } = source;
  const args: Record<string, Template> = {};
  for (const [name, { value }] of written) {
    const template = resolveTemplate(value, NAMES, report);
    if (template) args[name] = template;
  }
  checkHookArgs(source, args, plan, report);
  return {
    ...rest,
    ...defined({
      when: when && resolve(when, NAMES, report),
      key: key && resolveTemplate(key, NAMES, report),
      args: Object.keys(args).length > 0 ? args : undefined,
    }),
  };
}

function checkHookArgs({ at, args: written = new Map() }: HookSource, args: Record<string, Template>, plan: Takes, report: Report): void {
  const found = Object.entries(args).map(([name, template]) => [name, literalOf(template)] as const);
  // What a delivery fills in has no value yet.
  const given = spelledObject([...written.keys()].map((name) => [name, found.find(([one]) => one === name)?.[1]?.value ?? null]));
  for (const { arg, problem } of checkArgs(plan, given).problems) {
    const place = written.get(arg);
    const isTaken = Object.hasOwn(plan.args ?? {}, arg);
    const template = args[arg];
    if (place && isTaken && !(template && literalOf(template))) continue;
    const hint = place ? undefined : `give it a default, or write \`args: {${arg}: …}\` in the web hook`;
    const where = !place ? at : isTaken ? place.at : place.keyAt;
    report('trigger.bad-args', where, `in runs of this web hook the arg "${arg}" ${problem}`, hint);
  }
  for (const [arg, template] of Object.entries(args)) {
    const spec = plan.args?.[arg];
    const place = written.get(arg);
    if (!spec || !place || literalOf(template)) continue;
    if (spec.secret) report('trigger.bad-args', place.at, `the arg "${arg}" is a secret`, 'write a reference such as secret://env/NAME');
    else if (template.length > 1 && spec.type !== undefined && spec.type !== 'string') {
      const hint = 'write one whole expression, which keeps its type';
      report('trigger.bad-args', place.at, `the arg "${arg}" is of type ${spec.type}, and this is text`, hint);
    }
  }
}

/** The value of a template without expressions. */
function literalOf(template: Template): { value: Spelled } | undefined {
  const [only, more] = template;
  if (only === undefined || more !== undefined) return undefined;
  if (typeof only === 'string') return { value: only };
  return only.kind === 'literal' ? { value: numberAt(only, 'value') ?? only.value } : undefined;
}
