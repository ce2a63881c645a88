import type { SignalPayload } from '../../plan/run/signal';
import { joined } from '../../plan/text/joined';
import type { Invocation } from '../command';
import { jsonOrText, parseJson } from '../pipelines/run-args';
import { orderedBy, type RunCommand, sendOrder } from '../session/send-order';
import { configurationOf } from '../settings/settings';

/** Operators' orders to runs. */
export function sendMessage(invocation: Invocation): Promise<number> {
  const [, to = '', text = ''] = invocation.args;
  const { by } = base(invocation);
  const payload = joined<SignalPayload>({ to, content: jsonOrText(text) }, { from: by });
  return sendOrder(invocation, { name: 'message', payload, moves: false });
}

/** Adds an item to a step's stream, in addition to those that the step emits itself. */
export function emit(invocation: Invocation): Promise<number> {
  const item = parseJson(invocation.options.text('item') ?? '', '--item');
  return sendOrder(invocation, { name: 'emit', payload: joined(base(invocation), { item }), moves: false });
}

export const pause = (invocation: Invocation): Promise<number> => order(invocation, 'pause', false);
export const unpause = (invocation: Invocation): Promise<number> => order(invocation, 'unpause', true);
export const postMortem = (invocation: Invocation): Promise<number> => order(invocation, 'post_mortem', false);
export const skip = (invocation: Invocation): Promise<number> => order(invocation, 'skip', true);
export const abort = (invocation: Invocation): Promise<number> => order(invocation, 'abort', true);
export const cancel = (invocation: Invocation): Promise<number> => order(invocation, 'cancel', true);

export function retry(invocation: Invocation): Promise<number> {
  const given = invocation.options.text('with');
  const replaced = given === undefined ? {} : { with: parseJson(given, '--with') };
  return sendOrder(invocation, { name: 'retry', payload: joined(base(invocation), replaced), moves: true });
}

function order(invocation: Invocation, name: RunCommand['name'], moves: boolean): Promise<number> {
  return sendOrder(invocation, { name, payload: base(invocation), moves });
}

function base(invocation: Invocation): SignalPayload {
  const { args, options } = invocation;
  const payload = orderedBy(invocation, configurationOf(invocation).user.value);
  const [step, reason] = [args[1], options.text('reason')];
  if (step !== undefined) payload.step = step;
  if (reason !== undefined) payload.reason = reason;
  return payload;
}
