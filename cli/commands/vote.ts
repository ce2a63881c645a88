import { readGates } from '../../client/read-run';
import { defined, ifDefined, unlessEmpty } from '../../plan/defined';
import type { GateView } from '../../plan/people/gate';
import { VOTE_CHOICES } from '../../plan/people/vote';
import { type SignalPayload, VOTE_TYPE } from '../../plan/run/signal';
import type { Json } from '../../plan/text/json';
import type { Invocation } from '../command';
import { usage } from '../exit';
import { lastIdOf } from '../rendering/step-tree';
import { sealedOrder } from '../seal-order';
import { orderedBy, sendOrder } from '../session/send-order';
import type { Session } from '../session/session';
import { configurationOf } from '../settings/settings';
import { digestOf } from './decide';

/** Gives a person's vote in a collaboration pattern. It is an answer at the gate that asks for it, with the same policy. */
export function execute(invocation: Invocation): Promise<number> {
  const given = voteIn(invocation);
  const { by } = given;
  const payload = async ({ client }: Session, run: string): Promise<SignalPayload> => {
    const gate = voteGate(await readGates(client, run), invocation.args[1], by);
    if (gate === undefined) return given;
    if (given.response === 'approve' && !gate.choices.includes('approve'))
      throw usage(`${gate.step} chooses among options: approve one of them`, `--option ${gate.choices[0] ?? 'ID'}`);
    return { ...given, step: gate.step };
  };
  const find = (gates: readonly GateView[], step: string | undefined) => voteGate(gates, step, by);
  return sendOrder(invocation, { name: 'respond', moves: true, payload: sealedOrder(invocation, 'respond', payload, find) });
}

function voteIn(invocation: Invocation): SignalPayload {
  const { args, options } = invocation;
  const option = options.text('option');
  const [word, another] = VOTE_CHOICES.filter((choice) => options.flag(choice));
  const response = option ?? word;
  if (response === undefined || another !== undefined || (option !== undefined && word !== undefined && word !== 'approve'))
    throw usage('vote needs one of --approve, --option, --reject and --abstain', 'e.g. --approve --rationale "cheaper within a year"');
  const rationale = options.text('rationale');
  if (rationale === undefined || rationale.trim() === '') throw usage('a vote needs its reasons', 'add --rationale "…"');
  const [conditions, confidence, shown] = [options.list('condition'), options.text('confidence'), options.text('shown')];
  const value: Record<string, Json> = {
    ...defined({
      conditions: conditions.length > 0 ? [...conditions] : undefined,
      confidence: ifDefined(confidence, shareOf),
      blocking: options.flag('blocking') || undefined,
    }),
  };
  return {
    ...orderedBy(invocation, configurationOf(invocation).user.value),
    ...defined({ step: args[1] }),
    ...{ type: VOTE_TYPE, response, comment: rationale },
    ...defined({ value: unlessEmpty(value), shown: ifDefined(shown, digestOf) }),
  };
}

function shareOf(text: string): number {
  const share = /^(0|1|[01]?\.\d+)$/.test(text) ? Number(text) : Number.NaN;
  if (share >= 0 && share <= 1) return share;
  throw usage(`--confidence is a number from 0 to 1, not "${text}"`, 'e.g. --confidence 0.8');
}

/**
 * The vote that is meant: by its own address, by the step that people vote in, or the only open one. If a step has several, the one that
 * `by` may give; undefined if the run itself must report what is wrong.
 */
export function voteGate(gates: readonly GateView[], step: string | undefined, by: string | undefined): GateView | undefined {
  const votes = gates.filter(({ ballot }) => ballot !== undefined);
  const exact = votes.find((gate) => gate.step === step);
  if (exact) return exact;
  const meant = step === undefined ? votes : votes.filter((gate) => lastIdOf(gate.step) === step || stepsAround(gate.step).includes(step));
  const own = meant.filter(({ approvers, delegates = {} }) => {
    if (approvers === undefined || by === undefined) return true;
    return approvers.includes(by) || approvers.some((name) => Object.hasOwn(delegates, name) && delegates[name]?.includes(by));
  });
  const [only, second] = own.length > 0 ? own : meant;
  if (second)
    throw usage(`several votes are open: ${(own.length > 0 ? own : meant).map((gate) => gate.step).join(', ')}`, 'name one of them');
  return only;
}

/** `release/decide[2]/decide_cfo` is in `decide`, which is also `release/decide`. */
function stepsAround(address: string): string[] {
  const segments = address
    .split('/')
    .slice(0, -1)
    .map((segment) => segment.replace(/[[#~].*$/, ''));
  return segments.flatMap((_, i) => segments.slice(i).map((_segment, j) => segments.slice(i, i + j + 1).join('/')));
}
