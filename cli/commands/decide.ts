import type { SignalPayload } from '../../plan/signal';
import { act, orderedBy } from '../act';
import type { Invocation } from '../command';
import { usage } from '../exit';
import { jsonOrText, parseJson } from '../run-args';
import { configurationOf } from '../settings';

/** Decisions of people at gates. */
export function approve(invocation: Invocation): Promise<number> {
  return act(invocation, { name: 'approve', payload: decision(invocation), moves: true });
}

export function reject(invocation: Invocation): Promise<number> {
  return act(invocation, { name: 'reject', payload: decision(invocation), moves: true });
}

export function respond(invocation: Invocation): Promise<number> {
  const response = invocation.options.text('response');
  if (response === undefined) throw usage('respond needs --response', 'e.g. --response revise');
  return act(invocation, { name: 'respond', payload: { ...decision(invocation), response: jsonOrText(response) }, moves: true });
}

function decision(invocation: Invocation): SignalPayload {
  const { args, options } = invocation;
  const payload: SignalPayload = orderedBy(invocation, configurationOf(invocation).user.value);
  const [step, comment, value] = [args[1], options.text('comment'), options.text('value')];
  if (step !== undefined) payload.step = step;
  if (comment !== undefined) payload.comment = comment;
  if (value !== undefined) payload.value = parseJson(value, '--value');
  return payload;
}
